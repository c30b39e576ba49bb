import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AppRole,
  addressOf,
  appNames,
  appRoles,
  checkBeforeStart,
  dropLogin,
  inventLogin,
  makeLogin,
  migrate,
  openDatabase,
} from '@takt/database';
import { type EmbeddedServer, openEmbeddedServer } from '@takt/embedded-postgres';
import { expect } from 'chai';
import pg from 'pg';

// These tests need a server without the app roles, because roles belong to a server. The shared server already has
// them.
describe('a database owner who is not a superuser', () => {
  let home: string;
  let server: EmbeddedServer;

  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'takt-owner-'));
    server = await openEmbeddedServer({ home, settings: { fsync: 'off' } });
    const admin = openDatabase({ url: server.url, applicationName: 'administration' });
    await admin.pool.query("CREATE ROLE site_owner LOGIN CREATEROLE PASSWORD 'secret'");
    for (const name of ['first', 'second'])
      await admin.pool.query(`CREATE DATABASE ${name} OWNER site_owner`);
    await admin.close();
  });
  after(async () => {
    await server.close();
    await rm(home, { recursive: true });
  });

  it('can migrate two databases of one server at the same time', async () => {
    const urls = ['first', 'second'].map((name) => urlOf(server, name));
    await Promise.all(urls.map((url) => migrate(url)));
    for (const url of urls) {
      for (const role of Object.values(appRoles)) expect(await currentUser(url, role)).to.equal(role);
    }
  });

  it('can create and drop the log-ins of the apps', async () => {
    const url = urlOf(server, 'first');
    for (const app of appNames) {
      const login = inventLogin(app);
      await makeLogin(url, app, login);
      await makeLogin(url, app, login);
      const found = await checkBeforeStart(addressOf(url, login), { app, allowOwner: false });
      expect(found.problems, app).to.deep.equal([]);
      const session = new pg.Client(addressOf(url, login));
      session.on('error', () => undefined);
      await session.connect();
      const ended = new Promise<void>((resolve) => session.once('end', resolve));
      await dropLogin(url, login.name);
      await ended;
    }
  });

  it('learns what a superuser must do if PUBLIC still has its default rights', async () => {
    const url = urlOf(server, 'second');
    const { leftToSuperuser } = await migrate(url);
    expect(leftToSuperuser.join(';\n')).to.match(
      /^GRANT EXECUTE ON FUNCTION .*pg_advisory_lock.* TO takt_worker, takt_intake, takt_dashboard;\nREVOKE EXECUTE .*lo_creat.* FROM PUBLIC$/,
    );
    const superuser = openDatabase({ url: new URL('second', server.url).href, applicationName: 'superuser' });
    for (const statement of leftToSuperuser) await superuser.pool.query(statement);
    await superuser.close();
    expect(await migrate(url)).to.deep.include({ leftToSuperuser: [] });
  });

  it('learns what to do if the owner may not create roles', async () => {
    const url = urlOf(server, 'first');
    const admin = openDatabase({ url: server.url, applicationName: 'administration' });
    await admin.pool.query('ALTER ROLE site_owner NOCREATEROLE');
    const outcome = await makeLogin(url, 'api', inventLogin('api', 'refused')).catch(String);
    await admin.pool.query('ALTER ROLE site_owner CREATEROLE');
    await admin.close();
    expect(outcome).to.match(
      /^LoginError: the log-in refused cannot be created: use a database URL whose role may create roles .* takt login create/,
    );
  });
});

function urlOf(server: EmbeddedServer, database: string): string {
  const url = new URL(server.url);
  url.username = 'site_owner';
  url.password = 'secret';
  url.pathname = database;
  return url.href;
}

async function currentUser(url: string, role: AppRole): Promise<unknown> {
  const database = openDatabase({ url, role, applicationName: role });
  const { rows } = await database.pool.query<{ name: string }>('SELECT current_user AS name');
  await database.close();
  return rows[0]?.name;
}
