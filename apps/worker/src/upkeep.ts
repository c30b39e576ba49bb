import { exportRejectedEvents, type RejectionLimits } from '@takt/database/rejected-events';
import type { EventQueue } from '@takt/events';
import {
  countUnlistedStructureVersions,
  listUnlistedStructureVersions,
  type UnlistedStructureVersion,
} from '@takt/figures';
import { type Logger, repeat } from '@takt/run';
import type pg from 'pg';
import { Counter, Gauge, type Registry } from 'prom-client';

/** What a worker does now and then beside taking events. Several workers may; one at a time moves rejected events. */
interface UpkeepOptions {
  readonly queues: readonly EventQueue[];
  readonly pool: pg.Pool;
  readonly rejectionLimits: RejectionLimits;
  readonly registry: Registry;
  readonly logger: Logger;
}

/** What a bad producer adds in this time is what a queue holds beyond its limit. */
const EXPORT_EVERY_MS = 10_000;
const LOOK_FOR_UNLISTED_EVERY_MS = 30_000;

/** Begins at once. Gives the function that ends it: what is under way is left alone, and harmless when it is cut. */
export function startUpkeep(options: UpkeepOptions): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const { logger, pool, registry } = options;
  const repeatedly = (what: string, everyMs: number, task: () => Promise<void>) =>
    repeat(task, {
      everyMs,
      signal,
      onError: (error) => logger.warn({ error }, `${what} did not work, trying again later`),
    });
  void repeatedly('moving rejected events to the database', EXPORT_EVERY_MS, createExport(options, signal));
  const lookForUnlisted = createUnlistedWatch({
    pool,
    registry,
    onUnlisted: (version) =>
      logger.warn(version, 'operations wait for the master data of their structure version'),
  });
  void repeatedly('looking for unlisted structure versions', LOOK_FOR_UNLISTED_EVERY_MS, lookForUnlisted);
  return () => ending.abort();
}

function createExport(options: UpkeepOptions, signal: AbortSignal): () => Promise<void> {
  const { queues, pool, rejectionLimits: limits, registry, logger } = options;
  const moved = new Counter({
    name: 'takt_rejected_events_exported_total',
    help: 'Rejected events that this worker moved from their queue to the database',
    labelNames: ['queue'],
    registers: [registry],
  });
  return async () => {
    for (const queue of queues) {
      const onUnholdable = (jobId: string, error: Error) =>
        logger.warn({ jobId, error }, 'the database cannot hold a rejected event, it stays in its queue');
      const count = await exportRejectedEvents(queue, pool, { limits, signal, onUnholdable });
      moved.inc({ queue: queue.name }, count);
      if (count > 0) logger.info({ queue: queue.name, count }, 'rejected events moved to the database');
    }
  };
}

interface UnlistedWatchOptions {
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
