import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 20;

/** Resolves once `condition` holds, asked every `pollMs`; rejects naming `what` when it does not by the deadline. */
export async function waitUntil(
  what: string,
  deadlineMs: number,
  condition: () => boolean | Promise<boolean>,
  pollMs = POLL_MS,
): Promise<void> {
  const endsAt = performance.now() + deadlineMs;
  while (!(await condition())) {
    if (performance.now() > endsAt) throw new Error(`not within ${deadlineMs} ms: ${what}`);
    await delay(pollMs);
  }
}
