import { checkReadiness, queueCheck, type ReadinessCheck } from '@takt/database/app';
import { QUEUE_NAMES, type QueueName } from '@takt/events';
import {
  type ClockState,
  checkQueueDurability,
  MAX_CLOCK_DIFFERENCE_MS,
  type QueueBackend,
} from '@takt/events/internal';

export interface Foundation {
  /** Checks the database (watchDatabase). */
  readonly checkDatabase: () => ReadinessCheck;
  readonly backend: Pick<QueueBackend, 'clockState'> & {
    readonly view: Pick<QueueBackend['view'], 'countStuckJobs'>;
  };
  readonly queueUrl: string;
  readonly allowVolatileQueue: boolean;
  /** Returns sentences about consumers of this worker that make no progress. */
  readonly findSilence: () => readonly string[];
}

/** Maximum time to wait for the database. It is below the 10 s within which the worker must answer. */
const DEADLINE_MS = 8_000;
/** Maximum time of each step when the queue is checked. */
const ANSWER_DEADLINE_MS = 3_000;

export async function findProblems(foundation: Foundation): Promise<readonly string[]> {
  const { checkDatabase, backend } = foundation;
  const clock = backend.clockState();
  const found = await checkReadiness(
    [
      checkDatabase(),
      queueCheck(findVolatility(foundation)),
      ...QUEUE_NAMES.map((queue) => queueCheck(findStuckJobs(backend, queue), queue)),
    ],
    { deadlineMs: DEADLINE_MS, givesReasons: true },
  );
  return [...(clock?.agrees === false ? [describeClock(clock)] : []), ...foundation.findSilence(), ...found];
}

/** Describes the difference of the clocks, for the log and for supervisors. */
export function describeClock({ aheadMs, agrees }: ClockState): string {
  const seconds = (Math.abs(aheadMs) / 1_000).toFixed(1);
  if (agrees) return `the clocks of this machine and of the queue agree to within ${seconds} s`;
  return (
    `the clock of this machine is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the queue's, so no jobs are ` +
    `claimed until they agree to within ${MAX_CLOCK_DIFFERENCE_MS / 1_000} s: let both follow a time server`
  );
}

/**
 * Finds settings of the queue that may lose jobs. The clocks are left out, because they are checked and reported above.
 */
async function findVolatility(foundation: Foundation): Promise<readonly string[]> {
  const problems = await checkQueueDurability(foundation.queueUrl, { deadlineMs: ANSWER_DEADLINE_MS });
  const lasting = problems.filter(({ setting }) => setting !== 'clock' && !foundation.allowVolatileQueue);
  return lasting.map(({ message }) => message);
}

async function findStuckJobs(
  { view: { countStuckJobs } }: Foundation['backend'],
  queue: QueueName,
): Promise<readonly string[]> {
  const { jobs, longestMs } = await countStuckJobs(queue);
  const seconds = Math.round(longestMs / 1_000);
  return jobs === 0
    ? []
    : [`queue: ${jobs} jobs of ${queue} are claimed without progress, the first for ${seconds} s`];
}
