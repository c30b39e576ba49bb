import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 25;

/** Ways to end a server, from orderly to forcible, and how long each may take. */
const STEPS = [
  // Disconnects all clients and writes a checkpoint.
  { signal: 'SIGINT', deadlineMs: 10_000 },
  // Ends without a checkpoint; the next start recovers from the log.
  { signal: 'SIGQUIT', deadlineMs: 5_000 },
  { signal: 'SIGKILL', deadlineMs: 5_000 },
] as const;

/** Ends a PostgreSQL server, at most within 20 s. */
export async function endPostmaster(pid: number, isGone: () => boolean | Promise<boolean>): Promise<void> {
  for (const { signal, deadlineMs } of STEPS) {
    if (await isGone()) return;
    try {
      process.kill(pid, signal);
    } catch {
      // It went in between; the next look says so.
    }
    const end = performance.now() + deadlineMs;
    while (performance.now() < end && !(await isGone())) await sleep(POLL_MS);
  }
}
