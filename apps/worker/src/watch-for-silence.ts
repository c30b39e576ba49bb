import type { Consumer } from './consume-queue.js';

const CHECK_EVERY_MS = 15_000;
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
  const timer = setInterval(() => {
    for (const consumer of consumers) void check(consumer, onSilence);
  }, CHECK_EVERY_MS);
  return () => clearInterval(timer);
}

async function check({ queue, heldJobs, lastClaimAt }: Consumer, onSilence: (error: Error) => void) {
  if (heldJobs() > 0 || Date.now() - lastClaimAt() < SILENCE_MS) return;
  try {
    if ((await queue.isPaused()) || (await queue.getWaitingCount()) === 0) return;
  } catch {
    // The queue cannot be asked: it is away, and the client's own reconnecting deals with that.
    return;
  }
  if (Date.now() - lastClaimAt() >= SILENCE_MS) {
    onSilence(new Error(`jobs wait in ${queue.name}, none was claimed for ${SILENCE_MS / 1000} s`));
  }
}
