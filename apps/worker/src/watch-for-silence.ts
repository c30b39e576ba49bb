import { withDeadline } from '@takt/run';
import type { Consumer } from './consume-queue.js';

const CHECK_EVERY_MS = 15_000;
const ANSWER_DEADLINE_MS = 5_000;
/** If a consumer makes no progress for this time, the worker is not ready. */
const QUIET_MS = 30_000;
/**
 * If a consumer makes no progress for this time, the worker ends, because a connection is dead or a call never returns.
 */
const SILENCE_MS = 60_000;

export interface SilenceWatch {
  /** Returns a sentence for each consumer that makes no progress. */
  findProblems(): readonly string[];
  close(): void;
}

/**
 * Calls `onSilence` if a consumer makes no progress without a visible reason, so that the process can be restarted. A
 * restart helps if jobs wait and none is claimed, or if nothing happens to claimed jobs. It does not help against
 * errors: while the database refuses batches, or the queue accepts nothing, each attempt ends with an error, and the
 * worker retries.
 */
export function watchForSilence(
  consumers: readonly Consumer[],
  onSilence: (error: Error) => void,
): SilenceWatch {
  const problems = new Map<Consumer, string>();
  const timers = consumers.map((consumer) => {
    const check = createSilenceCheck(consumer, { onSilence, now: () => performance.now() });
    const look = async () => {
      const problem = await check();
      problems.delete(consumer);
      if (problem !== undefined) problems.set(consumer, problem);
    };
    return setInterval(() => void look(), CHECK_EVERY_MS);
  });
  return {
    findProblems: () => [...problems.values()],
    close: () => {
      for (const timer of timers) clearInterval(timer);
    },
  };
}

interface SilenceCheckOptions {
  readonly onSilence: (error: Error) => void;
  /** The clock by which the consumer measures its progress, in ms. */
  readonly now: () => number;
}

/**
 * Returns a function that checks a consumer and must be called periodically. The function returns a sentence if there
 * was no progress for 30 s or more.
 */
export function createSilenceCheck(
  consumer: Consumer,
  { onSilence, now }: SilenceCheckOptions,
): () => Promise<string | undefined> {
  // The silence is counted from the first check that finds idle jobs, not from the last progress. After a long outage,
  // a healthy consumer may be just about to resume.
  let silentSince: number | undefined;
  return async () => {
    const progressBefore = consumer.lastProgressAtMs();
    const left = await findLeft(consumer);
    if (left === undefined || consumer.lastProgressAtMs() !== progressBefore) {
      silentSince = undefined;
      return undefined;
    }
    silentSince = Math.max(silentSince ?? now(), progressBefore);
    const silentMs = now() - silentSince;
    if (silentMs < QUIET_MS) return undefined;
    const problem = `${left} for ${Math.floor(silentMs / 1_000)} s`;
    if (silentMs >= SILENCE_MS) onSilence(new Error(problem));
    return problem;
  };
}

/**
 * Describes the work that the consumer could do now. Returns undefined if there is no such work or the queue does not
 * answer.
 */
async function findLeft({ queue, heldJobs, mayClaim }: Consumer): Promise<string | undefined> {
  const held = heldJobs();
  if (held === 0 && !mayClaim()) return undefined;
  try {
    const looking = Promise.all([queue.isPaused(), queue.getWaitingCount()]).then(([isPaused, waiting]) => {
      if (held > 0) return `${held} jobs of ${queue.name} are claimed, and nothing has happened to them`;
      return !isPaused && waiting > 0 ? `jobs wait in ${queue.name}, none was claimed` : undefined;
    });
    return await withDeadline<string | undefined>(looking, ANSWER_DEADLINE_MS, () => undefined);
  } catch {
    // The queue is down. The client reconnects by itself, so there is nothing to report.
    return undefined;
  }
}
