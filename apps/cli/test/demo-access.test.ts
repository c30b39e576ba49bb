import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  disableUser,
  findAccessToken,
  grantClientCredentials,
  grantPassword,
  holds,
  listApiClients,
  listUsers,
  revokeAccessToken,
  signIn,
} from '@takt/access';
import { createTestDatabase, type TestDatabase } from '@takt/database/testing';
import { addCompany } from '@takt/figures/master-data';
import { expect } from 'chai';
import { describeDemo } from '../src/commands/start.js';
import { obtainDemoAccess } from '../src/demo-access.js';

describe('the access to the demo that takt start creates', function () {
  this.timeout(180_000);
  let test: TestDatabase;
  let folder: string;
  let home: string;

  before(async () => {
    test = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'takt-demo-access-test-'));
    home = join(folder, 'home');
  });
  after(async () => {
    await test.close();
    await rm(folder, { recursive: true });
  });

  const obtain = () => obtainDemoAccess(test.database, home);
  const find = (token: string | undefined) => findAccessToken(test.database.pool, token ?? '');
  /** Returns the number and the secret of each person or client. */
  const readSecrets = async () => {
    const text = await readFile(join(home, 'demo-access'), 'utf8');
    const lines = [...text.matchAll(/^(\w+) (\d+) (\S+) \S+Z$/gm)];
    return new Map(lines.map(([, who, id, secret = '']) => [who, { id: Number(id), secret }]));
  };

  it('is not created without a registered company of the demo', async () => {
    await addCompany(test.database, 'OWN', "The site's own");
    expect(await obtain()).to.equal(undefined);
    expect((await test.database.pool.query('SELECT FROM access_tokens')).rowCount).to.equal(0);
    expect([await listUsers(test.database), await listApiClients(test.database)]).to.deep.equal([[], []]);
  });

  it('has a token only for the companies of the demo, for 7 days, in a file that only its owner can read', async () => {
    await addCompany(test.database, 'TEM-SE', 'Tempus Sverige', { isDemo: true });
    await addCompany(test.database, 'TEM-NO', 'Tempus Norge', { isDemo: true });
    const made = (await obtain())?.token;
    const grant = await find(made?.token);
    expect(grant?.companies.map(({ code }) => code)).to.deep.equal(['TEM-NO', 'TEM-SE']);
    expect(made?.companyCodes).to.deep.equal(['TEM-NO', 'TEM-SE']);
    expect(made?.expiresAt).to.deep.equal(grant?.expiresAt);
    const days = ((grant?.expiresAt.getTime() ?? Number.NaN) - Date.now()) / 86_400_000;
    expect(days).to.be.within(6.99, 7);
    expect(made?.path).to.equal(join(home, 'demo-token'));
    for (const name of ['demo-token', 'demo-access']) {
      expect((await stat(join(home, name))).mode & 0o777, name).to.equal(0o600);
    }
    expect(await readFile(join(home, 'demo-token'), 'utf8')).to.equal(`${made?.token}\n`);
  });

  it('has a saved view as an example in each company', async () => {
    const { rows } = await test.database.pool.query('SELECT is_shared FROM takt.saved_views');
    expect(rows).to.deep.equal([{ is_shared: true }, { is_shared: true }]);
  });

  it('has a second token in the same file that can only publish', async () => {
    const made = await obtain();
    const grant = await find(made?.publishing.token);
    expect(grant?.duties).to.deep.equal([]);
    expect(grant?.companies.map(({ code }) => code)).to.deep.equal(['TEM-NO', 'TEM-SE']);
    const path = join(home, 'demo-publish-token');
    expect(made?.publishing.path).to.equal(path);
    expect((await stat(path)).mode & 0o777).to.equal(0o600);
    expect(await readFile(path, 'utf8')).to.equal(`${made?.publishing.token}\n`);
    const grants = [grant, await find(made?.token?.token)];
    expect(grants.map((one) => one !== undefined && holds(one.permissions, 'publish-events'))).to.deep.equal([
      true,
      false,
    ]);
    expect((await obtain())?.publishing).to.deep.equal(made?.publishing);
    await revokeAccessToken(test.database, made?.publishing.token ?? '');
    expect((await obtain())?.publishing.token).not.to.equal(made?.publishing.token);
  });

  it('has a planner with all rights, an operator without planned times, and a client without application versions', async () => {
    const access = await obtain();
    const secrets = await readSecrets();
    const { pool } = test.database;
    const grants = [];
    for (const who of ['planner', 'operator']) {
      const { id = 0, secret = '' } = secrets.get(who) ?? {};
      const session = await signIn(pool, { pid: id, password: secret });
      if ('refused' in session) throw new Error(session.refused);
      grants.push(await find(session.issued.accessToken));
    }
    const { id: clientId = 0, secret } = secrets.get('client') ?? {};
    const ofClient = await grantClientCredentials(pool, { clientId, secret });
    if ('refused' in ofClient) throw new Error(ofClient.refused);
    grants.push(await find(ofClient.issued.accessToken));
    const [planner, operator, client] = grants;
    expect(planner?.duties).to.include.members(['read-planned-times', 'read-persons']);
    expect(operator?.duties).to.include('read-production-times').and.not.include('read-planned-times');
    expect(client?.permissions).to.deep.equal(['production-times', 'error-messages']);
    for (const grant of grants) {
      expect(grant?.companies.map(({ code }) => code)).to.deep.equal(['TEM-NO', 'TEM-SE']);
    }
    expect(access?.people.map(({ pid }) => pid)).to.deep.equal([planner?.pid, operator?.pid]);
    expect(await find(access?.token?.token)).to.include({ pid: planner?.pid, clientId: null });
    const { id: pid = 0, secret: password = '' } = secrets.get('operator') ?? {};
    expect(await grantPassword(pool, { clientId, secret }, { pid, password })).to.have.property('issued');
  });

  it('keeps its token at every start until the token expires', async () => {
    const first = await obtain();
    expect(await obtain()).to.deep.equal(first);
    await revokeAccessToken(test.database, first?.token?.token ?? '');
    const second = await obtain();
    expect(second?.token?.token).not.to.equal(first?.token?.token);
    expect(second?.people).to.deep.equal(first?.people);
    expect(await obtain()).to.deep.equal(second);
    expect([
      (await listUsers(test.database)).length,
      (await listApiClients(test.database)).length,
    ]).to.deep.equal([2, 1]);
  });

  it('is created anew if its file is wrong or belongs to another database', async () => {
    const path = join(home, 'demo-access');
    const before = await readSecrets();
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace(/^operator.*$/m, 'operator nonsense'));
    await obtain();
    const after = await readSecrets();
    expect(after.get('planner')).to.deep.equal(before.get('planner'));
    expect(after.get('operator')).not.to.deep.equal(before.get('operator'));
    await test.database.pool.query("UPDATE users SET created_at = created_at - interval '1 s'");
    await obtain();
    expect((await readSecrets()).get('planner')).not.to.deep.equal(before.get('planner'));
    expect((await readSecrets()).get('client')).to.deep.equal(before.get('client'));
  });

  it('is created anew after a change of the companies of the demo', async () => {
    const first = await obtain();
    await addCompany(test.database, 'TEM-DK', 'Tempus Danmark', { isDemo: true });
    const second = await obtain();
    expect(second?.token?.token).not.to.equal(first?.token?.token);
    expect(second?.token?.companyCodes).to.deep.equal(['TEM-DK', 'TEM-NO', 'TEM-SE']);
  });

  it('excludes disabled persons and clients', async () => {
    const [planner, operator] = (await obtain())?.people ?? [];
    await disableUser(test.database, planner?.pid ?? 0);
    const left = await obtain();
    expect(left?.token).to.equal(undefined);
    expect(left?.people).to.deep.equal([operator]);
  });

  it('is printed without a password, a token or a code', () => {
    const access = {
      token: {
        token: 'takt_x',
        expiresAt: new Date(0),
        companyCodes: ['TEM-NO', 'TEM-SE'],
        path: '.takt/demo-token',
      },
      people: [{ who: 'planner', pid: 1001, what: 'a planner' } as const],
      secretsPath: '.takt/demo-access',
    };
    const lines = describeDemo(access, [
      { url: 'http://127.0.0.1:3000/a?$format=html', what: 'a page' },
      { url: 'http://127.0.0.1:3000/a?$format=json', what: 'JSON' },
    ]);
    expect(lines[0]).to.match(/^Production times of TEM-NO, TEM-SE\. npx takt open signs you in/);
    expect(lines[1]).to.equal('.takt/demo-token, valid until 1970-01-01T00:00:00.000Z:');
    expect(lines.join('\n')).not.to.include('takt_x');
    expect(lines).to.include('  a page           http://127.0.0.1:3000/a?$format=html&$db=TEM-NO');
    expect(lines).to.include('  JSON             http://127.0.0.1:3000/a?$format=json&$db=TEM-NO');
    expect(lines.join('\n')).to.include('.takt/demo-token').and.include('.takt/demo-access');
    expect(lines.join('\n')).to.include('sign in, at http://127.0.0.1:3000/ with');
    expect(lines).to.include('  PID 1001  a planner');
  });
});
