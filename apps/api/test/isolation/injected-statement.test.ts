import { type Database, openDatabase } from '@takt/database';
import { expect } from 'chai';
import { withCompany } from '../../src/sql/run-statement.js';
import { FOREIGN_CANARY, FOREIGN_NUMBER, insertCanaries, OWN_CANARY } from '../support/canaries.js';
import { COMPANY, OTHER_COMPANY, openTestApi, type TestApi } from '../support/open-test-api.js';

const RLS_TABLES = [
  'products',
  'product_structure_versions',
  'application_versions',
  'list_sizes',
  'work_order_operations',
];

/** Statements that try to read the rows of all companies. They must return only rows of the company of the session. */
const READING: readonly string[] = [
  'SELECT name FROM takt.products UNION ALL SELECT name FROM takt.product_structure_versions ' +
    'UNION ALL SELECT name FROM takt.application_versions',
  'SELECT * FROM takt.products WHERE company_id <> 0 OR true',
  "SELECT * FROM takt.products WHERE name LIKE '%' OR casefold(name) LIKE '%CANARY%'",
  'SELECT * FROM takt.products TABLESAMPLE SYSTEM (100)',
  "SELECT * FROM takt.products WHERE ctid >= '(0,0)'",
  'SELECT array_agg(p) FROM takt.products p',
  'SELECT p.*, v.* FROM takt.products p LEFT JOIN takt.product_structure_versions v ON p.company_id <> v.company_id',
  'TABLE takt.application_versions',
  'WITH RECURSIVE r AS (SELECT name FROM takt.products UNION SELECT name FROM takt.application_versions) TABLE r',
  "SELECT name FROM takt.products WHERE product_id = ANY (takt.find_products('%'))",
];

/** Statements that are permitted, but must not return anything of another company. */
const HARMLESS: readonly string[] = [
  'SELECT * FROM takt.list_sizes',
  'SELECT takt.session_company()',
  "SELECT takt.find_access_token(sha256('guessed'))",
  'SELECT * FROM pg_stat_activity',
  'SELECT * FROM pg_settings',
  'SELECT * FROM pg_prepared_statements',
  'SELECT * FROM pg_cursors',
  'SELECT * FROM pg_stats',
  'SELECT * FROM pg_stats_ext',
  'SELECT * FROM pg_stats_ext_exprs',
  'SELECT * FROM pg_locks',
  'SELECT * FROM pg_largeobject_metadata',
  'SELECT * FROM pg_roles',
  'SELECT * FROM pg_db_role_setting',
  'SELECT * FROM takt.schema_functions',
  // PostgreSQL permits the following statements in every session. They give no additional rights.
  'SET TRANSACTION READ WRITE',
  'RESET ROLE',
  'SET ROLE NONE',
  'RESET SESSION AUTHORIZATION',
  'SET row_security = on',
  'SET search_path = pg_temp, takt',
];

