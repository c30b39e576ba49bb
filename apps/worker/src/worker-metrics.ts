import type { TakenEvent } from '@takt/database/monitoring';
import type { EventType, QueueName } from '@takt/events';
import { eventDefinitions, type QueueBackend } from '@takt/events/internal';
import { type AppMetrics, createAppMetrics } from '@takt/run/monitoring';
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

export interface StreamMetrics {
  /** Runs an attempt to commit a batch and measures its duration. Stores the time of the last successful attempt. */
  timeCommit<Result>(events: number, commit: () => Promise<Result>): Promise<Result>;
  countTaken(type: EventType, event: TakenEvent): void;
  /** Counts a rejected event by the type that it names, which may be anything. */
  countRejection(type: unknown): void;
  countFailedAttempt(): void;
}

export interface WorkerMetrics extends AppMetrics {
  forQueue(queue: QueueName): StreamMetrics;
}

const OUTCOMES = ['applied', 'duplicate', 'stale', 'rejected'];
const UNKNOWN_TYPE = 'unknown';
const TYPES: readonly string[] = eventDefinitions.map(({ type }) => type);

/** Creates a registry with the metrics of the worker. All names begin with takt_, and all times are in seconds. */
export function createWorkerMetrics(): WorkerMetrics {
  const { registry, observePool } = createAppMetrics();
  const registers = [registry];
  const byQueue = { labelNames: ['queue'], registers };
  const events = new Counter({
    name: 'takt_events_total',
    help: 'Events by type (unknown: not of the contract) and outcome: applied, duplicate, stale, rejected',
    labelNames: ['queue', 'type', 'outcome'],
    registers,
  });
  const lagSeconds = new Histogram({
    name: 'takt_commit_lag_seconds',
    help: 'Time to the commit of an applied event, from when its job was added to the queue (publishing) or, for every 16th event of a job, from when the work was completed (completion)',
    buckets: [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 300, 1800, 14400, 86400],
    labelNames: ['queue', 'from'],
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
    help: 'Attempts to commit that failed',
    ...byQueue,
  });
  const lastCommit = new Gauge({
    name: 'takt_last_commit_timestamp_seconds',
    help: 'When the last batch was committed, in seconds since 1970',
    ...byQueue,
  });
  return {
    registry,
    observePool,
    forQueue: (queue) => {
      const fromCompletion = lagSeconds.labels({ queue, from: 'completion' });
      // Each counter is created with 0, so that the first event counts as an increase. The counters are looked up once
      // instead of for each event.
      const counters = new Map(
        eventDefinitions
          .filter((definition) => definition.queue === queue)
          .map(({ type }) => [
            type as string,
            new Map(OUTCOMES.map((outcome) => [outcome, events.labels({ queue, type, outcome })])),
          ]),
      );
      for (const ofType of counters.values()) for (const counter of ofType.values()) counter.inc(0);
      events.inc({ queue, type: UNKNOWN_TYPE, outcome: 'rejected' }, 0);
      failedAttempts.inc({ queue }, 0);
      const fromPublishing = lagSeconds.labels({ queue, from: 'publishing' });
      return {
        timeCommit: async (count, commit) => {
          const stop = commitSeconds.startTimer({ queue });
          const result = await commit().finally(stop);
          batchEvents.observe({ queue }, count);
          lastCommit.set({ queue }, Date.now() / 1000);
          return result;
        },
        countTaken: (type, { outcome, completionLagSeconds, publishingLagSeconds }) => {
          counters.get(type)?.get(outcome)?.inc();
          if (outcome !== 'applied') return;
          fromPublishing.observe(publishingLagSeconds);
          if (completionLagSeconds !== undefined) fromCompletion.observe(completionLagSeconds);
        },
        countRejection: (type) =>
          events.inc({ queue, type: TYPES.find((one) => one === type) ?? UNKNOWN_TYPE, outcome: 'rejected' }),
        countFailedAttempt: () => failedAttempts.inc({ queue }),
      };
    },
  };
}

export function observeClock(registry: Registry, clockState: QueueBackend['clockState']): void {
  new Gauge({
    name: 'takt_clock_ahead_seconds',
    help: "Seconds that this machine's clock is ahead of the queue's; beyond 2 either way no jobs are claimed",
    registers: [registry],
    collect() {
      this.set((clockState()?.aheadMs ?? 0) / 1_000);
    },
  });
}
