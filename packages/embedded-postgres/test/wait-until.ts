// A copy of the one in @takt/test-support, which stands on this package.
import { setTimeout as delay } from 'node:timers/promises';

/** Shorter than a test may take, so that what was waited for is told. */
const DEADLINE_MS = 100_000;
const POLL_MS = 20;

/** Resolves once `condition` holds, asked every `pollMs`; rejects naming `what` where it does not by the deadline. */
export async function waitUntil(
  what: string,
  condition: () => boolean | Promise<boolean>,
  deadlineMs = DEADLINE_MS,
  pollMs = POLL_MS,
): Promise<void> {
  const endsAt = performance.now() + deadlineMs;
  while (!(await condition())) {
    if (performance.now() > endsAt) throw new Error(`not within ${deadlineMs} ms: ${what}`);
    await delay(pollMs);
  }
}
