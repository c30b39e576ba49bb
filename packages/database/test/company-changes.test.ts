import { createTestDatabase, type TestDatabase } from '@takt/test-support';
import { expect } from 'chai';
import pg from 'pg';
import { openPool } from './open-pool.js';

const OF_WHO_ASKS = 'tells who asks, which is looked up for each request';
const OF_THE_LEDGER = 'figures are made of it, and those are served';
const OF_OPERATORS = 'no resource shows it';

/** Tables without stamps, each with what makes that right; all others have them. */
const UNSTAMPED: Readonly<Record<string, string>> = {
  access_token_companies: OF_WHO_ASKS,
  access_tokens: OF_WHO_ASKS,
  api_client_companies: OF_WHO_ASKS,
  api_clients: OF_WHO_ASKS,
  audit_runs: OF_OPERATORS,
  authorization_codes: OF_WHO_ASKS,
  companies: OF_WHO_ASKS,
  company_changes: 'holds the stamps',
  event_sources: OF_OPERATORS,
  pruned_figures: OF_THE_LEDGER,
  pruned_operations: OF_THE_LEDGER,
  prunings: OF_THE_LEDGER,
  refresh_tokens: OF_WHO_ASKS,
  rejected_events: OF_OPERATORS,
  roles: OF_WHO_ASKS,
  salt_secret: OF_WHO_ASKS,
  token_families: OF_WHO_ASKS,
  user_companies: OF_WHO_ASKS,
  users: OF_WHO_ASKS,
  work_order_operations: OF_THE_LEDGER,
  worker_reports: OF_OPERATORS,
};

/** A row of company 1 by its table, and a change of it that may be made again; of the last four, which have no company too. */
const ROWS: Readonly<Record<string, readonly [values: string, change: string]>> = {
  products: [
    `(company_id, product_id, status, name, type, description, changed_at)
    VALUES (1, 7, 4, 'Desk', 'K', '', now())`,
    'status = status + 1',
  ],
  product_structure_versions: ['(company_id, product_structure_version_id) VALUES (1, 7)', 'run_time = 5'],
  structure_version_texts: ["VALUES (1, 7, 'desk')", "folded = folded || 's'"],
  list_sizes: ['VALUES (1, 3)', 'product_structure_versions = 4'],
  monthly_figures: [
    "(company_id, product_structure_version_id, month) VALUES (1, 7, '2026-01-01')",
    'run_time_sum = 1',
  ],
  application_versions: [
    `(company_id, application_version_id, application_id, changed_at, type, name)
      VALUES (1, 7, 7, now(), 'WIDGET', 'Board')`,
    "name = 'Plank'",
  ],
  error_messages: ["VALUES (999999, '4', 'n', 400, 'm', '', 1, '', '{}')", "message = 'other'"],
  domain_values: ["VALUES ('O', 'f', 'k', 'd', '{}', 1)", "description = 'other'"],
  schema_migrations: ["VALUES (9999, 'n', 'c')", "name = 'other'"],
  schema_functions: ["VALUES ('n', 'c', '{}')", "checksum = 'other'"],
};
const OF_COMPANIES = Object.keys(ROWS).slice(0, 6);

