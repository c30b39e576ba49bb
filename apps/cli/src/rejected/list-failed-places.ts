import type { EventQueue } from '@takt/events';
import { askQueue } from '../queues/ask-queue.js';
import type { JobPlace } from '../queues/read-job.js';

export interface ListOptions {
  /** The newest first; otherwise the oldest. */
  readonly newestFirst?: boolean;
  /** No more than so many. */
  readonly limit?: number;
}

/** What one page reads at once may be megabytes for each job. */
const JOBS_PER_PAGE = 100;

/**
 * What stands in a queue's failed set, page by page. What fails in the meantime comes at the end, or with
 * `newestFirst` not at all; nothing comes twice.
 */
export async function* listFailedPlaces(
  queue: EventQueue,
  { newestFirst = false, limit = Number.POSITIVE_INFINITY }: ListOptions = {},
): AsyncGenerator<readonly JobPlace[]> {
  const listed = new Set<string>();
  for (let start = 0; listed.size < limit; start += JOBS_PER_PAGE) {
    const asked = queue.getRanges(['failed'], start, start + JOBS_PER_PAGE - 1, !newestFirst);
    const page = await askQueue(queue, 'listing the rejected events', asked);
    // New ones at the front push others on to the next page.
    const fresh = page.filter((jobId) => !listed.has(jobId)).slice(0, limit - listed.size);
    for (const jobId of fresh) listed.add(jobId);
    if (fresh.length > 0) yield fresh.map((jobId) => ({ queue, jobId }));
    if (page.length < JOBS_PER_PAGE) return;
  }
}
