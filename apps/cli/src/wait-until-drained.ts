import { pause } from '@takt/run/waiting';
import { countWorkers, type JobCounts, type QueuesToAsk } from './queues.js';

interface DrainOptions {
  readonly timeoutMs: number;
  /** Aborted to end the wait early. */
  readonly signal?: AbortSignal;
  /** Called with the number of jobs that remain. */
  readonly onProgress?: (jobsLeft: number) => void;
  /** Called once if jobs wait in a queue that has no connected worker. */
  readonly onNoWorker?: (queueName: string) => void;
}

export interface DrainReport {
  readonly isDrained: boolean;
  /** Number of waiting, delayed and active jobs at the end. */
  readonly jobsLeft: number;
  /**
   * Number of jobs that were completed and not rejected since the start. It includes jobs that were added after the
   * start. If nothing was left at the start, those of the minute before count too: a fast worker is done with what was
   * published before the command runs.
   */
  readonly completed: number;
  /** Number of failed jobs at the end, however old they are. */
  readonly failed: number;
}

/**
 * Interval between two checks. The rejected events of a batch return as jobs shortly after the batch, so a queue counts
 * as empty only if two checks in a row find it empty.
 */
const POLL_MS = 200;
const NO_WORKER_AFTER_MS = 2_000;
const JOBS_READ_AT_ONCE = 100;

/**
 * Waits until the queues have no waiting, delayed or active jobs, or until the deadline. If the store becomes
 * unavailable, continues to wait. Rejects only if the store is unavailable at the start.
 */
export async function waitUntilDrained(queues: QueuesToAsk, options: DrainOptions): Promise<DrainReport> {
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
  const rejected = isDrained ? await countRejectedSince(queues, startedAt, now.failed - before.failed) : 0;
  return {
    isDrained,
    jobsLeft: left(now),
    // While the store was down, some completions may not have been counted.
    completed: completedBefore + Math.max(completions.total(), left(before) - left(now) - rejected),
    failed: now.failed,
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

/** Finds the queues that have waiting jobs but no connected worker. */
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

/**
 * Returns how many of the jobs since the start were rejected. The rejected events of a batch become later jobs, and the
 * batch itself counts as completed.
 */
async function countRejectedSince(
  queues: QueuesToAsk,
  startedAt: number,
  newlyFailed: number,
): Promise<number> {
  if (newlyFailed <= 0) return 0;
  let count = 0;
  for (const name of queues.names) {
    const keys = await queues.listFailedJobs(name, newlyFailed);
    for (let start = 0; start < keys.length; start += JOBS_READ_AT_ONCE) {
      const ids = keys.slice(start, start + JOBS_READ_AT_ONCE).map(({ jobId }) => jobId);
      const jobs = await queues.readFailedJobs(name, ids, 0);
      count += jobs.filter(
        ({ addedAtMs, failedAtMs }) => addedAtMs < startedAt && failedAtMs >= startedAt,
      ).length;
    }
  }
  return count;
}
