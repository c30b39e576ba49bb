import {
  assertSchemaCompatibility,
  isPgPool,
  type PgPool,
  PostgresConnection,
  PostgresQueueBackend,
  runMigrations,
} from 'bullmq';
import type { Pool, PoolClient } from 'pg';
import { MAX_CLOCK_DIFFERENCE_MS } from './clock-watch.js';
import { persistOutcomes } from './persist-outcomes.js';
import { closePool, createPool, QUEUE_SCHEMA } from './postgres-pool.js';
import { repairTimes, viewPostgres } from './postgres-view.js';
import { QUEUE_NAMES } from './queue-names.js';
import type { PostgresAddress } from './queue-url.js';
import type { QueueStore, QueueStoreSettings } from './store.js';
import { withDeadline } from './with-deadline.js';

/**
 * The longest time for which a client claims a job. Other clients than this process claim jobs for BullMQ's default of
 * 30 s.
 */
const LONGEST_CLAIM_MS = 60_000;

/**
 * Opens the queues in the schema `bullmq` of a PostgreSQL database. Rejects if the database does not answer or its
 * schema has not been migrated.
 */
export async function openPostgresStore(
  address: PostgresAddress,
  settings: QueueStoreSettings,
): Promise<QueueStore> {
  const pools: (Pool & PgPool)[] = [];
  const openPool = (maxConnections: number) => {
    const pool = createPool(address, {
      ...settings,
      maxConnections,
    });
    // The types that BullMQ and node-postgres declare for a pool are incompatible.
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
  return {
    view: viewPostgres(shared),
    pools: () => pools,
    repairTimes: (queue, claimMs) =>
      repairTimes(shared, queue, {
        claimMs,
        longestClaimMs: Math.max(LONGEST_CLAIM_MS, 2 * claimMs),
        maxDifferenceMs: MAX_CLOCK_DIFFERENCE_MS,
      }),
    createBackend: (name, options, roles) => {
      // A worker permanently uses one connection for LISTEN. So each worker gets a pool of its own, and LISTEN can
      // never take the last connection of the shared pool.
      const isWorker = roles?.withBlockingConnection === true;
      const pool = isWorker ? openPool(settings.maxPostgresConnections + 1) : shared;
      const connection = new CheckedConnection(pool);
      // BullMQ counts the workers of a queue by the names of their connections.
      const backend = new PostgresQueueBackend(
        connection,
        name,
        { ...options, connection: pool },
        true,
        isWorker ? name : undefined,
      );
      return persistOutcomes(backend, closed.signal);
    },
    close,
  };
}

/**
 * A connection whose schema has been checked. BullMQ checks it at the first call; if that call fails, every later call fails
 * with the same error for ever (seen with 6.7.0: a queue that was opened during an outage stayed unusable).
 */
class CheckedConnection extends PostgresConnection {
  override async waitUntilReady(): Promise<void> {
    setTimeout(() => this.emit('ready'), 0);
  }
}

const CONNECT_DEADLINE_MS = 10_000;
const MIGRATE_DEADLINE_MS = 60_000;
const CLOSE_DEADLINE_MS = 5_000;

/** Creates or upgrades BullMQ's tables. Concurrent calls wait for each other. */
export async function migratePostgresStore(address: PostgresAddress): Promise<void> {
  const pool = createPool(address, {
    maxConnections: 1,
    connectDeadlineMs: CONNECT_DEADLINE_MS,
    // The error can be ignored here, because a lost connection also rejects the running statement.
    onError: () => undefined,
  });
  try {
    const client = await pool.connect();
    try {
      // In a Citus cluster the tables of the queues stay on the coordinator. Servers without Citus ignore the setting.
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

/**
 * Key of the advisory lock of Takt's migrations ("takt" in ASCII). Granting rights takes the same lock, because the
 * migrations change rights in the same database and PostgreSQL refuses concurrent changes of the same rights.
 */
const MIGRATION_LOCK = 0x74616b74;

/**
 * Grants rights on the queues to the roles of the apps. A separate server for the queues may have none of these roles,
 * so missing roles are skipped. Worker and dashboard may do everything that BullMQ does with jobs. The intake may only
 * add and count jobs. All three may create temporary tables, because BullMQ adds jobs through a temporary table (worker
 * and dashboard add jobs for rejected events). BullMQ creates a sequence of job ids at the first use of a queue, which
 * only an owner of the schema may do. So this function creates the sequences. Their values do not matter, because
 * publishers choose the ids of their jobs. The function is safe to run several times at once.
 */
async function grantQueueRights(client: PoolClient, schema: string): Promise<void> {
  await client.query('BEGIN');
  await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  for (const queue of QUEUE_NAMES) await client.query(`SELECT ${schema}.next_job_id($1)`, [queue]);
  await client.query(`REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA ${schema} FROM PUBLIC`);
  for (const [role, rights] of Object.entries(rightsIn(schema))) {
    const { rows } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
    if (rows.length === 0) continue;
    // The rights are revoked first, because an earlier version may have granted more rights.
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
  // BullMQ's functions run with the rights of their caller. A producer can see that jobs exist, but not the content of
  // the jobs. It cannot write to `meta`, because an entry there can pause a queue. It may delete from `event`, BullMQ's
  // event stream, because adding a job also trims that stream.
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
