import type pg from 'pg';

/** A rejected event, as an operator sees it. */
export interface ListedEvent {
  readonly id: string;
  readonly queue: string;
  /** The event, or its text if it is not JSON. */
  readonly data: unknown;
  readonly reason: string;
}

export async function readListed(pool: pg.Pool): Promise<readonly ListedEvent[]> {
  const { rows } = await pool.query<ListedEvent & { readonly data: string }>(
    "SELECT rejection_id AS id, queue, data, reason FROM takt.rejections WHERE state = 'open' ORDER BY rejection_id",
  );
  return rows.map((row) => ({ ...row, data: parseOrKeep(row.data) }));
}

function parseOrKeep(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * Maximum depth at which values are compared. It exceeds the depth of every sample, except the samples that test depth.
 */
const COMPARED_DEPTH = 50;
const BEYOND_JSON = 'beyond what JSON.stringify writes';

/**
 * Returns a text that is the same for a value and for its row. PostgreSQL does not keep the order
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