const REFUSED: readonly string[] = [
  ...['companies', 'access_tokens', 'access_token_companies', 'pruned_operations', 'rejected_events'].map(
    (table) => `SELECT * FROM takt.${table}`,
  ),
  'SELECT access_key FROM takt.companies',
  ...['pg_statistic', 'pg_statistic_ext_data', 'pg_authid', 'pg_shadow', 'pg_largeobject'].map(
    (table) => `SELECT * FROM ${table}`,
  ),
  ...RLS_TABLES.flatMap((table) => [
    `INSERT INTO takt.${table} (company_id) VALUES (1)`,
    `UPDATE takt.${table} SET company_id = company_id`,
    `DELETE FROM takt.${table}`,
    `ALTER TABLE takt.${table} DISABLE ROW LEVEL SECURITY`,
    `ALTER POLICY of_session_company ON takt.${table} USING (true)`,
    `DROP POLICY of_session_company ON takt.${table}`,
    `SELECT * FROM takt.${table} FOR UPDATE`,
  ]),
  ...['takt_api', 'takt_worker', 'takt', 'pg_read_all_data', 'pg_monitor'].map((role) => `SET ROLE ${role}`),
  "SELECT set_config('role', 'takt', false)",
  "SELECT set_config('session_authorization', 'takt', false)",
  'SET SESSION AUTHORIZATION takt',
  'GRANT takt_worker TO CURRENT_USER',
  'ALTER ROLE CURRENT_USER BYPASSRLS',
  'ALTER ROLE takt_api BYPASSRLS',
  "SELECT pg_read_file('postgresql.conf')",
  "SELECT pg_read_binary_file('postgresql.conf')",
  "SELECT pg_ls_dir('.')",
  "SELECT pg_stat_file('postgresql.conf')",
  "COPY takt.products TO '/tmp/takt-copied'",
  "COPY takt.products TO PROGRAM 'cat'",
  "COPY takt.products FROM PROGRAM 'true'",
  'COPY takt.access_tokens TO STDOUT',
  ...['lo_creat(-1)', 'lo_create(0)', "lo_from_bytea(0, 'x')", 'lo_get(1)', "lo_put(1, 0, 'x')"].map(callOf),
  ...[
    'lo_open(1, 131072)',
    'lo_unlink(1)',
    'loread(0, 1)',
    "lowrite(0, 'x')",
    "lo_import('/etc/passwd')",
  ].map(callOf),
  ...['pg_advisory_lock(1)', 'pg_try_advisory_lock(1, 2)', 'pg_advisory_xact_lock_shared(1)'].map(callOf),
  ...['pg_cancel_backend(1)', 'pg_terminate_backend(1)', 'pg_reload_conf()'].map(callOf),
  ...["query_to_xml('SELECT 1', true, true, '')", "table_to_xml('takt.products', true, true, '')"].map(
    callOf,
  ),
  ...["database_to_xml(true, true, '')", "schema_to_xml('takt', true, true, '')", "ts_stat('SELECT 1')"].map(
    callOf,
  ),
  "SELECT ts_rewrite('a'::tsquery, 'SELECT 1')",
  ...["takt.note_changes('{1}')", 'takt.rebuild_production_times(1, NULL)'].map(callOf),
  'CREATE TEMPORARY TABLE own (name text)',
  'CREATE TABLE takt.own (name text)',
  'CREATE TABLE public.own (name text)',
  'CREATE SCHEMA own',
  'CREATE FUNCTION public.own() RETURNS integer LANGUAGE sql RETURN 1',
  'CREATE FUNCTION pg_temp.own() RETURNS integer LANGUAGE sql RETURN 1',
  'CREATE VIEW public.own AS SELECT 1',
  'CREATE EXTENSION dblink',
  'CREATE ROLE own',
  'CREATE DATABASE own',
  "ALTER SYSTEM SET log_statement = 'all'",
  "LOAD 'auto_explain'",
  'CREATE PUBLICATION own FOR ALL TABLES',
  'DROP TABLE takt.products',
  'TRUNCATE takt.products',
  'SELECT 1; SELECT 2',
];

/**
 * Runs any statement in a session like the sessions of requests. Does not check that the session has the key of the
 * company.
 */
function slipIn(
  pool: Database['pool'],
  key: string,
  text: string,
  name?: string,
): Promise<readonly object[]> {
  const query = { text, values: [], queryMode: 'extended', ...(name !== undefined && { name }) };
  return withCompany(pool, { key }, async (client) => (await client.query(query)).rows);
}

function callOf(call: string): string {
  return `SELECT ${call}`;
}

