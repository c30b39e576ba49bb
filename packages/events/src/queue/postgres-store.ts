import {
  assertSchemaCompatibility,
  createPostgresBackend,
  isPgPool,
  type PgPool,
  runMigrations,
} from 'bullmq';
import { Pool, TypeOverrides, types } from 'pg';
import { boundPostgresRead } from './bounded-reads.js';
import { MAX_CLOCK_DIFFERENCE_MS } from './clock-watch.js';
import { grantQueueRights } from './grant-queue-rights.js';
import { persistOutcomes } from './persist-outcomes.js';
import { repairTimes, viewPostgres } from './postgres-view.js';
import type { PostgresAddress } from './queue-url.js';
import { returnLostClaims } from './return-lost-claims.js';
import type { QueueDurabilityProblem, QueueStore, QueueStoreSettings } from './store.js';
import { withDeadline } from './with-deadline.js';

/** Schema of BullMQ's tables. */
const QUEUE_SCHEMA = 'bullmq';

const KEEP_ALIVE_MS = 10_000;
// No statement of BullMQ takes long; on a link that died silently the client must not wait for ever.
const STATEMENT_TIMEOUT_MS = 55_000;
const QUERY_TIMEOUT_MS = 60_000;
/** Clients that are not ours claim for 30 s, as BullMQ does by default. */
const LONGEST_CLAIM_MS = 60_000;

/** Queues in the schema `bullmq` of a PostgreSQL. Rejects when it does not answer or has not been migrated. */
export async function openPostgresStore(
  address: PostgresAddress,
  settings: QueueStoreSettings,
): Promise<QueueStore> {
  const pools: QueuePool[] = [];
  const openPool = (maxConnections: number) => {
    const pool = createPool(address, { ...settings, maxConnections });
    pools.push(pool);
    return pool;
  };
  const closed = new AbortController();
  const close = async (deadlineMs: number) => {
    closed.abort();
    await Promise.all(pools.splice(0).map((pool) => closePool(pool, deadlineMs)));
  };
  const shared = openPool(settings.maxPostgresConnections);
  try {
    await assertSchemaCompatibility(shared, QUEUE_SCHEMA);
  } catch (error) {
    await close(settings.connectDeadlineMs);
    throw error;
  }
  const view = viewPostgres(shared);
  return {
    view,
    pools: () => pools,
    repairTimes: (queue, claimMs) =>
      repairTimes(shared, queue, {
        claimMs,
        longestClaimMs: Math.max(LONGEST_CLAIM_MS, 2 * claimMs),
        maxDifferenceMs: MAX_CLOCK_DIFFERENCE_MS,
      }),
    createBackend: (name, options, roles) => {
      // A worker holds one connection for LISTEN: with a pool of its own it can never take the last one.
      const isWorker = roles?.withBlockingConnection === true;
      const pool = isWorker ? openPool(settings.maxPostgresConnections + 1) : shared;
      const backend = createPostgresBackend(name, { ...options, connection: pool }, roles);
      const findClaims = (tokens: readonly string[]) => view.findClaims(name, tokens);
      returnLostClaims(backend, { findClaims, closed: closed.signal });
      return persistOutcomes(backend, closed.signal);
    },
    close,
  };
}

const CONNECT_DEADLINE_MS = 10_000;
const MIGRATE_DEADLINE_MS = 60_000;
const CLOSE_DEADLINE_MS = 5_000;

/** Creates or upgrades BullMQ's tables; one goes first where several start at once. */
export async function migratePostgresStore(address: PostgresAddress): Promise<void> {
  const pool = createPool(address, {
    maxConnections: 1,
    connectDeadlineMs: CONNECT_DEADLINE_MS,
    // A connection that is lost here also fails the statement that was running, which rejects.
    onError: () => undefined,
  });
  try {
    const client = await pool.connect();
    try {
      await withDeadline(
        'migrating the queue schema',
        MIGRATE_DEADLINE_MS,
        runMigrations(client, QUEUE_SCHEMA),
      );
      await grantQueueRights(client, QUEUE_SCHEMA);
    } finally {
      client.release(true);
    }
  } finally {
    await closePool(pool, CLOSE_DEADLINE_MS);
  }
}

const SAMPLES = 3;

/** Looks whether PostgreSQL's clock and ours agree: BullMQ stamps with ours there. */
export async function checkPostgresClock(
  address: PostgresAddress,
  deadlineMs: number,
  now: () => number,
): Promise<QueueDurabilityProblem[]> {
  // What goes wrong on the connection also rejects the query that is under way.
  const onError = () => undefined;
  const pool = createPool(address, { maxConnections: 1, connectDeadlineMs: deadlineMs, onError });
  try {
    const aheadMs = await withDeadline('asking PostgreSQL for the time', deadlineMs, measure(pool, now));
    return Math.abs(aheadMs) <= MAX_CLOCK_DIFFERENCE_MS ? [] : [toProblem(aheadMs)];
  } finally {
    await closePool(pool, deadlineMs);
  }
}

/** How far the server's clock is ahead of ours, in milliseconds: the sample with the shortest way counts. */
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
}

/** A pool of node-postgres that BullMQ takes as one of its connections; their declared types do not meet. */
type QueuePool = Pool & PgPool;

/** A pool whose sessions look into BullMQ's schema. It connects when it is first used. */
export function createPool(address: PostgresAddress, settings: PoolSettings): QueuePool {
  const queueTypes = new TypeOverrides();
  queueTypes.setTypeParser(types.builtins.JSONB, parseJsonb);
  const pool = new Pool({
    types: queueTypes,
    connectionString: address.connectionString,
    options: `${address.options} -c search_path=${QUEUE_SCHEMA}`.trim(),
    max: settings.maxConnections,
    connectionTimeoutMillis: settings.connectDeadlineMs,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    // A worker may sit in LISTEN for an hour; without this it would not notice that the link is gone.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  });
  pool.on('error', settings.onError);
  // A client that is checked out reports errors itself; without a listener they would end the process.
  pool.on('connect', (client) => client.on('error', settings.onError));
  const { query } = pool;
  const bounded = (first: unknown, ...rest: unknown[]): unknown =>
    Reflect.apply(query, pool, [typeof first === 'string' ? boundPostgresRead(first) : first, ...rest]);
  Object.defineProperty(pool, 'query', { value: bounded });
  if (!isPgPool(pool)) {
    throw new TypeError('this version of BullMQ does not take a pool of node-postgres');
  }
  return pool;
}

/** Ends the pool once its clients are back, or rejects at the deadline. */
async function closePool(pool: Pool, deadlineMs: number): Promise<void> {
  await withDeadline('closing the connections to PostgreSQL', deadlineMs, pool.end());
}

/** The least number that a double cannot hold has 309 digits, and PostgreSQL writes them all. */
const TOO_LARGE = /[0-9]{309}/;

/**
 * Reads a jsonb value. A number such as 1e400, which JSON.parse gives as Infinity and BullMQ would write on as null,
 * becomes its name as the only item of an array: null is valid in some fields of an event, an array in none.
 */
export function parseJsonb(text: string): unknown {
  return TOO_LARGE.test(text) ? JSON.parse(text, nameInfinity) : JSON.parse(text);
}

function nameInfinity(_key: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? [String(value)] : value;
}
