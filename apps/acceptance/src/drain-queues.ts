import { setTimeout as delay } from 'node:timers/promises';
import type { EventQueue } from '@takt/events';

const POLL_MS = 50;

/** Resolves once no job waits or is under way in any of the queues; rejects with what is left at the deadline. */
export async function drainQueues(queues: readonly EventQueue[], deadlineMs: number): Promise<void> {
  const endsAt = Date.now() + deadlineMs;
  for (;;) {
    const counts = await Promise.all(queues.map(countOpenJobs));
    if (counts.every((count) => count === 0)) return;
    if (Date.now() > endsAt) {
      const left = queues.map(({ name }, index) => `${counts[index]} in ${name}`).join(', ');
      throw new Error(`not drained within ${deadlineMs} ms: ${left}`);
    }
    await delay(POLL_MS);
  }
}

async function countOpenJobs(queue: EventQueue): Promise<number> {
  const counts = await queue.getJobCounts('waiting', 'active', 'prioritized', 'delayed');
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
