import { setTimeout as delay } from 'node:timers/promises';

/**
 * Maximum time to wait. It is shorter than the timeout of a test, so that the error names the condition that was not
 * met.
 */
const DEADLINE_MS = 100_000;
const POLL_MS = 20;

/**
 * Resolves once `condition` is true, which is checked every `pollMs`. Rejects after the deadline with an error that
 * names `what`.
 */
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
