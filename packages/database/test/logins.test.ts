import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  addressOf,
  appNames,
  appRoles,
  dropLogin,
  inventLogin,
  keepLogins,
  keptLoginUrl,
  type Login,
  LoginError,
  listLogins,
  makeGivenLogins,
  makeLogin,
  migrate,
} from '@takt/database';
import { type EmbeddedServer, openEmbeddedServer } from '@takt/embedded-postgres';
import { expect } from 'chai';
import pg from 'pg';

// These tests use a separate server with a log that contains every statement.
describe('a log-in of an app', () => {
  let home: string;
  let server: EmbeddedServer;
  let owner: pg.Client;

  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'takt-logins-'));
    server = await openEmbeddedServer({ home, settings: { fsync: 'off', log_statement: 'all' } });
    await migrate(server.url);
    owner = await connect(server.url);
  });
  after(async () => {
    await owner.end();
    await server.close();
    await rm(home, { recursive: true });
  });

  const canConnect = async (login: Login) => {
    const client = await connect(addressOf(server.url, login)).catch(() => undefined);
    await client?.end();
    return client !== undefined;
  };
  const rightsOf = async (name: string) => {
    const { rows } = await owner.query(
      `SELECT rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls AS "isMore", rolcanlogin AS "canLogIn",
         array_agg(concat_ws(' ', roleid::regrole, inherit_option, set_option, admin_option)) AS memberships
       FROM pg_authid JOIN pg_auth_members ON member = pg_authid.oid WHERE rolname = $1 GROUP BY pg_authid.oid`,
      [name],
    );
    return rows[0];
  };

  for (const app of appNames) {
    it(`is a member of ${appRoles[app]} if the app is the ${app}, and has no other rights`, async () => {
      const login = inventLogin(app);
      await makeLogin(server.url, app, login);
      expect(await rightsOf(login.name)).to.deep.equal({
        isMore: false,
        canLogIn: true,
        memberships: [`${appRoles[app]} t f f`],
      });
      const client = await connect(addressOf(server.url, login));
      const { rows } = await client.query('SELECT session_user AS login, current_user AS role');
      await client.end();
      expect(rows).to.deep.equal([{ login: login.name, role: login.name }]);
    });
  }

  it('gets a new password and the settings of its app when it is created again', async () => {
    const first = inventLogin('api', 'again');
    await makeLogin(server.url, 'api', first);
    const client = await connect(addressOf(server.url, first));
    await client.query("ALTER ROLE again SET statement_timeout = '1ms'");
    await client.query("ALTER ROLE again PASSWORD 'taken over'");
    await client.end();
    const second = inventLogin('api', 'again');
    await Promise.all([1, 2, 3].map(() => makeLogin(server.url, 'api', second)));
    expect([await canConnect(first), await canConnect(second)]).to.deep.equal([false, true]);
    expect(await canConnect({ name: 'again', password: 'taken over' })).to.equal(false);
    const { rows } = await owner.query("SELECT rolconfig FROM pg_roles WHERE rolname = 'again'");
    expect(rows[0]?.rolconfig).to.have.members([
      ...['search_path=takt, public', 'TimeZone=UTC', 'statement_timeout=1900', 'jit=off'],
      ...['lock_timeout=1500', 'idle_in_transaction_session_timeout=5000'],
    ]);
    expect(await rightsOf('again')).to.have.property('isMore', false);
  });

  it('leaves its password in no log and in no stored data', async () => {
    const login = inventLogin('worker');
    await makeLogin(server.url, 'worker', login);
    const { rows } = await owner.query<{ rolpassword: string }>(
      'SELECT rolpassword FROM pg_authid WHERE rolname = $1',
      [login.name],
    );
    expect(rows[0]?.rolpassword).to.match(/^SCRAM-SHA-256\$4096:/);
    const log = await readFile(join(home, 'postgres', 'server.log'), 'utf8');
    expect(log).to.include(login.name);
    expect(log).not.to.include(login.password);
  });

  it('cannot have the name of an existing role that is not a log-in of the same app', async () => {
    await owner.query('CREATE ROLE somebody LOGIN');
    await makeLogin(server.url, 'api', inventLogin('api', 'of_api'));
    await makeLogin(server.url, 'api', inventLogin('api', 'of_both'));
    await owner.query('GRANT takt_worker TO of_both');
    for (const [name, app] of [
      ['of_both', 'api'],
      ['takt', 'api'],
      ['takt_worker', 'worker'],
      ['somebody', 'api'],
      ['of_api', 'worker'],
    ] as const) {
      const outcome = await makeLogin(server.url, app, inventLogin(app, name)).catch(
        (error: unknown) => error,
      );
      expect(outcome, name).to.be.instanceOf(LoginError);
      expect(String(outcome)).to.include(`the role ${name} exists and is no log-in for the ${app}`);
    }
  });

  it('is listed with its app, and is dropped together with its sessions', async () => {
    const login = inventLogin('dashboard', 'listed');
    await makeLogin(server.url, 'dashboard', login);
    const client = await connect(addressOf(server.url, login));
    const ended = new Promise((resolve) => client.once('end', resolve));
    expect(await listLogins(owner)).to.deep.include({ name: 'listed', app: 'dashboard', connections: 1 });
    expect((await listLogins(owner)).map(({ name }) => name)).not.to.include.members(['takt']);
    await dropLogin(server.url, 'listed');
    await ended;
    expect((await listLogins(owner)).map(({ name }) => name)).not.to.include('listed');
    for (const name of ['listed', 'takt', 'takt_api', 'somebody']) {
      const outcome = await dropLogin(server.url, name).catch(String);
      expect(outcome).to.equal(
        `LoginError: there is no log-in ${name}: takt login list shows the existing ones`,
      );
    }
  });

  it('is stored in a file that only its owner may read, and can be recreated from the file', async () => {
    const kept = join(home, 'kept');
    expect(await keptLoginUrl(kept, 'api', server.url).catch(String)).to.match(
      /^LoginError: there is no log-in for the api in .*: run npx takt migrate, or npx takt start$/,
    );
    const [first, second] = await Promise.all([keepLogins(kept, server.url), keepLogins(kept, server.url)]);
    expect(first).to.deep.equal(second);
    expect(await keptLoginUrl(kept, 'api', server.url)).to.equal(first.api);
    expect((await stat(join(kept, 'logins', 'api'))).mode & 0o777).to.equal(0o600);
    await dropLogin(server.url, new URL(first.api).username);
    expect(await keepLogins(kept, server.url)).to.deep.equal(first);
    await (await connect(first.api)).end();
  });

  it('gets its password from a secret, and a new password after the secret has changed', async () => {
    const secrets = join(home, 'secrets');
    await mkdir(secrets);
    const give = async (app: string, password: string) => {
      await writeFile(join(secrets, app), password);
      return makeGivenLogins(secrets, server.url).catch(String);
    };
    expect(await makeGivenLogins(secrets, server.url).catch(String)).to.match(
      /^LoginError: .*secrets holds no password/,
    );
    const [first, second] = ['1'.repeat(24), '&2'.repeat(12)] as const;
    expect(await give('api', `${first}\n`)).to.deep.equal(['takt_api_login']);
    // The owner of the database is not an app, so its secret creates no log-in.
    expect(await give('owner', first)).to.deep.equal(['takt_api_login']);
    expect(await give('worker', second)).to.deep.equal(['takt_api_login', 'takt_worker_login']);
    expect(await canConnect({ name: 'takt_api_login', password: first })).to.equal(true);
    await give('api', second);
    expect(await canConnect({ name: 'takt_api_login', password: first })).to.equal(false);
    expect(await canConnect({ name: 'takt_api_login', password: second })).to.equal(true);
    expect(await rightsOf('takt_api_login')).to.have.property('isMore', false);
    for (const guessable of ['', 'secret', '1'.repeat(23), `${first} ${first}`, `${first}\n${first}\n`]) {
      expect(await give('worker', guessable), guessable).to.match(
        /^LoginError: .*worker must hold a password of 24/,
      );
    }
  });
});

describe('the URL for a log-in', () => {
  const login = { name: 'takt_api_1', password: 'pass-word_' };

  it("has the address of the owner's URL, and the name and password of the log-in", () => {
    for (const [ownerUrl, expected] of [
      [
        'postgres://o:secret@h:5/db?sslmode=require',
        'postgres://takt_api_1:pass-word_@h:5/db?sslmode=require',
      ],
      ['postgres://h/db?user=o&password=secret', 'postgres://takt_api_1:pass-word_@h/db'],
      ['postgresql://o@[::1]/db', 'postgresql://takt_api_1:pass-word_@[::1]/db'],
      ['postgres:///db?host=/run', 'postgres:///db?host=%2Frun&user=takt_api_1&password=pass-word_'],
    ] as const) {
      expect(addressOf(ownerUrl, login)).to.equal(expected);
    }
  });
});

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 20_000 });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}
