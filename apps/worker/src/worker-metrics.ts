import { QUEUE_NAMES, type QueueBackend, type QueueName } from '@takt/events';
import { withDeadline } from '@takt/runtime';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type EventOutcome, isRejection } from './event-stream.js';

/** What one stream tells of itself. */
export interface StreamMetrics {
  /** Runs one attempt to commit a batch and measures it; the time of the last success is kept. */
  timeCommit<Result>(events: number, commit: () => Promise<Result>): Promise<Result>;
  /** Counts what took effect or needed none; a rejection is counted by itself, once it is listed. */
  countOutcomes(outcomes: readonly EventOutcome[]): void;
  /** An event has come to the failed set. */
  countRejection(): void;
  countFailedAttempt(): void;
}

export interface WorkerMetrics {
  readonly registry: Registry;
  forQueue(queue: QueueName): StreamMetrics;
  /** Tells from now on, whenever it is asked, how the queues are. */
  observeQueues(backend: Pick<QueueBackend, 'clockState' | 'countStuckJobs'>): void;
}

/** A queue that does not answer leaves its figure out. */
const ANSWER_DEADLINE_MS = 2_000;

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
    observeQueues: (backend) => observeQueues(registry, backend),
    forQueue: (queue) => ({
      timeCommit: async (count, commit) => {
        const stop = commitSeconds.startTimer({ queue });
        const result = await commit().finally(stop);
        batchEvents.observe({ queue }, count);
        lastCommit.set({ queue }, Date.now() / 1000);
        return result;
      },
      countOutcomes: (outcomes) => {
        for (const outcome of outcomes) {
          if (!isRejection(outcome)) events.inc({ queue, outcome });
        }
      },
      countRejection: () => events.inc({ queue, outcome: 'rejected' }),
      countFailedAttempt: () => failedAttempts.inc({ queue }),
    }),
  };
}

function observeQueues(
  registry: Registry,
  { clockState, countStuckJobs }: Pick<QueueBackend, 'clockState' | 'countStuckJobs'>,
): void {
  const registers = [registry];
  new Gauge({
    name: 'takt_clock_ahead_seconds',
    help: "How far this machine's clock is ahead of the queue's; beyond 2 either way no jobs are claimed",
    registers,
    collect() {
      this.set((clockState()?.aheadMs ?? 0) / 1_000);
    },
  });
  new Gauge({
    name: 'takt_stuck_jobs',
    help: 'Jobs that are claimed for 60 s or more: nobody works on them, or whoever does makes no progress',
    labelNames: ['queue'],
    registers,
    async collect() {
      this.reset();
      const count = async (queue: QueueName) => {
        const counting = countStuckJobs(queue).then(({ jobs }) => jobs);
        const jobs = await withDeadline<number | undefined>(counting, ANSWER_DEADLINE_MS, () => undefined);
        if (jobs !== undefined) this.set({ queue }, jobs);
      };
      await Promise.allSettled(QUEUE_NAMES.map(count));
    },
  });
}
