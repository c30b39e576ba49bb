import { type Client, Pool, TypeOverrides, types } from 'pg';
import { MAX_CLOCK_DIFFERENCE_MS } from './clock-watch.js';
import type { PostgresAddress } from './queue-url.js';
import type { QueueDurabilityProblem } from './store.js';
import { withDeadline } from './with-deadline.js';

export const QUEUE_SCHEMA = 'bullmq';

const KEEP_ALIVE_MS = 10_000;
// Maximum time of a statement. No statement of BullMQ takes long, and on a dead link the client must not wait for ever.
const STATEMENT_TIMEOUT_MS = 55_000;
const QUERY_TIMEOUT_MS = 60_000;

const SAMPLES = 3;

/** Checks that the clock of PostgreSQL agrees with the clock of this machine, which BullMQ uses for timestamps. */
export async function checkPostgresClock(
  address: PostgresAddress,
  deadlineMs: number,
  now: () => number,
): Promise<QueueDurabilityProblem[]> {
  // The error can be ignored here, because an error of the connection also rejects the running query.
  const onError = () => undefined;
  const pool = createPool(address, { maxConnections: 1, connectDeadlineMs: deadlineMs, onError });
  try {
    const aheadMs = await withDeadline('asking PostgreSQL for the time', deadlineMs, measure(pool, now));
    return Math.abs(aheadMs) <= MAX_CLOCK_DIFFERENCE_MS ? [] : [toProblem(aheadMs)];
  } finally {
    await closePool(pool, deadlineMs);
  }
}

/**
 * Returns the milliseconds by which the server's clock is ahead. Of several measurements, the one with the shortest
 * round trip counts.
 */
async function measure(pool: Pool, now: () => number): Promise<number> {
  const samples: { roundTripMs: number; aheadMs: number }[] = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    const sentAt = now();
    const { rows } = await pool.query<{ server_ms: string }>(
      'SELECT extract(epoch FROM clock_timestamp()) * 1000 AS server_ms',
    );
    const receivedAt = now();
    const aheadMs = Number(rows[0]?.server_ms) - (sentAt + receivedAt) / 2;
    samples.push({ roundTripMs: receivedAt - sentAt, aheadMs });
  }
  samples.sort((one, other) => one.roundTripMs - other.roundTripMs);
  return samples[0]?.aheadMs ?? Number.NaN;
}

function toProblem(aheadMs: number): QueueDurabilityProblem {
  const seconds = (Math.abs(aheadMs) / 1_000).toFixed(1);
  const got = `${seconds} s ${aheadMs > 0 ? 'behind' : 'ahead of'} PostgreSQL`;
  const message =
    `the clock of this machine is ${got}, so jobs of a worker that died might never be taken up again; ` +
    `let both follow a time server (at most ${MAX_CLOCK_DIFFERENCE_MS / 1_000} s apart)`;
  return { setting: 'clock', got, message };
}

interface PoolSettings {
  readonly maxConnections: number;
  readonly connectDeadlineMs: number;
  readonly onError: (error: Error) => void;
  /** Class of the clients in the pool. By default it is the class of `pg`. */
  readonly Client?: new () => Client;
}

/** Creates a pool whose search path is BullMQ's schema. The pool connects at its first use. */
export function createPool(address: PostgresAddress, settings: PoolSettings): Pool {
  const queueTypes = new TypeOverrides();
  queueTypes.setTypeParser(types.builtins.JSONB, parseJsonb);
  const pool = new Pool({
    ...(settings.Client && { Client: settings.Client }),
    types: queueTypes,
    connectionString: address.connectionString,
    options: `${address.options} -c search_path=${QUEUE_SCHEMA}`.trim(),
    max: settings.maxConnections,
    connectionTimeoutMillis: settings.connectDeadlineMs,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    // Without keep-alive, a worker that waits in LISTEN would not notice a dead link for an hour.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  });
  pool.on('error', settings.onError);
  // A call that uses the client gets the error as well. But without this listener the error would end the process.
  pool.on('connect', (client) => client.on('error', settings.onError));
  return pool;
}

/** Ends the pool once all its clients are returned, or rejects at the deadline. */
export async function closePool(pool: Pool, deadlineMs: number): Promise<void> {
  await withDeadline('closing the connections to PostgreSQL', deadlineMs, pool.end());
}

/**
 * Matches the digits of numbers that are too large for a double. The smallest such number has 309 digits, and
 * PostgreSQL writes all digits.
 */
const TOO_LARGE = /[0-9]{309}/;

/**
 * Parses a jsonb value. JSON.parse turns a number such as 1e400 into Infinity, which BullMQ would write as null, and
 * null is valid in some fields of an event. So Infinity is replaced by its name inside an array, because no field of an
 * event accepts an array.
 */
export function parseJsonb(text: string): unknown {
  return TOO_LARGE.test(text) ? JSON.parse(text, nameInfinity) : JSON.parse(text);
}

function nameInfinity(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? [String(value)] : value;
}
