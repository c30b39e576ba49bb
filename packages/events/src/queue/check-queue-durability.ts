import { checkPostgresClock } from './postgres-clock.js';
import { parseQueueUrl } from './queue-url.js';
import { checkRedisDurability } from './redis-durability.js';

/** A setting of the queue's store with which acknowledged jobs can get lost or stuck. */
export interface QueueDurabilityProblem {
  readonly setting: 'appendonly' | 'maxmemory-policy' | 'clock';
  readonly got: string;
  /** What is wrong, why it matters and what to set. */
  readonly message: string;
}

export interface QueueDurabilityOptions {
  /** How long each step may wait for the store. Default 10,000. */
  readonly deadlineMs?: number;
  /** Clock of this process, in milliseconds since 1970. Default `Date.now`. */
  readonly now?: () => number;
}

const DEFAULT_DEADLINE_MS = 10_000;

/**
 * Looks whether the store keeps what it has acknowledged: on Redis (every master of a Cluster) that the
 * append-only file is on and nothing is evicted, on PostgreSQL that its clock and ours agree. Gives what is
 * wrong, nothing if all is well. Rejects with a QueueUrlError or when the store does not answer.
 */
export async function checkQueueDurability(
  queueUrl: string,
  { deadlineMs = DEFAULT_DEADLINE_MS, now = Date.now }: QueueDurabilityOptions = {},
): Promise<readonly QueueDurabilityProblem[]> {
  const address = parseQueueUrl(queueUrl);
  return address.store === 'redis'
    ? checkRedisDurability(address, deadlineMs)
    : checkPostgresClock(address, deadlineMs, now);
}
