import type { EventQueue } from '@takt/events/internal';
import {
  countUnlistedStructureVersions,
  listUnlistedStructureVersions,
  type UnlistedStructureVersion,
} from '@takt/figures';
import { adoptFailedJobs, adoptOldTables } from '@takt/rejections';
import { type Logger, repeat } from '@takt/run';
import type pg from 'pg';
import { Gauge, type Registry } from 'prom-client';

/** Options for the periodic tasks that a worker does besides processing events. All workers run the tasks. */
interface UpkeepOptions {
  readonly queues: readonly EventQueue[];
  readonly pool: pg.Pool;
  readonly registry: Registry;
  readonly logger: Logger;
}

/** Interval at which rejected events of workers of 1.0.0 are moved, which may run during an upgrade. */
const ADOPT_EVERY_MS = 10_000;
const LOOK_FOR_UNLISTED_EVERY_MS = 30_000;

/**
 * Starts the tasks at once. Returns a function that stops them. The function does not wait for a running task, because
 * a task can be interrupted safely.
 */
export function startUpkeep(options: UpkeepOptions): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const { logger, pool, registry } = options;
  const repeatedly = (what: string, everyMs: number, task: () => Promise<void>) =>
    repeat(task, {
      everyMs,
      signal,
      onError: (error) => logger.warn({ error }, `${what} failed, trying again later`),
    });
  void repeatedly('moving rejected events of 1.0.0', ADOPT_EVERY_MS, createAdoption(options, signal));
  const lookForUnlisted = createUnlistedWatch({
    pool,
    registry,
    onUnlisted: (version) =>
      logger.warn(version, 'operations wait for the master data of their structure version'),
  });
  void repeatedly('looking for unlisted structure versions', LOOK_FOR_UNLISTED_EVERY_MS, lookForUnlisted);
  return () => ending.abort();
}

function createAdoption({ queues, pool, logger }: UpkeepOptions, signal: AbortSignal): () => Promise<void> {
  return async () => {
    let count = await adoptOldTables(pool);
    for (const queue of queues) count += await adoptFailedJobs(queue, pool, signal);
    if (count > 0) logger.info({ count }, 'rejected events of workers of 1.0.0 moved to takt.rejections');
  };
}

interface UnlistedWatchOptions {
  readonly pool: pg.Pool;
  readonly registry: Registry;
  /** Called once for each structure version. */
  readonly onUnlisted: (version: UnlistedStructureVersion) => void;
}

/** Maximum number of log lines for one check. Structure versions beyond it are reported by the next check. */
const MAX_LINES = 50;
/**
 * Maximum number of structure versions that are watched. Further versions are only counted. They are watched when
 * versions before them have received their master data.
 */
const MAX_WATCHED = 10_000;

/**
 * Creates a function that finds operations which wait for the master data of their structure version. The function
 * counts them for the metrics, and reports each structure version once. A version is reported from the second check on,
 * because master data may come shortly after the first operation. The query uses an index of the waiting rows, so it
 * costs nothing more when events are applied.
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
  /**
   * The structure versions of the latest check, by company and version. The value is true if the version has been
   * reported.
   */
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
