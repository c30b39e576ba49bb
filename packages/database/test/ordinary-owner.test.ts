import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AppRole, migrate, openDatabase } from '@takt/database';
import { type EmbeddedServerLease, leaseEmbeddedServer } from '@takt/embedded-postgres';
import { expect } from 'chai';

// On a server of its own: the roles of the apps belong to the server, and the shared one has them already.
describe('a database owner who may create roles but is no superuser', () => {
  let home: string;
  let lease: EmbeddedServerLease;

  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'takt-owner-'));
    lease = await leaseEmbeddedServer({ home, settings: { fsync: 'off' } });
    const admin = openDatabase({ url: lease.url, applicationName: 'administration' });
    await admin.pool.query("CREATE ROLE site_owner LOGIN CREATEROLE PASSWORD 'secret'");
    for (const name of ['first', 'second'])
      await admin.pool.query(`CREATE DATABASE ${name} OWNER site_owner`);
    await admin.close();
  });
  after(async () => {
    await lease.close();
    await rm(home, { recursive: true });
  });

  it('migrates two databases of one server at once and then takes each role', async () => {
    const urls = ['first', 'second'].map((name) => urlOf(lease, name));
    await Promise.all(urls.map((url) => migrate(url)));
    const roles: readonly AppRole[] = ['takt_worker', 'takt_api', 'takt_dashboard'];
    for (const url of urls) {
      for (const role of roles) expect(await currentUser(url, role)).to.equal(role);
    }
  });
});

function urlOf(lease: EmbeddedServerLease, database: string): string {
  const url = new URL(lease.url);
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
