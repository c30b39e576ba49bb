// This function is a copy of the one in @takt/test-support, because @takt/test-support depends on this package.
import { setTimeout as delay } from 'node:timers/promises';

/** The deadline is shorter than the timeout of a test, so that the error says what the test waited for. */
const DEADLINE_MS = 100_000;
const POLL_MS = 20;

/** Checks `condition` every `pollMs` until it is true. After the deadline it rejects with `what`. */
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
