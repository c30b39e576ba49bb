import { QUEUE_NAMES, type QueueView } from '@takt/events/view';
import { pause, withDeadline } from '@takt/run/waiting';

/** Interval between two looks. The queues count as empty if two looks in a row find them empty: rejected events return as jobs. */
const LOOK_EVERY_MS = 200;
const NO_WORKER_AFTER_MS = 2_000;
const ANSWER_DEADLINE_MS = 10_000;
const DEADLINE_MS = 3_600_000;

export type Applied = 'applied' | 'no-worker' | 'stopped' | 'late';

interface WaitOptions {
  /** Called with the number of jobs that wait or run. */
  readonly onProgress?: (jobs: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Waits until the workers have applied everything in the queues, at most one hour. Ends early if jobs wait and no worker is
 * connected, or on the signal. Rejects only if the queues do not answer at the start.
 */
export async function waitUntilApplied(
  view: Pick<QueueView, 'countJobs' | 'countWorkers'>,
  { onProgress, signal }: WaitOptions = {},
): Promise<Applied> {
  const startedAtMs = performance.now();
  let jobs = await countJobs(view);
  let timesEmpty = 0;
  let isWorkerSought = false;
  while (performance.now() - startedAtMs < DEADLINE_MS) {
    timesEmpty = jobs === 0 ? timesEmpty + 1 : 0;
    if (timesEmpty === 2) return 'applied';
    onProgress?.(jobs);
    if (!isWorkerSought && performance.now() - startedAtMs > NO_WORKER_AFTER_MS) {
      isWorkerSought = true;
      if (await lacksWorker(view).catch(() => false)) return 'no-worker';
    }
    await pause(LOOK_EVERY_MS, signal);
    if (signal?.aborted) return 'stopped';
    // A store that restarts is waited for.
    jobs = await countJobs(view).catch(() => Math.max(jobs, 1));
  }
  return 'late';
}

/** Without a deadline, this would wait for ever for a Redis that does not answer. */
const answered = <Answer>(answer: Promise<Answer>): Promise<Answer> =>
  withDeadline(answer, ANSWER_DEADLINE_MS, () => {
    throw new Error(`the queues took longer than ${ANSWER_DEADLINE_MS} ms to answer`);
  });

async function countJobs(view: Pick<QueueView, 'countJobs'>): Promise<number> {
  const counts = await answered(Promise.all(QUEUE_NAMES.map((name) => view.countJobs(name))));
  return counts.reduce((sum, { waiting, active, delayed }) => sum + waiting + active + delayed, 0);
}

async function lacksWorker(view: Pick<QueueView, 'countJobs' | 'countWorkers'>): Promise<boolean> {
  const lacking = await answered(
    Promise.all(
      QUEUE_NAMES.map(async (name) => {
        const { waiting } = await view.countJobs(name);
        return waiting > 0 && (await view.countWorkers(name)) === 0;
      }),
    ),
  );
  return lacking.includes(true);
}
