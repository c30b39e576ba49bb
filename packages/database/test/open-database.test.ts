import { type Database, openDatabase } from '@takt/database';
import { createTestDatabase } from '@takt/database/testing';
import { opened, waitUntil } from '@takt/test-support';
import { expect } from 'chai';

describe('openDatabase', () => {
  const test = opened(createTestDatabase);
  let database: Database;
  const errors: Error[] = [];

  beforeEach(() => {
    errors.length = 0;
    database = openDatabase({
      url: test.url,
      role: 'takt_api',
      applicationName: 'takt open-database test',
      maxConnections: 2,
      statementTimeoutMs: 1_000,
      onError: (error) => errors.push(error),
    });
  });
  afterEach(() => database.close());

  it('opens sessions with the role, the schema, UTC and the name of the application', async () => {
    const { rows } = await database.pool.query(
      `SELECT current_user AS role, current_schema AS schema, current_setting('TimeZone') AS zone,
        current_setting('application_name') AS name`,
    );
    expect(rows).to.deep.equal([
      { role: 'takt_api', schema: 'takt', zone: 'UTC', name: 'takt open-database test' },
    ]);
  });

  it('uses UTC and the schema of Takt even if the database has other defaults', async () => {
    const name = new URL(test.url).pathname.slice(1);
    await test.database.pool.query(`ALTER DATABASE ${name} SET TimeZone = 'America/New_York'`);
    await test.database.pool.query(`ALTER DATABASE ${name} SET search_path = public`);
    const { rows } = await database.pool.query(
      "SELECT current_schema AS schema, '2024-05-31 12:00Z'::timestamptz::text AS instant",
    );
    expect(rows).to.deep.equal([{ schema: 'takt', instant: '2024-05-31 12:00:00+00' }]);
  });

  it('lets the server cancel a statement that runs too long', async () => {
    const outcome = await database.pool.query('SELECT pg_sleep(5)').catch(String);
    expect(outcome).to.match(/canceling statement due to statement timeout/);
  });

  it('reports a session that was terminated while idle, and opens a new session', async () => {
    await cut(await backendOf(database));
    await waitUntil('an error is reported', () => errors.length > 0);
    expect(await database.pool.query('SELECT 1')).to.have.property('rowCount', 1);
  });

  it('survives the termination of a session that is in use', async () => {
    const client = await database.pool.connect();
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    await cut(rows[0]?.pid);
    await waitUntil('an error is reported', () => errors.length > 0);
    client.release();
    expect(await database.pool.query('SELECT 1')).to.have.property('rowCount', 1);
  });

  it('connects only for the first query, and fails at its deadline if no server listens', async () => {
    const nowhere = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none', applicationName: 'nowhere' });
    expect(await nowhere.pool.query('SELECT 1').catch(String)).to.match(/ECONNREFUSED/);
    await nowhere.close();
  });

  it('closes at its deadline even if a connection is never released', async () => {
    const own = openDatabase({ url: test.url, applicationName: 'never given back' });
    const client = await own.pool.connect();
    await own.close();
    client.release(true);
  });

  async function backendOf({ pool }: Database): Promise<number | undefined> {
    return (await pool.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid;
  }

  async function cut(pid: number | undefined): Promise<void> {
    await test.database.pool.query('SELECT pg_terminate_backend($1)', [pid]);
  }
});
