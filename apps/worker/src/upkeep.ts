import type { EventQueue } from '@takt/events';
import { exportRejectedEvents, type RejectionLimits } from '@takt/rejected-events';
import { type Logger, repeat } from '@takt/runtime';
import type pg from 'pg';
import { Counter, type Registry } from 'prom-client';
import { createUnlistedWatch } from './watch-unlisted.js';

/** What a worker does now and then beside taking events. Several workers may; one at a time moves rejected events. */
export interface UpkeepOptions {
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
      onFailure: (error) => logger.warn({ error }, `${what} did not work, trying again later`),
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
