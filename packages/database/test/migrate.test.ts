import { createHash } from 'node:crypto';
import { type Migration, migrate, readMigrations, readSchemaVersion } from '@takt/database';
import { createTestDatabase, type TestDatabase } from '@takt/database/testing';
import { openedForEach, waitUntil } from '@takt/test-support';
import { expect } from 'chai';

describe('migrate', () => {
  const test = openedForEach(() => createTestDatabase({ migrated: false }));

  it('applies each migration once, even if eight processes start it at the same time', async () => {
    const names = (await readMigrations()).map(({ name }) => name);
    const reports = await Promise.all(Array.from({ length: 8 }, () => migrate(test.url)));
    expect(reports.map(({ version }) => version)).to.deep.equal(Array(8).fill(names.length));
    expect(reports.flatMap(({ applied }) => applied)).to.deep.equal(names);
    expect(await recordedNames(test)).to.deep.equal(names);
  });

  it('does nothing on an up-to-date database', async () => {
    const first = await migrate(test.url);
    const second = await migrate(test.url);
    expect(second).to.deep.equal({
      applied: [],
      functions: [],
      version: first.version,
      leftToSuperuser: [],
      leftToNodes: undefined,
    });
  });

  it('applies only new migrations', async () => {
    const known = [makeMigration(1, 'one', 'CREATE TABLE takt.one ()')];
    await migrate(test.url, { migrations: known });
    const report = await migrate(test.url, {
      migrations: [...known, makeMigration(2, 'two', 'CREATE TABLE takt.two ()')],
    });
    expect(report).to.deep.equal({
      applied: ['0002-two'],
      functions: [],
      version: 2,
      leftToSuperuser: [],
      leftToNodes: undefined,
    });
  });

  it('applies nothing if the text of an applied migration has changed', async () => {
    await migrate(test.url, { migrations: [makeMigration(1, 'one', 'CREATE TABLE takt.one ()')] });
    const outcome = migrate(test.url, {
      migrations: [
        makeMigration(1, 'one', 'CREATE TABLE takt.uno ()'),
        makeMigration(2, 'two', 'CREATE TABLE takt.two ()'),
      ],
    });
    expect(await messageOf(outcome)).to.match(/^migration 0001-one was changed after it was applied/);
    expect(await recordedNames(test)).to.deep.equal(['0001-one']);
  });

  it('applies nothing if an applied migration was renamed', async () => {
    const sql = 'CREATE TABLE takt.one ()';
    await migrate(test.url, { migrations: [makeMigration(1, 'one', sql)] });
    const outcome = migrate(test.url, { migrations: [makeMigration(1, 'uno', sql)] });
    expect(await messageOf(outcome)).to.match(/^migration 0001-one was changed/);
  });

  it('refuses a database that is newer than the program', async () => {
    const [one, two] = [makeMigration(1, 'one', 'SELECT 1'), makeMigration(2, 'two', 'SELECT 2')];
    await migrate(test.url, { migrations: [one, two] });
    expect(await messageOf(migrate(test.url, { migrations: [one] }))).to.equal(
      'the database has schema version 2, this program knows 1: start a newer Takt',
    );
  });

  it('rolls back a failing migration completely, but keeps the earlier migrations', async () => {
    const one = makeMigration(1, 'one', 'CREATE TABLE takt.one ()');
    const three = makeMigration(3, 'three', 'CREATE TABLE takt.three ()');
    const broken = makeMigration(2, 'two', 'CREATE TABLE takt.two (); SELECT 1 / 0;');
    const error = await errorOf(migrate(test.url, { migrations: [one, broken, three] }));
    expect(error.message).to.equal('migration 0002-two failed and was rolled back');
    expect(String(error.cause)).to.match(/division by zero/);
    expect(await recordedNames(test)).to.deep.equal(['0001-one']);
    expect(await exists(test, 'takt.two')).to.equal(false);

    const repaired = makeMigration(2, 'two', 'CREATE TABLE takt.two ()');
    const report = await migrate(test.url, { migrations: [one, repaired, three] });
    expect(report).to.deep.equal({
      applied: ['0002-two', '0003-three'],
      functions: [],
      version: 3,
      leftToSuperuser: [],
      leftToNodes: undefined,
    });
  });

  it('rolls back a migration if its record cannot be written', async () => {
    const unrecorded = makeMigration(
      1,
      'one',
      'CREATE TABLE takt.one (); ALTER TABLE takt.schema_migrations ADD CHECK (false)',
    );
    expect(await messageOf(migrate(test.url, { migrations: [unrecorded] }))).to.match(
      /^migration 0001-one failed/,
    );
    expect(await exists(test, 'takt.one')).to.equal(false);
  });

  it('reports the name of the running migration if the connection is lost', async () => {
    const fatal = makeMigration(1, 'one', 'SELECT pg_terminate_backend(pg_backend_pid())');
    const error = await errorOf(migrate(test.url, { migrations: [fatal] }));
    expect(error.message).to.equal('migration 0001-one failed and was rolled back');
    expect(await readSchemaVersion(test.database.pool)).to.equal(0);
  });

  it('waits for a lock in short attempts, so that it delays other statements only for a moment', async () => {
    const one = makeMigration(1, 'one', 'CREATE TABLE takt.one ()');
    const two = makeMigration(2, 'two', 'ALTER TABLE takt.one ADD COLUMN two integer');
    await migrate(test.url, { migrations: [one] });
    const reader = await test.database.pool.connect();
    await reader.query('BEGIN; SELECT * FROM takt.one');
    const migrated = migrate(test.url, { migrations: [one, two] });
    const isWaiting = "SELECT FROM pg_locks WHERE relation = 'takt.one'::regclass AND NOT granted";
    await waitUntil('it waits', async () => (await test.database.pool.query(isWaiting)).rowCount === 1);
    // The migration waits for an earlier reader. This query waits behind the lock that the migration requests.
    await test.database.pool.query('SELECT * FROM takt.one');
    await reader.query('COMMIT');
    reader.release();
    expect((await migrated).applied).to.deep.equal(['0002-two']);
  });

  it('records the versions that a migration breaks, even if the database has no column for them yet', async () => {
    const one = makeMigration(1, 'one', 'SELECT 1');
    await migrate(test.url, { migrations: [one] });
    await test.database.pool.query('ALTER TABLE takt.schema_migrations DROP COLUMN breaks_before');
    const two = { ...makeMigration(2, 'two', 'SELECT 2'), breaksBefore: 2 };
    await migrate(test.url, { migrations: [one, two] });
    const { rows } = await test.database.pool.query(
      'SELECT breaks_before FROM takt.schema_migrations ORDER BY number',
    );
    expect(rows).to.deep.equal([{ breaks_before: 0 }, { breaks_before: 2 }]);
  });

  it('runs in one process at a time', async () => {
    const slow = makeMigration(1, 'one', 'CREATE TABLE takt.one (); SELECT pg_sleep(0.3)');
    const started = Date.now();
    const reports = await Promise.all([
      migrate(test.url, { migrations: [slow] }),
      migrate(test.url, { migrations: [slow] }),
    ]);
    expect(reports.flatMap(({ applied }) => applied)).to.deep.equal(['0001-one']);
    expect(Date.now() - started).to.be.at.least(300);
  });
});

function makeMigration(number: number, title: string, sql: string): Migration {
  const name = `${String(number).padStart(4, '0')}-${title}`;
  return { number, name, sql, checksum: createHash('sha256').update(sql).digest('hex'), breaksBefore: 0 };
}

async function recordedNames({ database }: TestDatabase): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    'SELECT name FROM takt.schema_migrations ORDER BY number',
  );
  return rows.map(({ name }) => name);
}

async function exists({ database }: TestDatabase, table: string): Promise<boolean | undefined> {
  const { rows } = await database.pool.query<{ known: boolean }>(
    'SELECT to_regclass($1) IS NOT NULL AS known',
    [table],
  );
  return rows[0]?.known;
}

async function errorOf(outcome: Promise<unknown>): Promise<Error> {
  const result = await outcome.catch((error: unknown) => error);
  if (result instanceof Error) return result;
  throw new Error('expected a rejection');
}

async function messageOf(outcome: Promise<unknown>): Promise<string> {
  return (await errorOf(outcome)).message;
}
