import { withDeadline } from '@takt/run';
import type { Consumer } from './consume-queue.js';

const CHECK_EVERY_MS = 15_000;
const ANSWER_DEADLINE_MS = 5_000;
/** So long without progress is said to who asks whether the worker is ready. */
const QUIET_MS = 30_000;
/** And so long ends the worker: a connection is dead, or a call never comes back, without having said so. */
const SILENCE_MS = 60_000;

export interface SilenceWatch {
  /** What does not get on at this moment, each as a sentence. */
  findProblems(): readonly string[];
  close(): void;
}

/**
 * Calls `onSilence` where a consumer has stopped getting on for no reason of its own, so that the process can end and be
 * started anew. That helps where jobs wait and none is claimed, and where jobs are held and nothing at all happens to
 * them. It does not help against what is refused: while the database refuses batches, or the queue takes nothing, each
 * attempt ends and is told, and the worker goes on trying.
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
  /** The clock that the consumer's progress was stamped with, in ms. */
  readonly now: () => number;
}

/**
 * Gives a function that looks at a consumer once, and gives what does not get on for 30 s and more; it is to be called
 * again and again.
 */
export function createSilenceCheck(
  consumer: Consumer,
  { onSilence, now }: SilenceCheckOptions,
): () => Promise<string | undefined> {
  // Counted from the first look that finds jobs left lying, not from the last progress: after a long outage there was
  // none for long, and the consumer is about to resume.
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

/** What the consumer has to do, if it has and could: the queue answers. */
async function findLeft({ queue, heldJobs, mayClaim }: Consumer): Promise<string | undefined> {
  const held = heldJobs();
  if (held === 0 && !mayClaim()) return undefined;
  try {
    const looking = Promise.all([queue.isPaused(), queue.getWaitingCount()]).then(([isPaused, waiting]) => {
      if (held > 0) return `${held} jobs of ${queue.name} are held, and nothing happened to any`;
      return !isPaused && waiting > 0 ? `jobs wait in ${queue.name}, none was claimed` : undefined;
    });
    return await withDeadline<string | undefined>(looking, ANSWER_DEADLINE_MS, () => undefined);
  } catch {
    // The queue is away, and the client's own reconnecting deals with that.
    return undefined;
  }
}
