import { setTimeout as delay } from 'node:timers/promises';

/** Resolves once the condition holds; fails the test when it does not within the deadline. */
export async function waitUntil(
  what: string,
  condition: () => boolean | Promise<boolean>,
  deadlineMs = 15_000,
): Promise<void> {
  const endsAt = performance.now() + deadlineMs;
  while (!(await condition())) {
    if (performance.now() > endsAt) {
      throw new Error(`${what}: not within ${deadlineMs} ms`);
    }
    await delay(20);
  }
}
