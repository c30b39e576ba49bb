import {
  appNames,
  findStartupProblems,
  migrate,
  openDatabase,
  readMigrations,
  readSchemaVersion,
} from '@takt/database';
import { createTestDatabase, type TestDatabase } from '@takt/database/testing';
import { openedForEach } from '@takt/test-support';
import { expect } from 'chai';
import type pg from 'pg';
import { openPool } from './open-pool.js';

describe('the checks at the start of an app', () => {
  const test = openedForEach(createTestDatabase);
  let newest: number;

  before(async () => {
    newest = (await readMigrations()).length;
  });

  for (const app of [undefined, ...appNames]) {
    it(`find no problem in a migrated database for the log-in of ${app ?? 'the owner'}`, async () => {
      const url = app === undefined ? test.url : test.appUrl(app);
      const database = openDatabase({ url, applicationName: 'guards' });
      expect(await findStartupProblems(database.pool)).to.deep.equal([]);
      expect(await readSchemaVersion(database.pool)).to.equal(newest);
      await database.close();
    });
  }

  it('require a migration of a database that was never migrated', async () => {
    const empty = await createTestDatabase({ migrated: false });
    expect(await readSchemaVersion(empty.database.pool)).to.equal(0);
    expect(await findStartupProblems(empty.database.pool)).to.deep.equal([
      `the schema has version 0, ${newest} is needed: run takt migrate`,
    ]);
    await empty.close();
  });

  it('require a migration of an outdated database', async () => {
    const older = await createTestDatabase({ migrated: false });
    await migrate(older.url, { migrations: (await readMigrations()).slice(0, -1) });
    expect(await findStartupProblems(older.database.pool)).to.deep.equal([
      `the schema has version ${newest - 1}, ${newest} is needed: run takt migrate`,
    ]);
    await older.close();
  });

  describe('with a database that a newer version of Takt has migrated', () => {
    const migrateFurther = (breaksBefore: number) =>
      test.database.pool.query('INSERT INTO takt.schema_migrations VALUES ($1, $2, $2, now(), $3)', [
        newest + 1,
        'x',
        breaksBefore,
      ]);

    for (const [breaksBefore, what] of [
      [() => 0, 'nothing'],
      [() => newest, 'older programs'],
    ] as const) {
      it(`find no problem if the newer migration breaks ${what}, even if the functions differ`, async () => {
        await migrateFurther(breaksBefore());
        await test.database.pool.query("UPDATE takt.schema_functions SET checksum = 'x'");
        expect(await findStartupProblems(test.database.pool)).to.deep.equal([]);
      });
    }

    it('require a newer program if any of the newer migrations breaks this version', async () => {
      await migrateFurther(newest + 1);
      await test.database.pool.query('INSERT INTO takt.schema_migrations VALUES ($1, $2, $2)', [
        newest + 2,
        'y',
      ]);
      expect(await findStartupProblems(test.database.pool)).to.deep.equal([
        `the schema has version ${newest + 2}, which programs need to know up to version ${newest + 1}, ` +
          `and this program knows ${newest}: start a newer Takt`,
      ]);
    });
  });

  for (const [offset, shown] of [
    // A slow answer increases the measured difference.
    ['3 seconds', '-[23][0-9]{3}'],
    ['-3 seconds', '[23][0-9]{3}'],
    ['1 year', '-3[0-9]{10}'],
  ] as const) {
    it(`report a clock of the database that is off by ${offset}`, async () => {
      const pool = await openShadowed(test, [
        `CREATE FUNCTION shadow.clock_timestamp() RETURNS timestamptz LANGUAGE sql
           RETURN pg_catalog.clock_timestamp() + interval '${offset}'`,
      ]);
      const problems = await findStartupProblems(pool);
      expect(problems).to.have.length(1);
      expect(problems[0]).to.match(
        new RegExp(
          `^this machine's clock differs by ${shown} ms from the database's, at most 2000 ms are allowed`,
        ),
      );
      await pool.end();
    });
  }

  it('accept a clock of the database that is off by a second', async () => {
    const pool = await openShadowed(test, [
      `CREATE FUNCTION shadow.clock_timestamp() RETURNS timestamptz LANGUAGE sql
         RETURN pg_catalog.clock_timestamp() + interval '1 second'`,
    ]);
    expect(await findStartupProblems(pool)).to.deep.equal([]);
    await pool.end();
  });

  it('require PostgreSQL 18, and report no other problem of an older server', async () => {
    const pool = await openShadowed(test, [
      `CREATE FUNCTION shadow.current_setting(text) RETURNS text LANGUAGE sql RETURN '170006'`,
      'DELETE FROM takt.schema_migrations',
    ]);
    expect(await findStartupProblems(pool)).to.deep.equal([
      'PostgreSQL 18 or newer is needed, the server is 17: upgrade it',
    ]);
    await pool.end();
  });

  it('report all problems at once', async () => {
    const pool = await openShadowed(test, [
      `CREATE FUNCTION shadow.clock_timestamp() RETURNS timestamptz LANGUAGE sql
         RETURN pg_catalog.clock_timestamp() + interval '1 hour'`,
      'DELETE FROM takt.schema_migrations WHERE number > 1',
    ]);
    const problems = await findStartupProblems(pool);
    expect(problems).to.have.length(2);
    expect(problems.join('\n')).to.match(/run takt migrate\n.*clock differs/);
    await pool.end();
  });
});

/**
 * Opens a pool that simulates a wrongly configured server: functions in another schema hide the functions of
 * PostgreSQL.
 */
async function openShadowed(test: TestDatabase, statements: readonly string[]): Promise<pg.Pool> {
  await test.database.pool.query(['CREATE SCHEMA shadow', ...statements].join(';\n'));
  return openPool(test.url, '-c search_path=shadow,pg_catalog');
}
