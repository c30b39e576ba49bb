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

/** Periodic tasks of a worker besides events. All workers run them; only one at a time moves rejected events. */
interface UpkeepOptions {
  readonly queues: readonly EventQueue[];
  readonly pool: pg.Pool;
  readonly rejectionLimits: RejectionLimits;
  readonly registry: Registry;
  readonly logger: Logger;
}

/** Interval of moving rejected events; a faulty producer may exceed the queue's limit for that long. */
const EXPORT_EVERY_MS = 10_000;
const LOOK_FOR_UNLISTED_EVERY_MS = 30_000;

/**
 * Starts the tasks at once. Returns a function that stops them; it does not wait for a running task, which can be
 * interrupted safely.
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
        logger.warn({ jobId, error }, 'the database cannot store a rejected event, it stays in its queue');
      const count = await exportRejectedEvents(queue, pool, { limits, signal, onUnholdable });
      moved.inc({ queue: queue.name }, count);
      if (count > 0) logger.info({ queue: queue.name, count }, 'rejected events moved to the database');
    }
  };
}

interface UnlistedWatchOptions {
  readonly pool: pg.Pool;
  readonly registry: Registry;
  /** Called once for each structure version. */
  readonly onUnlisted: (version: UnlistedStructureVersion) => void;
}

/** Maximum number of log lines per check; the next check reports further versions. */
const MAX_LINES = 50;
/** Maximum number of watched versions; others are only counted, and watched once earlier ones are listed. */
const MAX_WATCHED = 10_000;

/**
 * Finds operations that wait for the master data of their structure version: counts them for the metrics, and reports
 * each version once, from the second check on, because master data may come shortly after the first operation. Uses an
 * index of the waiting rows, so that applying events costs nothing more.
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
  /** By company and version: true if it was reported. */
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
