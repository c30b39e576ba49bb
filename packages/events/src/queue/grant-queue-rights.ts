import type { PoolClient } from 'pg';
import { QUEUE_NAMES } from './queue-names.js';

/**
 * PostgreSQL refuses two changes of the same rights at once, so who migrates waits for others: this is the lock that
 * Takt's own migrations hold ("takt" in ASCII), which change rights of the same database.
 */
const MIGRATION_LOCK = 0x74616b74;

/**
 * Lets the apps use the queues of a PostgreSQL, those whose roles there are: on another server than Takt's tables there
 * may be none. Worker, intake and dashboard do all that BullMQ does with jobs. BullMQ adds through a temporary table (worker
 * and dashboard too add jobs, for rejected events), and makes a sequence of job ids for each queue at its first use,
 * which only an owner of the schema may: it is made here, and what comes of it does not matter, for publishers name their
 * jobs. Safe when several start at once.
 */
export async function grantQueueRights(client: PoolClient, schema: string): Promise<void> {
  await client.query('BEGIN');
  await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  for (const queue of QUEUE_NAMES) await client.query(`SELECT ${schema}.next_job_id($1)`, [queue]);
  await client.query(`REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA ${schema} FROM PUBLIC`);
  for (const [role, statements] of Object.entries(grantsIn(schema))) {
    const { rows } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
    if (rows.length === 0) continue;
    for (const statement of statements) await client.query(`${statement} TO ${role}`);
  }
  const { rows } = await client.query<{ statement: string }>(
    `SELECT format('GRANT TEMPORARY ON DATABASE %I TO %I', current_database(), rolname) AS statement
     FROM pg_roles WHERE rolname IN ('takt_worker', 'takt_intake', 'takt_dashboard')`,
  );
  for (const { statement } of rows) await client.query(statement);
  await client.query('COMMIT');
}

function grantsIn(schema: string): Readonly<Record<string, readonly string[]>> {
  const toUse = [
    `GRANT USAGE ON SCHEMA ${schema}`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema}`,
    `GRANT SELECT, USAGE, UPDATE ON ALL SEQUENCES IN SCHEMA ${schema}`,
    `GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${schema}`,
  ];
  return { takt_worker: toUse, takt_intake: toUse, takt_dashboard: toUse };
}
