import { withDeadline } from '@takt/runtime';
import type { Consumer } from './consume-queue.js';

const CHECK_EVERY_MS = 15_000;
const ANSWER_DEADLINE_MS = 5_000;
/** No claim for so long, although jobs wait and nothing is held: the connection is dead without having said so. */
const SILENCE_MS = 60_000;

/**
 * Calls `onSilence` where a consumer has stopped taking jobs for no reason of its own, so that the process can end
 * and be started anew. Gives the function that ends the watch.
 */
export function watchForSilence(
  consumers: readonly Consumer[],
  onSilence: (error: Error) => void,
): () => void {
  const timers = consumers.map((consumer) => {
    const check = createSilenceCheck(consumer, { onSilence, now: () => performance.now() });
    return setInterval(() => void check(), CHECK_EVERY_MS);
  });
  return () => {
    for (const timer of timers) clearInterval(timer);
  };
}

export interface SilenceCheckOptions {
  readonly onSilence: (error: Error) => void;
  /** The clock that the consumer's last claim was stamped with, in ms. */
  readonly now: () => number;
}

/** Gives a function that looks at a consumer once; it is to be called again and again. */
export function createSilenceCheck(
  consumer: Consumer,
  { onSilence, now }: SilenceCheckOptions,
): () => Promise<void> {
  // Counted from the first look that finds jobs left lying, not from the last claim: after a long outage there was
  // no claim for long, and the consumer is about to resume.
  let silentSince: number | undefined;
  return async () => {
    const claimBefore = consumer.lastClaimAtMs();
    const leavesJobs = await leavesJobsLying(consumer);
    if (!leavesJobs || consumer.lastClaimAtMs() !== claimBefore) {
      silentSince = undefined;
      return;
    }
    silentSince = Math.max(silentSince ?? now(), claimBefore);
    if (now() - silentSince >= SILENCE_MS) {
      onSilence(
        new Error(`jobs wait in ${consumer.queue.name}, none was claimed for ${SILENCE_MS / 1000} s`),
      );
    }
  };
}

async function leavesJobsLying({ queue, heldJobs, mayClaim }: Consumer): Promise<boolean> {
  if (heldJobs() > 0 || !mayClaim()) return false;
  try {
    const looking = Promise.all([queue.isPaused(), queue.getWaitingCount()]).then(
      ([isPaused, waiting]) => !isPaused && waiting > 0,
    );
    return await withDeadline(looking, ANSWER_DEADLINE_MS, () => false);
  } catch {
    // The queue is away, and the client's own reconnecting deals with that.
    return false;
  }
}
