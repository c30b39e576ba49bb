import { createHash } from 'node:crypto';
import { findSchemaProblems, migrate, readFunctions, readMigrations, type SqlFile } from '@takt/database';
import { createTestDatabase, type TestDatabase } from '@takt/database/testing';
import { expect } from 'chai';

describe('migrate with files of functions', () => {
  let test: TestDatabase;

  beforeEach(async () => {
    test = await createTestDatabase({ migrated: false });
  });
  afterEach(() => test.close());

  const apply = async (...functions: readonly SqlFile[]) =>
    (await migrate(test.url, { migrations: [], functions })).functions;
  const call = async (expression: string): Promise<unknown> =>
    (await test.database.pool.query<{ result: unknown }>(`SELECT ${expression} AS result`)).rows[0]?.result;
  const signatures = async () => {
    const { rows } = await test.database.pool.query<{ signature: string }>(
      `SELECT format('takt.%s(%s)', proname, pg_get_function_arguments(oid)) AS signature FROM pg_proc
       WHERE pronamespace = 'takt'::regnamespace ORDER BY 1`,
    );
    return rows.map(({ signature }) => signature);
  };

  it('applies a file once, and again after its text has changed', async () => {
    expect(await apply(fileOf('one', '() RETURNS integer', '1'))).to.deep.equal(['one']);
    expect(await apply(fileOf('one', '() RETURNS integer', '1'))).to.deep.equal([]);
    expect(await apply(fileOf('one', '() RETURNS integer', '2'))).to.deep.equal(['one']);
    expect(await call('takt.one()')).to.equal(2);
  });

  it('applies only the file that has changed', async () => {
    const other = fileOf('other', '() RETURNS integer', '7');
    await apply(fileOf('one', '() RETURNS integer', '1'), other);
    expect(await apply(fileOf('one', '() RETURNS integer', '2'), other)).to.deep.equal(['one']);
  });

  it('drops the previous version of a function if the arguments or the result changed', async () => {
    await apply(fileOf('one', '() RETURNS integer', '1'));
    await apply(fileOf('one', '(a integer) RETURNS integer', 'a'));
    expect(await signatures()).to.deep.equal(['takt.one(a integer)']);
    await apply(fileOf('one', '(a integer) RETURNS text', "'a'"));
    expect(await call('takt.one(1)')).to.equal('a');
  });

  it('drops the functions of a deleted file', async () => {
    await apply(fileOf('one', '() RETURNS integer', '1'), fileOf('two', '() RETURNS integer', '2'));
    await apply(fileOf('two', '() RETURNS integer', '2'));
    expect(await signatures()).to.deep.equal(['takt.two()']);
  });

  it('recreates a function that a migration dropped', async () => {
    const one = fileOf('one', '() RETURNS integer', '1');
    await apply(one);
    await test.database.pool.query('DROP FUNCTION takt.one()');
    expect(await apply(one)).to.deep.equal(['one']);
    expect(await call('takt.one()')).to.equal(1);
  });

  it('recreates functions that call each other, in any order', async () => {
    await apply(
      fileOf('a', '() RETURNS integer', 'takt.b()'),
      fileOf('b', '() RETURNS integer', 'takt.c()'),
      fileOf('c', '() RETURNS integer', '5'),
    );
    expect(await call('takt.a()')).to.equal(5);
  });

  it('replaces a trigger together with its function', async () => {
    await migrate(test.url);
    const changed = (await readFunctions()).map((file) =>
      file.name === 'note_audit' ? toFile(file.name, `${file.sql}\n-- changed`) : file,
    );
    const triggers = () =>
      call(`(SELECT array_agg(tgname::text ORDER BY tgname) FROM pg_trigger
        WHERE tgrelid = 'takt.api_clients'::regclass AND NOT tgisinternal)`);
    const before = await triggers();
    const report = await migrate(test.url, { migrations: await readMigrations(), functions: changed });
    expect(report.functions).to.deep.equal(['note_audit']);
    expect(before).to.deep.equal(['end_grants', 'note_client', 'note_client_secret', 'note_new_client']);
    expect(await triggers()).to.deep.equal(before);
  });

  it('recreates a view and the function that it calls, in either order of their files', async () => {
    const view = toFile('a', 'CREATE VIEW takt.a AS SELECT takt.b() AS value');
    await apply(view, fileOf('b', '() RETURNS integer', '1'));
    expect(await apply(view, fileOf('b', '() RETURNS integer', '2'))).to.deep.equal(['b']);
    expect(await call('(SELECT value FROM takt.a)')).to.equal(2);
    expect(await apply(view, fileOf('b', '() RETURNS integer', '2'))).to.deep.equal([]);
    await apply(fileOf('b', '() RETURNS integer', '2'));
    expect(await call("to_regclass('takt.a')")).to.equal(null);
  });

  it('leaves all functions unchanged if one file fails, and reports the name of that file', async () => {
    await apply(fileOf('one', '() RETURNS integer', '1'));
    const outcome = apply(fileOf('one', '() RETURNS integer', '2'), toFile('two', 'SELECT 1 / 0'));
    expect(await outcome.catch(String)).to.equal('Error: functions failed and were rolled back, at two');
    expect(await call('takt.one()')).to.equal(1);
    expect(await apply(fileOf('one', '() RETURNS integer', '1'))).to.deep.equal([]);
  });

  it('refuses to drop a function that a table needs', async () => {
    await apply(fileOf('one', '() RETURNS integer IMMUTABLE', '1'));
    await test.database.pool.query('CREATE TABLE takt.kept (a integer DEFAULT takt.one())');
    expect(await apply(fileOf('one', '() RETURNS integer IMMUTABLE', '2')).catch(String)).to.match(
      /rolled back/,
    );
    expect(await call('takt.one()')).to.equal(1);
  });

  it('runs the synchronisation steps in order, after all files and under the lock of the migration', async () => {
    const turns: string[] = [];
    await migrate(test.url, {
      synchronise: [
        async (client) => {
          const { rowCount } = await client.query(
            "SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND pid = pg_backend_pid()",
          );
          const { rows } = await client.query('SELECT count(*)::integer AS files FROM takt.schema_functions');
          turns.push(`first: ${rowCount} lock, ${rows[0].files > 0}`);
        },
        async () => {
          turns.push('second');
        },
      ],
    });
    expect(turns).to.deep.equal(['first: 1 lock, true', 'second']);
  });

  describe('before an app starts', () => {
    const change = (sql: string) => test.database.pool.query(sql);
    const problems = () => findSchemaProblems(test.database.pool);

    beforeEach(() => migrate(test.url));

    it('is not needed if the database has the functions of this program', async () => {
      expect(await problems()).to.deep.equal([]);
    });

    it('is needed if the text of one function differs', async () => {
      await change("UPDATE takt.schema_functions SET checksum = 'x' WHERE name = 'lock_figures'");
      expect(await problems()).to.deep.equal([
        "functions differ from this program's (lock_figures): run takt migrate of the newest Takt",
      ]);
    });

    it('is needed if a function is missing or superfluous', async () => {
      await change('DROP FUNCTION takt.lock_figures');
      await change("INSERT INTO takt.schema_functions VALUES ('of_tomorrow', 'x', '{}')");
      expect(await problems()).to.deep.equal([
        "functions differ from this program's (lock_figures, of_tomorrow): run takt migrate of the newest Takt",
      ]);
    });
  });
});