describe('where the data of a company stand', () => {
  let test: TestDatabase;
  let owner: pg.Pool;

  beforeEach(async () => {
    test = await createTestDatabase();
    owner = test.database.pool;
    await owner.query("INSERT INTO takt.companies (code, name) VALUES ('A', 'A'), ('B', 'B')");
  });
  afterEach(() => test.close());

  /** Of companies 1 and 2, as the API reads it. */
  async function standings(): Promise<readonly [string, string]> {
    const of = async (company: number) => {
      const { rows } = await owner.query<{ stamp: string }>(
        'SELECT bit_xor(stamp)::text AS stamp FROM takt.company_changes WHERE company_id IN (0, $1)',
        [company],
      );
      return String(rows[0]?.stamp);
    };
    return [await of(1), await of(2)];
  }

  /** Which of the two companies something changes, in the eyes of the API. */
  async function changedBy(work: () => Promise<unknown>): Promise<readonly [boolean, boolean]> {
    const before = await standings();
    await work();
    const after = await standings();
    return [before[0] !== after[0], before[1] !== after[1]];
  }

  it('is stamped by whoever writes to a table, but for those that are stated here', async () => {
    const { rows } = await owner.query<{ name: string; events: string[]; isReadByApi: boolean }>(
      `SELECT relname AS name,
         has_any_column_privilege('takt_api', pg_class.oid, 'SELECT') AS "isReadByApi",
         ARRAY(SELECT DISTINCT event FROM pg_trigger
           CROSS JOIN (VALUES (4, 'insert'), (8, 'delete'), (16, 'update'), (32, 'truncate')) AS known (bit, event)
           WHERE tgrelid = pg_class.oid AND tgenabled = 'A' AND tgtype & bit > 0 AND tgattr = ''
             OR tgrelid = pg_class.oid AND tgenabled = 'A' AND tgtype & bit > 0 AND event = 'truncate') AS events
       FROM pg_class WHERE relnamespace = 'takt'::regnamespace AND relkind IN ('r', 'p', 'm', 'f') ORDER BY 1`,
    );
    const unstamped = rows.filter(({ events }) => events.length === 0).map(({ name }) => name);
    expect(unstamped).to.deep.equal(Object.keys(UNSTAMPED).sort());
    const stamped = rows.filter(({ events }) => events.length > 0);
    for (const { name, events } of stamped) {
      expect(events.sort(), name).to.deep.equal(['delete', 'insert', 'truncate', 'update']);
    }
    expect(stamped.map(({ name }) => name)).to.have.members(Object.keys(ROWS));
    const read = rows.filter(({ isReadByApi }) => isReadByApi).map(({ name }) => name);
    expect(read.filter((name) => name !== 'company_changes')).to.have.members(
      Object.keys(ROWS).filter((name) => name !== 'structure_version_texts'),
    );
  });

  for (const [table, [values, change]] of Object.entries(ROWS)) {
    const isOfCompany = OF_COMPANIES.includes(table);
    const changed = [true, !isOfCompany];

    it(`changes with a row of ${table}, for ${isOfCompany ? 'its company alone' : 'all'}`, async () => {
      const run = (sql: string) => changedBy(() => owner.query(sql));
      expect(await run(`INSERT INTO takt.${table} ${values}`)).to.deep.equal(changed);
      const where = isOfCompany ? 'company_id = 1' : 'true';
      expect(await run(`UPDATE takt.${table} SET ${change} WHERE ${where}`)).to.deep.equal(changed);
      if (isOfCompany) {
        const moved = await run(`UPDATE takt.${table} SET company_id = 2`);
        expect(moved).to.deep.equal([true, true]);
        await owner.query(`UPDATE takt.${table} SET company_id = 1`);
        expect(await run(`DELETE FROM takt.${table} WHERE company_id = 2`)).to.deep.equal([false, false]);
      }
      const switchedOff = await changedBy(async () => {
        const client = await owner.connect();
        await client.query('SET session_replication_role = replica');
        await client.query(`UPDATE takt.${table} SET ${change} WHERE ${where}`);
        client.release(true);
      });
      expect(switchedOff).to.deep.equal(changed);
      expect(await run(`DELETE FROM takt.${table} WHERE ${where}`)).to.deep.equal(changed);
      expect(await run(`TRUNCATE takt.${table} CASCADE`)).to.deep.equal([true, true]);
    });
  }

  it('does not change with what is rolled back, whole or to a savepoint', async () => {
    const insert = (
      id: number,
    ) => `INSERT INTO takt.monthly_figures (company_id, product_structure_version_id, month)
      VALUES (1, ${id}, '2026-01-01')`;
    const client = await owner.connect();
    const run = (...statements: readonly string[]) =>
      changedBy(async () => {
        for (const statement of statements) await client.query(statement);
      });
    expect(await run('BEGIN', insert(1), 'ROLLBACK')).to.deep.equal([false, false]);
    expect(await run('BEGIN', 'SAVEPOINT s', insert(1), 'ROLLBACK TO s', 'COMMIT')).to.deep.equal([
      false,
      false,
    ]);
    expect(await run('BEGIN', 'SAVEPOINT s', insert(1), 'ROLLBACK TO s', insert(2), 'COMMIT')).to.deep.equal([
      true,
      false,
    ]);
    client.release();
  });

  it('is never twice the same, whatever the session takes its random numbers from', async () => {
    const seen = new Set<string>();
    for (let turn = 0; turn < 20; turn++) {
      const client = new pg.Client({ connectionString: test.url });
      await client.connect();
      await client.query('SELECT setseed(0.5)');
      await client.query(`INSERT INTO takt.list_sizes VALUES (1, ${turn})
        ON CONFLICT (company_id) DO UPDATE SET product_structure_versions = ${turn % 2}`);
      await client.end();
      seen.add((await standings())[0]);
    }
    expect(seen.size).to.equal(20);
  });

  it('keeps no row of a connection that is gone, nor more than one of a connection', async () => {
    for (let turn = 0; turn < 5; turn++) {
      const client = new pg.Client({ connectionString: test.url });
      await client.connect();
      for (const period of [1, 2]) {
        await client.query('INSERT INTO takt.company_changes VALUES (1, pg_backend_pid(), $1, 5)', [period]);
      }
      await client.query('INSERT INTO takt.list_sizes VALUES (1, 1) ON CONFLICT DO NOTHING');
      await client.query('UPDATE takt.list_sizes SET product_structure_versions = 2');
      await client.end();
      const { rows } = await owner.query('SELECT FROM takt.company_changes WHERE company_id = 1');
      // Its end may not have been noticed yet when the next one comes.
      expect(rows.length).to.be.within(1, 2);
    }
  });

  it('is stamped by workers side by side, none of whom waits for another', async () => {
    const url = test.appUrl('worker');
    const clients = [new pg.Client(url), new pg.Client(url)];
    for (const client of clients) {
      await client.connect();
      await client.query("SET lock_timeout = '2s'");
      await client.query('BEGIN');
    }
    for (const company of [1, 2]) {
      for (const [index, client] of clients.entries()) {
        await client.query(`INSERT INTO takt.monthly_figures (company_id, product_structure_version_id, month)
          VALUES (${company}, ${index}, '2026-01-01')`);
      }
    }
    for (const client of clients) {
      expect(await changedBy(() => client.query('COMMIT'))).to.deep.equal([true, true]);
      await client.end();
    }
  });

  it('is shown to the API of the company of its session and of all, and to no other app but the worker', async () => {
    await owner.query('INSERT INTO takt.list_sizes VALUES (1, 1), (2, 1)');
    const { rows: keys } = await owner.query<{ key: string }>(
      'SELECT access_key::text AS key FROM takt.companies WHERE company_id = 2',
    );
    const api = openPool(test.appUrl('api'), '');
    const client = await api.connect();
    const companies = async () => {
      const { rows } = await client.query('SELECT DISTINCT company_id FROM takt.company_changes ORDER BY 1');
      return rows.map(({ company_id }) => company_id);
    };
    expect(await companies()).to.deep.equal([0]);
    await client.query("SELECT set_config('takt.company_key', $1, false)", [keys[0]?.key]);
    expect(await companies()).to.deep.equal([0, 2]);
    client.release();
    await api.end();
  });
});
