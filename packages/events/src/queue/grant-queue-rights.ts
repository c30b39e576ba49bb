import type { PoolClient } from 'pg';
import { QUEUE_NAMES } from './queue-names.js';

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
export async function grantQueueRights(client: PoolClient, schema: string): Promise<void> {
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