describe('a database of a version before 1.0.0', () => {
  const NAMES = ['0001-companies-and-roles', '0002-product-structure-versions'];
  const WHAT_TO_DO =
    'the database was made by a Takt from before 1.0.0 and cannot be migrated: back it up with that Takt (takt backup), ' +
    'and restore the file into an empty database with this one (takt restore), or for the embedded one into another TAKT_HOME';

  it('is rejected by migrate and by the start of an app, without a change', async () => {
    const test = await createTestDatabase({ migrated: false });
    await test.database.pool.query(`
      CREATE SCHEMA takt;
      CREATE TABLE takt.schema_migrations (number integer PRIMARY KEY, name text NOT NULL, checksum text NOT NULL,
        applied_at timestamptz NOT NULL DEFAULT now())`);
    await test.database.pool.query(
      `INSERT INTO takt.schema_migrations SELECT n, name, 'x' FROM unnest($1::text[]) WITH ORDINALITY AS old (name, n)`,
      [NAMES],
    );
    expect(await migrate(test.url).catch(String)).to.equal(`Error: ${WHAT_TO_DO}`);
    expect(await findSchemaProblems(test.database.pool)).to.deep.equal([WHAT_TO_DO]);
    const { rows } = await test.database.pool.query(
      "SELECT relname FROM pg_class WHERE relnamespace = 'takt'::regnamespace AND relkind = 'r'",
    );
    expect(rows).to.deep.equal([{ relname: 'schema_migrations' }]);
    await test.close();
  });
});

function fileOf(name: string, head: string, result: string): SqlFile {
  return toFile(name, `CREATE FUNCTION takt.${name}${head} LANGUAGE sql AS $$ SELECT ${result} $$`);
}

function toFile(name: string, sql: string): SqlFile {
  return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
}
