import { Gauge, type Registry } from 'prom-client';
import { withDeadline } from '../index.js';

/** Functions that query the queues. A query may hang while the store is down. */
interface ObservedQueues {
  readonly names: readonly string[];
  readonly countJobs: (queue: string) => Promise<Readonly<Record<(typeof STATES)[number], number>>>;
  /** Returns the seconds that the oldest job has waited; undefined if no job waits. */
  readonly readOldestWait: (queue: string) => Promise<number | undefined>;
  /** Counts jobs that were claimed long ago and make no progress. */
  readonly countStuckJobs: (queue: string) => Promise<{ readonly jobs: number }>;
}

const STATES = ['waiting', 'active', 'delayed', 'failed'] as const;
/**
 * Maximum time to wait for an answer about a queue. If the answer takes longer, the scrape leaves out the figures of
 * the queue.
 */
const ANSWER_DEADLINE_MS = 2_000;

export function observeQueues(registry: Registry, queues: ObservedQueues): void {
  const registers = [registry];
  const ask = async <Answer>(
    gauge: { reset(): void },
    read: (queue: string) => Promise<Answer>,
    set: (queue: string, answer: Answer) => void,
  ) => {
    gauge.reset();
    const askOne = async (queue: string) => {
      const answer = await withDeadline<Answer | undefined>(read(queue), ANSWER_DEADLINE_MS, () => undefined);
      if (answer !== undefined) set(queue, answer);
    };
    await Promise.allSettled(queues.names.map(askOne));
  };
  new Gauge({
    name: 'takt_queue_jobs',
    help: 'Jobs of a queue by state; failed ones are those that no worker could end. The same in every process that reports it',
    labelNames: ['queue', 'state'],
    registers,
    collect() {
      return ask(this, queues.countJobs, (queue, counts) => {
        for (const state of STATES) this.set({ queue, state }, counts[state]);
      });
    },
  });
  new Gauge({
    name: 'takt_queue_oldest_job_seconds',
    help: 'How long the oldest waiting job of a queue has waited; 0 if none waits. The same in every process that reports it',
    labelNames: ['queue'],
    registers,
    collect() {
      const read = async (queue: string) => (await queues.readOldestWait(queue)) ?? 0;
      return ask(this, read, (queue, seconds) => this.set({ queue }, seconds));
    },
  });
  new Gauge({
    name: 'takt_stuck_jobs',
    help: 'Jobs that are claimed for 60 s or more: nobody works on them, or whoever does makes no progress',
    labelNames: ['queue'],
    registers,
    collect() {
      return ask(this, queues.countStuckJobs, (queue, { jobs }) => this.set({ queue }, jobs));
    },
  });
}
