import {
  type AppName,
  addressOf,
  appNames,
  checkBeforeStart,
  inventLogin,
  type Login,
  makeLogin,
} from '@takt/database';
import { createTestDatabase } from '@takt/database/testing';
import { openedForEach } from '@takt/test-support';
import { expect } from 'chai';

describe('the check of the log-in when an app starts', () => {
  const test = openedForEach(createTestDatabase);
  let login: Login;

  beforeEach(async () => {
    login = inventLogin('api');
    await makeLogin(test.url, 'api', login);
  });

  const check = (url: string, app: AppName = 'api', allowOwner = false) =>
    checkBeforeStart(url, { app, allowOwner });
  const asOwner = async (...statements: readonly string[]) => {
    for (const statement of statements) await test.database.pool.query(statement);
  };

  it('accepts the log-in of the app, and sets no role', async () => {
    for (const app of appNames) {
      expect(await check(test.appUrl(app), app), app).to.deep.equal({
        problems: [],
        warnings: [],
        role: undefined,
      });
    }
  });

  it('refuses the log-in of the owner, and explains what to do', async () => {
    const { problems } = await check(test.url);
    expect(problems).to.have.length(1);
    expect(problems[0]).to.match(
      /^the log-in takt is a superuser, .* and the api needs one that holds takt_api and nothing else: set DATABASE_URL of the api to what takt login create api prints \(TAKT_ALLOW_OWNER=1 lets it pass\)$/,
    );
  });

  it('accepts the log-in of the owner with a warning if the site permits this', async () => {
    const { problems, warnings, role } = await check(test.url, 'api', true);
    expect(problems).to.deep.equal([]);
    expect(warnings.join()).to.include('the log-in takt is a superuser');
    expect(role).to.equal('takt_api');
    expect(await check(test.appUrl('api'), 'api', true)).to.have.property('role', undefined);
  });

  it('refuses the log-in of another app', async () => {
    const { problems } = await check(test.appUrl('worker'));
    expect(problems.join()).to.match(/does not hold takt_api and holds takt_worker, and the api needs one/);
  });

  const excesses: Readonly<Record<string, (name: string) => readonly string[]>> = {
    'is a superuser': (name) => [`ALTER ROLE ${name} SUPERUSER`],
    'may create roles': (name) => [`ALTER ROLE ${name} CREATEROLE`],
    'may create databases': (name) => [`ALTER ROLE ${name} CREATEDB`],
    'may replicate': (name) => [`ALTER ROLE ${name} REPLICATION`],
    'bypasses row-level security': (name) => [`ALTER ROLE ${name} BYPASSRLS`],
    'may become takt_api or pass it on': (name) => [`GRANT takt_api TO ${name} WITH SET TRUE`],
    'holds pg_read_all_data': (name) => [`GRANT pg_read_all_data TO ${name}`],
    'holds takt_worker': (name) => [`GRANT takt_worker TO ${name} WITH INHERIT FALSE, SET FALSE`],
    'owns databases or what is in them': (name) => [
      'CREATE TABLE takt.own ()',
      `ALTER TABLE takt.own OWNER TO ${name}`,
    ],
    'was granted rights by its name': (name) => [`GRANT SELECT ON takt.access_tokens TO ${name}`],
    'may create schemas': (name) => [
      `DO $$ BEGIN EXECUTE format('GRANT CREATE ON DATABASE %I TO ${name}', current_database()); END $$`,
    ],
  };
  for (const [finding, statementsOf] of Object.entries(excesses)) {
    it(`refuses a log-in that ${finding}`, async () => {
      await asOwner(...statementsOf(login.name));
      const { problems } = await check(addressOf(test.url, login));
      expect(problems.join('\n')).to.include(finding).and.include('TAKT_ALLOW_OWNER=1');
      await asOwner(`DROP OWNED BY ${login.name}`);
    });
  }

  it('requires a migration if everybody may create temporary tables or tables in the schema public', async () => {
    await asOwner(
      "DO $$ BEGIN EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO PUBLIC', current_database()); END $$",
      'GRANT CREATE ON SCHEMA public TO PUBLIC',
    );
    const { problems } = await check(addressOf(test.url, login));
    expect(problems).to.deep.equal([
      `the log-in ${login.name} may create temporary tables and may create tables in schema public, as everybody: run takt ` +
        'migrate as the owner of the database, which revokes that (TAKT_ALLOW_OWNER=1 lets it pass)',
    ]);
    expect((await check(addressOf(test.url, login), 'api', true)).role).to.equal(undefined);
  });

  it('reports a missing migration before it reports problems of the log-in', async () => {
    const empty = await createTestDatabase({ migrated: false });
    const { problems } = await check(empty.appUrl('api'));
    expect(problems.join()).to.match(/^the schema has version 0, \d+ is needed: run takt migrate$/);
    await empty.close();
  });
});
