import { type AppName, appNames } from '@takt/database';
import { createTestDatabase } from '@takt/database/testing';
import { openPublisher } from '@takt/events';
import { migrateQueueSchema, openQueueBackend } from '@takt/events/internal';
import { completion, opened } from '@takt/test-support';
import { expect } from 'chai';
import pg from 'pg';

const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Statements that no app may run. The test sends them by the simple protocol, as psql does, because it accepts several
 * statements of any kind at once.
 */
const REFUSED_TO_ALL: readonly string[] = [
  ...['takt', 'takt_api', 'takt_worker', 'takt_intake', 'takt_dashboard', 'pg_read_all_data'].map(
    (role) => `SET ROLE ${role}`,
  ),
  'SET SESSION AUTHORIZATION takt',
  'RESET ROLE; RESET SESSION AUTHORIZATION; SELECT * FROM takt.access_tokens',
  'SET ROLE NONE; SELECT access_key FROM takt.companies',
  'SET row_security = off; SELECT * FROM takt.refresh_tokens',
  'INSERT INTO takt.user_companies VALUES (1, 9, 1)',
  'SELECT takt.disable_person(1)',
  "SELECT takt.note_audit('x', 'x', '{}')",
  'DELETE FROM takt.audit_log',
  "BEGIN; SET TRANSACTION READ WRITE; INSERT INTO takt.companies (code, name) VALUES ('X', 'X'); COMMIT",
  'SET default_transaction_read_only = off; UPDATE takt.access_tokens SET revoked_at = NULL',
  'BEGIN; DECLARE c CURSOR WITH HOLD FOR SELECT * FROM takt.access_tokens; COMMIT',
  'PREPARE p AS SELECT * FROM takt.access_tokens; EXECUTE p',
  "DO $$ BEGIN EXECUTE 'SELECT * FROM takt.access_tokens'; END $$",
  ...['access_tokens', 'users'].map((table) => `COPY takt.${table} TO STDOUT`),
  "COPY (SELECT 1) TO '/tmp/takt-copied'",
  "COPY (SELECT 1) TO PROGRAM 'cat'",
  ...[
    "pg_read_file('PG_VERSION')",
    "pg_ls_dir('.')",
    'lo_creat(-1)',
    "lo_from_bytea(0, 'x')",
    'lo_get(1)',
  ].map((call) => `SELECT ${call}`),
  ...["lo_import('/etc/passwd')", 'pg_terminate_backend(1)', "query_to_xml('SELECT 1', true, true, '')"].map(
    (call) => `SELECT ${call}`,
  ),
  'SELECT * FROM pg_authid',
  'CREATE TABLE takt.own ()',
  'CREATE TABLE public.own ()',
  'CREATE SCHEMA own',
  'CREATE FUNCTION public.own() RETURNS integer LANGUAGE sql RETURN 1',
  'CREATE ROLE own',
  'CREATE DATABASE own',
  'ALTER TABLE takt.products DISABLE ROW LEVEL SECURITY',
  'DROP POLICY of_session_company ON takt.products',
  'ALTER ROLE CURRENT_USER SUPERUSER',
  'GRANT takt_worker TO CURRENT_USER',
  "ALTER SYSTEM SET log_statement = 'all'",
];

const TEMPORARY = 'CREATE TEMPORARY TABLE own ()';
const READ_QUEUE = 'SELECT * FROM bullmq.job';
const WRITE_QUEUE = 'DELETE FROM bullmq.job';
/** Statements with which a producer could do harm: they read, take, change or block the jobs of others. */
const BEYOND_PRODUCING: readonly string[] = [
  READ_QUEUE,
  WRITE_QUEUE,
  'SELECT data FROM bullmq.job',
  "UPDATE bullmq.job SET state = 'completed'",
  'TRUNCATE bullmq.job',
  "INSERT INTO bullmq.meta (queue, field, value) VALUES ('work-order-operations', 'paused', '1')",
  "UPDATE bullmq.meta SET value = '1'",
  "SELECT setval('bullmq.job_seq', 1)",
  'SELECT * FROM bullmq.scheduler',
];
const CHANGE_QUEUE = 'DROP FUNCTION bullmq.next_job_id(text)';
const LOCK = 'SELECT pg_advisory_unlock_all()';
const LOCK_TABLE = 'BEGIN; LOCK TABLE takt.products IN ACCESS SHARE MODE; LOCK TABLE takt.products; COMMIT';
const LEDGER = 'SELECT * FROM takt.work_order_operations';
const CHANGE_LEDGER = 'UPDATE takt.work_order_operations SET revision = 2';

