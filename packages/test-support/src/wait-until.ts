import { setTimeout as delay } from 'node:timers/promises';

/** Shorter than the timeout of a test, so that the error names the missed condition. */
const DEADLINE_MS = 100_000;
const POLL_MS = 20;

/** Resolves once `condition` is true, checked every `pollMs`; rejects with `what` after the deadline. */
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