describe('a statement that an attacker runs in the pool of the API', () => {
  let api: TestApi;
  before(async () => {
    api = await openTestApi();
    await insertCanaries(api);
    const { rows } = await api.owner.query<{ tokens: number }>(
      `INSERT INTO takt.access_tokens (token_sha256, expires_at) VALUES (sha256('canary-foreign'), now() + interval '1 day')
       RETURNING access_token_id`,
    );
    expect(rows.length).to.equal(1);
    // Leaves sessions of the other company in the pool. The statements can find these sessions in views, and the pool
    // reuses one of them.
    await Promise.all(Array.from({ length: 4 }, () => run('SELECT pg_sleep(0.1)', OTHER_COMPANY)));
  });
  after(() => api.close());

  /** Returns the rows of a statement as JSON. Rejects with the error that a client could see. */
  const run = async (text: string, companyId = COMPANY): Promise<string> => {
    return JSON.stringify(await slipIn(api.pool, api.keys.get(companyId) ?? '', text));
  };
  const expectNothingForeign = (text: string, told: string) => {
    expect(told, text).not.to.include(FOREIGN_CANARY);
    expect(told, text).not.to.include(String(FOREIGN_NUMBER));
    expect(told, text).not.to.include(api.keys.get(OTHER_COMPANY));
  };

  for (const text of READING) {
    it(`can read only rows of the company of the session: ${text}`, async () => {
      const told = await run(text);
      expect(told).to.include(OWN_CANARY);
      expectNothingForeign(text, told);
      expect(await run(text, OTHER_COMPANY))
        .to.include(FOREIGN_CANARY)
        .and.not.include(OWN_CANARY);
    });
  }

  it('gets nothing of another company from views and functions that every session may use', async () => {
    for (const text of HARMLESS) expectNothingForeign(text, await run(text));
  });

  it('does not find products of another company by their names', async () => {
    expect(await run("SELECT takt.find_products('%canary-foreign%') AS found")).to.equal('[{"found":[]}]');
    expect(await run("SELECT takt.are_few_products('%canary-foreign%') AS found")).to.equal(
      '[{"found":true}]',
    );
    expect(await run("SELECT takt.find_products('%canary-foreign%')", OTHER_COMPANY)).to.include('30');
  });

  it('gets no name of another company in a suggestion', async () => {
    const proposed = "SELECT takt.similar_names('canary-foregn', false)";
    expectNothingForeign(proposed, await run(proposed));
    expect(await run(proposed, OTHER_COMPANY)).to.include(FOREIGN_CANARY);
  });

  it('gets no foreign rows with a guessed company key', async () => {
    const keys = ['', '00000000-0000-0000-0000-000000000000', '%', String(OTHER_COMPANY)];
    for (const key of keys) {
      const text = `SELECT name FROM takt.products, (SELECT set_config('takt.company_key', '${key}', true) OFFSET 0) AS s`;
      expectNothingForeign(text, await run(text).catch(String));
      const after = "SELECT name, current_setting('takt.company_key') FROM takt.products";
      expectNothingForeign(after, await run(after).catch(String));
    }
  });

  it('cannot give foreign rows to the next request by a company key in the session', async () => {
    const stolen = api.keys.get(COMPANY);
    await Promise.all(
      Array.from({ length: 4 }, () =>
        run(`SELECT set_config('takt.company_key', '${stolen}', false)`, OTHER_COMPANY),
      ),
    );
    // The next request has the condition for its own company, and the session still has the key of the other company.
    // No row meets both.
    const text = `SELECT name FROM takt.products WHERE company_id = ${OTHER_COMPANY}`;
    expect(await run(text, OTHER_COMPANY)).not.to.include(OWN_CANARY);
  });

  for (const text of REFUSED) {
    it(`fails if it exceeds its rights: ${text}`, async () => {
      const told = await run(text).then(
        (rows) => expect.fail(`it gave ${rows}`),
        (error: unknown) => error,
      );
      expect(told).to.be.instanceOf(Error);
      const { code } = told as Error & { readonly code?: string };
      // The codes mean: insufficient privilege, unsupported feature, more than one statement.
      expect(code, String(told)).to.be.oneOf(['42501', '0A000', '42601']);
      expectNothingForeign(text, String(told));
    });
  }

  it('gets no value of another company in an error message', async () => {
    const failing = [
      'SELECT 1 FROM takt.products WHERE name::integer = 1',
      'SELECT 1 FROM takt.product_structure_versions WHERE revision::date IS NULL',
      'SELECT 1 FROM takt.products ORDER BY (type || name)::uuid',
      "SELECT 1 FROM takt.products WHERE 1 / (position('foreign' IN name) - 1) = 1",
      'SELECT max(name::numeric) FROM takt.application_versions',
    ];
    const told = await Promise.all(failing.map((text) => run(text).catch(String)));
    expect(told.join()).to.include(OWN_CANARY);
    for (const [index, text] of failing.entries()) expectNothingForeign(text, told[index] ?? '');
  });

  it('gets no rows in a session without a company key', async () => {
    for (const table of RLS_TABLES) {
      const text = `SELECT * FROM takt.${table}`;
      expect(await slipIn(api.pool, '', text), table).to.deep.equal([]);
    }
  });
});

describe('a session of the API', () => {
  it('returns only rows of its present company after another company has used it, even from prepared statements', async () => {
    const api = await openTestApi();
    await insertCanaries(api);
    const single = openDatabase({ url: api.url, applicationName: 'one session', maxConnections: 1 });
    const run = (companyId: number) =>
      slipIn(
        single.pool,
        api.keys.get(companyId) ?? '',
        'SELECT name FROM takt.application_versions',
        'prepared',
      );
    for (let turn = 0; turn < 12; turn++) {
      const [own, foreign] = await Promise.all([run(COMPANY), run(OTHER_COMPANY)]);
      expect(own).to.deep.equal([{ name: OWN_CANARY }]);
      expect(foreign).to.deep.equal([{ name: FOREIGN_CANARY }]);
    }
    await single.close();
    await api.close();
  });

  it('is closed after a failed statement, so no request uses it again', async () => {
    const api = await openTestApi();
    const single = openDatabase({ url: api.url, applicationName: 'one session', maxConnections: 1 });
    const run = async (text: string) => JSON.stringify(await slipIn(single.pool, '', text).catch(String));
    const first = await run('SELECT pg_backend_pid()');
    expect(await run('SELECT pg_backend_pid()')).to.equal(first);
    expect(await run('SELECT 1 / 0')).to.include('division by zero');
    expect(await run('SELECT pg_backend_pid()')).not.to.equal(first);
    await single.close();
    await api.close();
  });
});
