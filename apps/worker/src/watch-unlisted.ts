import {
  countUnlistedStructureVersions,
  listUnlistedStructureVersions,
  type UnlistedStructureVersion,
} from '@takt/production-times';
import type pg from 'pg';
import { Gauge, type Registry } from 'prom-client';

export interface UnlistedWatchOptions {
  readonly pool: pg.Pool;
  readonly registry: Registry;
  /** Hears of each structure version once. */
  readonly onUnlisted: (version: UnlistedStructureVersion) => void;
}

/** Lines in one look; what is beyond is said in the next. */
const MAX_LINES = 50;
/** More at a time are counted, but looked at one by one only when those before them are listed. */
const MAX_WATCHED = 10_000;

/**
 * Looks for operations that wait for the master data of their structure version: counts them for the metrics, and
 * tells of each version once that it waits. It does so from the second look on: master data may come a moment after the
 * first operation. Asks an index of the rows that wait, so that taking events costs nothing more.
 */
export function createUnlistedWatch({
  pool,
  registry,
  onUnlisted,
}: UnlistedWatchOptions): () => Promise<void> {
  const gauge = (name: string, help: string) =>
    new Gauge({ name, help, labelNames: ['database'], registers: [registry] });
  const versions = gauge('takt_unlisted_structure_versions', 'Structure versions without master data');
  const operations = gauge('takt_unlisted_operations', 'Completed operations of such versions');
  /** By company and version: whether it was said. */
  let known: ReadonlyMap<string, boolean> = new Map();
  return async () => {
    for (const { database, ...counts } of await countUnlistedStructureVersions(pool)) {
      versions.set({ database }, counts.structureVersions);
      operations.set({ database }, counts.operations);
    }
    const waiting = await readWaiting(pool);
    const toBeSaid = [...waiting].filter(([key]) => known.get(key) === false).slice(0, MAX_LINES);
    for (const [, version] of toBeSaid) onUnlisted(version);
    const said = new Set(toBeSaid.map(([key]) => key));
    known = new Map([...waiting.keys()].map((key) => [key, said.has(key) || known.get(key) === true]));
  };
}

async function readWaiting(pool: pg.Pool): Promise<ReadonlyMap<string, UnlistedStructureVersion>> {
  const waiting = new Map<string, UnlistedStructureVersion>();
  for await (const page of listUnlistedStructureVersions(pool)) {
    for (const version of page) {
      waiting.set(`${version.database}/${version.productStructureVersionId}`, version);
    }
    if (waiting.size >= MAX_WATCHED) break;
  }
  return waiting;
}
