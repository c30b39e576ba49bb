import { pause } from '@takt/run/waiting';
import { countWorkers, type JobCounts, type QueuesToAsk } from './queues.js';

interface DrainOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Called with the number of jobs that remain. */
  readonly onProgress?: (jobsLeft: number) => void;
  /** Called once if jobs wait in a queue that has no connected worker. */
  readonly onNoWorker?: (queueName: string) => void;
  /** Counts the events that were rejected in the last `ms`. Default: none are counted. */
  readonly countRejected?: (ms: number) => Promise<number>;
}

export interface DrainReport {
  readonly isDrained: boolean;
  /** Number of waiting, delayed and active jobs at the end. */
  readonly jobsLeft: number;
  /**
   * Number of jobs that were completed since the start, without jobs whose only event was rejected. It includes jobs
   * that were added after the start. If nothing was left at the start, those of the minute before count too: a fast
   * worker is done with what was published before the command runs.
   */
  readonly completed: number;
  /** Number of events that were rejected in the same time. */
  readonly failed: number;
}

/**
 * Interval between two checks. A job may be in no list for a moment when it is delivered again, so a queue counts as
 * empty only if two checks in a row find it empty.
 */
const POLL_MS = 200;
const NO_WORKER_AFTER_MS = 2_000;
/** If nothing was left at the start, what happened in this time before it counts too. */
const RECENT_MS = 60_000;
/** A job is acknowledged shortly after its rejection was committed, so a job that was left may have been rejected before. */
const SHORTLY_MS = 1_000;

/**
 * Waits until the queues have no waiting, delayed or active jobs, or until the deadline. If the store becomes
 * unavailable, continues to wait. Rejects only if the store is unavailable at the start.
 */
export async function waitUntilDrained(
  queues: QueuesToAsk,
  { countRejected = async () => 0, ...options }: DrainOptions,
): Promise<DrainReport> {
  const startedAt = Date.now();
  const completions = await startCompletionCount(queues);
  const before = await countAll(queues);
  let now = before;
  let timesSeenEmpty = left(now) === 0 ? 1 : 0;
  const completedBefore = left(now) === 0 ? completions.recent : 0;
  let isWorkerSought = false;
  const elapsedMs = () => Date.now() - startedAt;
  while (timesSeenEmpty < 2 && elapsedMs() < options.timeoutMs && options.signal?.aborted !== true) {
    options.onProgress?.(left(now));
    await pause(POLL_MS, options.signal);
    const counts = await countAll(queues).catch(() => undefined);
    await completions.update().catch(() => undefined);
    now = counts ?? now;
    timesSeenEmpty = counts !== undefined && left(counts) === 0 ? timesSeenEmpty + 1 : 0;
    if (!isWorkerSought && elapsedMs() > NO_WORKER_AFTER_MS) {
      isWorkerSought = true;
      for (const queue of await findQueuesWithoutWorker(queues)) options.onNoWorker?.(queue);
    }
  }
  const isDrained = timesSeenEmpty === 2;
  const failed = await countRejected(elapsedMs() + (left(before) === 0 ? RECENT_MS : SHORTLY_MS));
  return {
    isDrained,
    jobsLeft: left(now),
    // While the store was down, some completions may not have been counted.
    completed: completedBefore + Math.max(completions.total(), left(before) - left(now) - failed),
    failed,
  };
}

/**
 * Counts the jobs that are completed from now on. Each call of `update` adds the completions since the previous call.
 * `recent` is the number of jobs that were completed in the minute before.
 */
async function startCompletionCount(queues: QueuesToAsk) {
  let since = await Promise.all(queues.names.map((name) => queues.countCompleted(name, undefined)));
  const recent = since.reduce((sum, { jobs }) => sum + jobs, 0);
  let total = 0;
  return {
    recent,
    update: async () => {
      since = await Promise.all(
        queues.names.map((name, index) => queues.countCompleted(name, since[index]?.now)),
      );
      total += since.reduce((sum, { jobs }) => sum + jobs, 0);
    },
    total: () => total,
  };
}

async function countAll(queues: QueuesToAsk): Promise<JobCounts> {
  const counts = await Promise.all(queues.names.map((name) => queues.countJobs(name)));
  const sum = (state: keyof JobCounts) => counts.reduce((total, count) => total + count[state], 0);
  return { waiting: sum('waiting'), active: sum('active'), delayed: sum('delayed'), failed: sum('failed') };
}

function left({ waiting, active, delayed }: JobCounts): number {
  return waiting + active + delayed;
}

export async function findQueuesWithoutWorker(queues: QueuesToAsk): Promise<readonly string[]> {
  const checked = await Promise.all(
    queues.names.map(async (name) => {
      const waiting = await queues.countJobs(name).then(
        (counts) => counts.waiting,
        () => 0,
      );
      return waiting > 0 && (await countWorkers(queues, name)) === 0 ? [name] : [];
    }),
  );
  return checked.flat();
}
