import { type Client, Pool, TypeOverrides, types } from 'pg';
import { MAX_CLOCK_DIFFERENCE_MS } from './clock-watch.js';
import type { PostgresAddress } from './queue-url.js';
import type { QueueDurabilityProblem } from './store.js';
import { withDeadline } from './with-deadline.js';

/** Schema of BullMQ's tables. */
export const QUEUE_SCHEMA = 'bullmq';

const KEEP_ALIVE_MS = 10_000;
// No statement of BullMQ takes long; on a dead link the client must not wait for ever.
const STATEMENT_TIMEOUT_MS = 55_000;
const QUERY_TIMEOUT_MS = 60_000;

const SAMPLES = 3;

/** Checks that PostgreSQL's clock agrees with this machine's, which BullMQ uses for timestamps. */
export async function checkPostgresClock(
  address: PostgresAddress,
  deadlineMs: number,
  now: () => number,
): Promise<QueueDurabilityProblem[]> {
  // An error of the connection also rejects the running query.
  const onError = () => undefined;
  const pool = createPool(address, { maxConnections: 1, connectDeadlineMs: deadlineMs, onError });
  try {
    const aheadMs = await withDeadline('asking PostgreSQL for the time', deadlineMs, measure(pool, now));
    return Math.abs(aheadMs) <= MAX_CLOCK_DIFFERENCE_MS ? [] : [toProblem(aheadMs)];
  } finally {
    await closePool(pool, deadlineMs);
  }
}

/** Milliseconds that the server's clock is ahead, from the sample with the shortest round trip. */
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
  /** Default: that of `pg`. */
  readonly Client?: new () => Client;
}

/** A pool with BullMQ's schema as search path. It connects at first use. */
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
    // Otherwise a worker in LISTEN would not notice a dead link for an hour.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  });
  pool.on('error', settings.onError);
  // Clients in use report errors themselves; without a listener these would end the process.
  pool.on('connect', (client) => client.on('error', settings.onError));
  return pool;
}

/** Ends the pool once its clients are returned, or rejects at the deadline. */
export async function closePool(pool: Pool, deadlineMs: number): Promise<void> {
  await withDeadline('closing the connections to PostgreSQL', deadlineMs, pool.end());
}

/** The smallest number too large for a double has 309 digits, and PostgreSQL writes them all. */
const TOO_LARGE = /[0-9]{309}/;

/**
 * Parses a jsonb value. A number such as 1e400, which JSON.parse turns into Infinity and BullMQ would write as null,
 * becomes its name inside an array: null is valid in some fields of an event, an array in none.
 */
export function parseJsonb(text: string): unknown {
  return TOO_LARGE.test(text) ? JSON.parse(text, nameInfinity) : JSON.parse(text);
}

function nameInfinity(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? [String(value)] : value;
}
