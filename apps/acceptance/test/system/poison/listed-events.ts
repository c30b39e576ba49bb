import type { EventQueue } from '@takt/events/internal';

/** A job of the failed set, as an operator sees it. */
export interface ListedEvent {
  readonly queue: string;
  readonly jobId: string;
  readonly data: unknown;
  readonly reason: string;
}

export async function readListed(queues: readonly EventQueue[]): Promise<readonly ListedEvent[]> {
  const listed = await Promise.all(queues.map(readFailed));
  return listed.flat();
}

async function readFailed(queue: EventQueue): Promise<readonly ListedEvent[]> {
  const jobs = await queue.getFailed();
  return jobs.map((job) => ({
    queue: queue.name,
    jobId: job.id ?? '',
    data: job.data,
    reason: job.failedReason ?? '',
  }));
}

/**
 * Maximum depth at which values are compared. It exceeds the depth of every sample, except the samples that test depth.
 */
const COMPARED_DEPTH = 50;
const BEYOND_JSON = 'beyond what JSON.stringify writes';

/**
 * Returns a text that is the same for a value and for its entry in the failed set. PostgreSQL does not keep the order
 * of keys. It may store a number such as 1e400 as an array that contains only the name of the number.
 */
export function comparable(value: unknown): string {
  return JSON.stringify(toComparable(value, 0));
}

function toComparable(value: unknown, depth: number): unknown {
  if (isInfinityOrItsName(value) || depth > COMPARED_DEPTH) return BEYOND_JSON;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const isStandIn = value.length === 1 && isInfinityOrItsName(value[0]);
    return isStandIn ? BEYOND_JSON : value.map((item) => toComparable(item, depth + 1));
  }
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, item]) => [key, toComparable(item, depth + 1)]);
}

function isInfinityOrItsName(value: unknown): boolean {
  return [Infinity, -Infinity, 'Infinity', '-Infinity'].some((name) => name === value);
}
