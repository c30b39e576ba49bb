import type { QueueName } from '@takt/events';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type EventOutcome, isRejection } from './event-stream.js';

/** What one stream tells of itself. */
export interface StreamMetrics {
  /** Runs one attempt to commit a batch and measures it; the time of the last success is kept. */
  timeCommit<Result>(events: number, commit: () => Promise<Result>): Promise<Result>;
  countOutcomes(outcomes: readonly EventOutcome[], invalid: number): void;
  countFailedAttempt(): void;
}

export interface WorkerMetrics {
  readonly registry: Registry;
  forQueue(queue: QueueName): StreamMetrics;
}

/** The worker's metrics in a registry of their own: names begin with takt_, times are in seconds. */
export function createWorkerMetrics(): WorkerMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const byQueue = { labelNames: ['queue'], registers };
  const events = new Counter({
    name: 'takt_events_total',
    help: 'Events by what became of them: applied, duplicate, stale, rejected',
    labelNames: ['queue', 'outcome'],
    registers,
  });
  const commitSeconds = new Histogram({
    name: 'takt_commit_seconds',
    help: 'Time of one attempt to commit a batch of events',
    buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5, 30],
    ...byQueue,
  });
  const batchEvents = new Histogram({
    name: 'takt_batch_events',
    help: 'Events in one transaction',
    buckets: [1, 10, 50, 100, 200, 500, 1000],
    ...byQueue,
  });
  const failedAttempts = new Counter({
    name: 'takt_failed_attempts_total',
    help: 'Attempts to commit that the database did not take',
    ...byQueue,
  });
  const lastCommit = new Gauge({
    name: 'takt_last_commit_timestamp_seconds',
    help: 'When the last batch was committed, in seconds since 1970',
    ...byQueue,
  });
  return {
    registry,
    forQueue: (queue) => ({
      timeCommit: async (count, commit) => {
        const stop = commitSeconds.startTimer({ queue });
        const result = await commit().finally(stop);
        batchEvents.observe({ queue }, count);
        lastCommit.set({ queue }, Date.now() / 1000);
        return result;
      },
      countOutcomes: (outcomes, invalid) => {
        if (invalid > 0) events.inc({ queue, outcome: 'rejected' }, invalid);
        for (const outcome of outcomes) {
          events.inc({ queue, outcome: isRejection(outcome) ? 'rejected' : outcome });
        }
      },
      countFailedAttempt: () => failedAttempts.inc({ queue }),
    }),
  };
}