const ALSO_REFUSED: Readonly<Record<AppName, readonly string[]>> = {
  api: [TEMPORARY, READ_QUEUE, WRITE_QUEUE, CHANGE_QUEUE, LOCK, LOCK_TABLE, CHANGE_LEDGER],
  worker: [
    CHANGE_QUEUE,
    'SELECT data FROM takt.rejections',
    'DELETE FROM takt.rejections',
    'DELETE FROM takt.work_order_operations',
  ],
  intake: [
    ...BEYOND_PRODUCING,
    CHANGE_QUEUE,
    LOCK_TABLE,
    LEDGER,
    'SELECT * FROM takt.products',
    'SELECT * FROM takt.companies',
  ],
  dashboard: [
    CHANGE_QUEUE,
    LOCK_TABLE,
    CHANGE_LEDGER,
    'DELETE FROM takt.imports',
    'UPDATE takt.import_changes SET data = before',
    'UPDATE takt.imports SET imported_by = undone_by',
    'SELECT access_key FROM takt.companies',
    'SELECT password FROM takt.users',
    'SELECT secret IS NULL FROM takt.api_clients',
    'SELECT token_sha256 FROM takt.access_tokens',
    'INSERT INTO takt.rejections DEFAULT VALUES',
  ],
};

const ALLOWED: Readonly<Record<AppName, readonly string[]>> = {
  api: [
    'SELECT * FROM takt.products',
    'RESET ROLE',
    'SET ROLE NONE',
    'BEGIN; SET TRANSACTION READ WRITE; COMMIT',
  ],
  worker: [READ_QUEUE, WRITE_QUEUE, LOCK, LEDGER, TEMPORARY],
  intake: ['SELECT queue, state, priority FROM bullmq.job', 'DELETE FROM bullmq.event', LOCK, TEMPORARY],
  dashboard: [
    READ_QUEUE,
    WRITE_QUEUE,
    LOCK,
    TEMPORARY,
    'SELECT code FROM takt.companies',
    LEDGER,
    'SELECT * FROM takt.products',
    'DELETE FROM takt.rejections',
  ],
};

describe('the log-in', () => {
  const test = opened(createTestDatabase);

  before(async () => {
    await migrateQueueSchema(test.url);
  });

  for (const app of appNames) {
    it(`of the ${app} cannot do anything beyond the rights of its role`, async () => {
      for (const text of [...REFUSED_TO_ALL, ...ALSO_REFUSED[app]]) {
        const outcome = await attempt(test.appUrl(app), text);
        expect(outcome instanceof pg.DatabaseError ? outcome.code : 'allowed', text).to.equal(
          INSUFFICIENT_PRIVILEGE,
        );
      }
    });

    it(`of the ${app} can do all that the app needs`, async () => {
      for (const text of ALLOWED[app])
        expect(await attempt(test.appUrl(app), text), text).to.equal('allowed');
    });
  }

  it('of the intake can publish single events and batches, and can count jobs', async () => {
    const publisher = await openPublisher(test.appUrl('intake'));
    const events = Array.from({ length: 20 }, (_, index) => completion(index + 1));
    expect(await publisher.publish(events.slice(0, 1), { batchSize: 1 })).to.deep.equal({
      events: 1,
      jobs: 1,
    });
    for (let time = 0; time < 2; time++) {
      expect(await publisher.publish(events, { batchSize: 10 })).to.deep.equal({ events: 20, jobs: 2 });
    }
    await publisher.close();
    const backend = await openQueueBackend(test.appUrl('intake'), { onError: () => undefined });
    const queue = backend.openQueue('work-order-operations');
    // Other BullMQ clients add single jobs, for which they use other functions of the database than addBulk.
    for (let time = 0; time < 2; time++) await queue.add('any', completion(21), { jobId: 'wo-21' });
    expect(await queue.getJobCounts('waiting', 'active', 'failed')).to.include({ waiting: 4, failed: 0 });
    await backend.close();
  });

  it('of the intake loses rights on queues that an earlier version of Takt granted', async () => {
    await test.database.pool.query(`GRANT ALL ON ALL TABLES IN SCHEMA bullmq TO takt_intake`);
    expect(await attempt(test.appUrl('intake'), WRITE_QUEUE)).to.equal('allowed');
    await migrateQueueSchema(test.url);
    expect(await attempt(test.appUrl('intake'), WRITE_QUEUE)).to.be.instanceOf(pg.DatabaseError);
  });
});

/** Runs the statements in a new session. */
async function attempt(url: string, text: string): Promise<unknown> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 20_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(text);
    return 'allowed';
  } catch (error) {
    return error;
  } finally {
    await client.end();
  }
}
