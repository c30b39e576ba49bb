import {
  assertSchemaCompatibility,
  createPostgresBackend,
  isPgPool,
  type PgPool,
  runMigrations,
} from 'bullmq';
import { Client, type Pool, type PoolClient } from 'pg';
import { boundPostgresRead } from './bounded-reads.js';
import { MAX_CLOCK_DIFFERENCE_MS } from './clock-watch.js';
import { persistOutcomes, returnLostClaims } from './persist-outcomes.js';
import { closePool, createPool, QUEUE_SCHEMA } from './postgres-pool.js';
import { repairTimes, viewPostgres } from './postgres-view.js';
import { QUEUE_NAMES } from './queue-names.js';
import type { PostgresAddress } from './queue-url.js';
import type { QueueStore, QueueStoreSettings } from './store.js';
import { withDeadline } from './with-deadline.js';

/** Clients that are not ours claim for 30 s, as BullMQ does by default. */
const LONGEST_CLAIM_MS = 60_000;

/** Queues in the schema `bullmq` of a PostgreSQL. Rejects when it does not answer or has not been migrated. */
export async function openPostgresStore(
  address: PostgresAddress,
  settings: QueueStoreSettings,
): Promise<QueueStore> {
  const pools: (Pool & PgPool)[] = [];
  const openPool = (maxConnections: number) => {
    const pool = createPool(address, {
      ...settings,
      maxConnections,
      ...(settings.readsJobs && { Client: BoundedClient }),
    });
    // Their declared types do not meet.
    if (!isPgPool(pool)) {
      throw new TypeError('this version of BullMQ does not take a pool of node-postgres');
    }
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
      const lost = returnLostClaims(backend, { findClaims, closed: closed.signal });
      return persistOutcomes(lost.backend, closed.signal);
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
      // In a Citus cluster the queues stay at the coordinator; elsewhere nobody reads this.
      await client.query('SET citus.enable_ddl_propagation = off');
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

/** A client of node-postgres that reads no job that is too large. */
class BoundedClient extends Client {
  override query<Result>(...call: never[]): Result {
    const [first, ...rest]: unknown[] = call;
    return Reflect.apply(super.query, this, [
      typeof first === 'string' ? boundPostgresRead(first) : first,
      ...rest,
    ]);
  }
}

/**
 * PostgreSQL refuses two changes of the same rights at once, so who migrates waits for others: this is the lock that
 * Takt's own migrations hold ("takt" in ASCII), which change rights of the same database.
 */
const MIGRATION_LOCK = 0x74616b74;

/**
 * Lets the apps use the queues of a PostgreSQL, those whose roles there are: on another server than Takt's tables there
 * may be none. Worker and dashboard do all that BullMQ does with jobs; the intake is a producer, which adds jobs, counts
 * them and nothing else. BullMQ adds through a temporary table (worker and dashboard too add jobs, for rejected events),
 * and makes a sequence of job ids for each queue at its first use, which only an owner of the schema may: it is made here,
 * and what comes of it does not matter, for publishers name their jobs. Safe when several start at once.
 */
async function grantQueueRights(client: PoolClient, schema: string): Promise<void> {
  await client.query('BEGIN');
  await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  for (const queue of QUEUE_NAMES) await client.query(`SELECT ${schema}.next_job_id($1)`, [queue]);
  await client.query(`REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA ${schema} FROM PUBLIC`);
  for (const [role, rights] of Object.entries(rightsIn(schema))) {
    const { rows } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
    if (rows.length === 0) continue;
    // Of a version before, the role may have more.
    for (const kind of ['TABLES', 'SEQUENCES', 'FUNCTIONS']) {
      await client.query(`REVOKE ALL ON ALL ${kind} IN SCHEMA ${schema} FROM ${role}`);
    }
    for (const right of rights) await client.query(`GRANT ${right} TO ${role}`);
  }
  const { rows } = await client.query<{ statement: string }>(
    `SELECT format('GRANT TEMPORARY ON DATABASE %I TO %I', current_database(), rolname) AS statement
     FROM pg_roles WHERE rolname IN ('takt_worker', 'takt_intake', 'takt_dashboard')`,
  );
  for (const { statement } of rows) await client.query(statement);
  await client.query('COMMIT');
}

function rightsIn(schema: string): Readonly<Record<string, readonly string[]>> {
  const toUse = [
    `USAGE ON SCHEMA ${schema}`,
    `SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema}`,
    `SELECT, USAGE, UPDATE ON ALL SEQUENCES IN SCHEMA ${schema}`,
    `EXECUTE ON ALL FUNCTIONS IN SCHEMA ${schema}`,
  ];
  // The functions run with the rights of their caller. Of jobs a producer sees that they are there, not what they hold;
  // of `meta`, where a queue is paused, it writes nothing. `event` is BullMQ's stream of what happened, which who adds trims.
  const toProduce = [
    `USAGE ON SCHEMA ${schema}`,
    `SELECT ON ${schema}.migration, ${schema}.meta`,
    `SELECT (queue, id, seq, name, state, priority, process_at_ms), INSERT ON ${schema}.job`,
    `SELECT, INSERT, DELETE ON ${schema}.event`,
    `USAGE ON ALL SEQUENCES IN SCHEMA ${schema}`,
    `EXECUTE ON ALL FUNCTIONS IN SCHEMA ${schema}`,
  ];
  return { takt_worker: toUse, takt_intake: toProduce, takt_dashboard: toUse };
}
