import type { ChildProcess } from 'node:child_process';
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openDatabase } from '@takt/database';
import { runTakt, spawnTakt, type TaktEnvironment } from '@takt/database/testing';
import { findFreePort, waitUntil } from '@takt/test-support';
import { expect } from 'chai';

const PRODUCTION_TIMES = '/product/structure-versions/aggregated-production-times';
const TYPED_PASSWORD = 'correct-horse-battery-staple';
/** Makes Takt crash on SIGUSR2, with a stack on standard error as after a defect. */
const CRASH_ON_SIGNAL = `process.on('SIGUSR2', () => { throw new Error('a crash of the test'); });\n`;

/** The apps that `takt start` starts, each with the environment variable of its port. */
const PROGRAMS_AND_PORTS = {
  'takt-api': 'PORT',
  'takt-worker': 'WORKER_PORT',
  'takt-dashboard': 'DASHBOARD_PORT',
  'takt-intake': 'INTAKE_PORT',
} as const;
type Program = keyof typeof PROGRAMS_AND_PORTS;
const PROGRAMS: readonly Program[] = ['takt-api', 'takt-worker', 'takt-dashboard', 'takt-intake'];
const DASHBOARD_SESSION = 'takt_session';

/** Starts all of Takt as a person does, with the most detailed logs. Then searches everything that others may see. */
describe('no token, secret or password', function () {
  this.timeout(240_000);
  let folder: string;
  let home: string;
  let environment: TaktEnvironment;
  let takt: ChildProcess;
  let output = '';
  let api: string;
  /** All secrets, each with a description. */
  const secrets = new Map<string, string>();

  const read = (name: string) => readFile(join(home, name), 'utf8');
  const secretOf = (what: string) => {
    const secret = secrets.get(what);
    if (secret === undefined) throw new Error(`there is no ${what}`);
    return secret;
  };
  const post = (path: string, form: Readonly<Record<string, string>>, headers: Record<string, string> = {}) =>
    fetch(api + path, { method: 'POST', body: new URLSearchParams(form), headers, redirect: 'manual' });
  // Sends the request again after a 500, as a client does. A very busy machine may answer 500.
  const expectStatus = async (status: number, ask: () => Promise<Response>) => {
    let answer = await ask();
    for (let tries = 1; answer.status === 500 && tries < 20; tries++) answer = await ask();
    expect(answer.status, await answer.clone().text()).to.equal(status);
    return answer;
  };
  const originOf = (program: Program) => `http://127.0.0.1:${environment[PROGRAMS_AND_PORTS[program]]}`;
  const listProcesses = () =>
    execFileSync('ps', ['-ww', '-eo', 'pid,ppid,args'], { encoding: 'utf8' }).split('\n');

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'takt-secrets-test-'));
    home = join(folder, 'home');
    const hook = join(folder, 'crash-on-signal.mjs');
    await writeFile(hook, CRASH_ON_SIGNAL);
    const port = await findFreePort();
    api = `http://127.0.0.1:${port}`;
    environment = {
      TAKT_HOME: home,
      PORT: String(port),
      WORKER_PORT: String(await findFreePort()),
      DASHBOARD_PORT: String(await findFreePort()),
      INTAKE_PORT: String(await findFreePort()),
      LOG_LEVEL: 'trace',
      NODE_OPTIONS: `--import=${pathToFileURL(hook).href}`,
    };
    takt = spawnTakt(['start'], environment);
    for (const stream of [takt.stdout, takt.stderr]) stream?.on('data', (chunk) => (output += String(chunk)));
    await waitUntil('everything runs', () => output.includes('Ctrl-C stops'), 120_000);
    await collectKept();
  });
  after(async () => {
    if (takt.exitCode === null) takt.kill('SIGKILL');
    // The crash has left the embedded server, which stops with the next command.
    await runTakt(['status'], environment);
    await rm(folder, { recursive: true, force: true });
  });

  /** Collects the secrets in Takt's home folder, which only its owner may read. */
  async function collectKept(): Promise<void> {
    secrets.set('demo token', (await read('demo-token')).trim());
    secrets.set('publishing token', (await read('demo-publish-token')).trim());
    for (const [, who = '', , secret = ''] of (await read('demo-access')).matchAll(/^(\w+) (\d+) (\S+)/gm)) {
      secrets.set(`secret of the ${who}`, secret);
    }
    for (const app of await readdir(join(home, 'logins'))) {
      secrets.set(`log-in of the ${app}`, (await read(`logins/${app}`)).trim().split(':')[1] ?? '');
    }
    secrets.set('password of the server', (await read('postgres/password')).trim());
    expect(secrets.size).to.be.at.least(10);
  }

  async function idOf(who: string): Promise<string> {
    return new RegExp(`^${who} (\\d+) `, 'm').exec(await read('demo-access'))?.[1] ?? '';
  }

  /** Collects the tokens in an answer of the token endpoint. */
  async function keepTokens(grant: string, answer: Response): Promise<void> {
    const { access_token: access, refresh_token: refresh }: Record<string, string> = JSON.parse(
      await answer.text(),
    );
    secrets.set(`access token by ${grant}`, access ?? '');
    if (refresh !== undefined) secrets.set(`refresh token by ${grant}`, refresh);
  }

  it('is left out of this search', async () => {
    const client = { client_id: await idOf('client'), client_secret: secretOf('secret of the client') };
    const person = { username: await idOf('planner'), password: secretOf('secret of the planner') };
    const basic = Buffer.from(`${client.client_id}:${client.client_secret}`).toString('base64');
    secrets.set('basic authentication', basic);
    const token = '/oauth2/access_token';
    await keepTokens(
      'client',
      await expectStatus(200, () =>
        post(token, { grant_type: 'client_credentials' }, { Authorization: `Basic ${basic}` }),
      ),
    );
    const byPassword = await expectStatus(200, () =>
      post(token, { grant_type: 'password', ...client, ...person }),
    );
    await keepTokens('password', byPassword);
    const refresh = {
      grant_type: 'refresh_token',
      refresh_token: secretOf('refresh token by password'),
      ...client,
    };
    await keepTokens('refresh', await expectStatus(200, () => post(token, refresh)));
    await expectStatus(400, () => post(token, refresh));
    const added = await runTakt(
      ['user', 'add', 'Somebody', '--database', 'TEM-NO', '--password', '-'],
      environment,
      `${TYPED_PASSWORD}\n`,
    );
    expect(added.code, added.stderr).to.equal(0);
    secrets.set('password that was typed', TYPED_PASSWORD);
    const made = await runTakt(['token', 'create', '--database', 'TEM-NO'], environment);
    secrets.set('token of the command line', made.stdout.trim());
  });

  it('reaches a log from any part of a request', async () => {
    for (const [what, secret] of secrets) {
      const encoded = encodeURIComponent(secret);
      for (const path of [
        `${PRODUCTION_TIMES}?$access_token=${encoded}&$format=html`,
        `${PRODUCTION_TIMES}?$acces_token=${encoded}`,
        `${PRODUCTION_TIMES}&$access_token=${encoded}`,
        `/oauth2/acess_token&client_secret=${encoded}`,
        `${PRODUCTION_TIMES}?access-token=${encoded}&$top=1`,
        `${PRODUCTION_TIMES}?$filter=ProductName eq '${encoded}'`,
        `${PRODUCTION_TIMES}?$orderby=${encoded}`,
        `/oauth2?client_id=${encoded}&state=${encoded}&response_type=code`,
        `/oauth2?return=${encoded}&password=${encoded}`,
        `/oauth2/access_token?client_secret=${encoded}`,
      ]) {
        await (await fetch(api + path, { redirect: 'manual' })).text();
      }
      for (const [path, headers] of [
        [PRODUCTION_TIMES, { Authorization: secret }],
        [PRODUCTION_TIMES, { Authorization: `Bearer ${secret}` }],
        [PRODUCTION_TIMES, { Authorization: `Basic ${secret}` }],
        [PRODUCTION_TIMES, { Cookie: `takt_session=${secret}`, Accept: 'text/html' }],
      ] as const) {
        await (await fetch(api + path, { headers })).text();
      }
      for (const path of [`/?token=${encoded}`, `/rejected?text=${encoded}`, `/sign-in?return=${encoded}`]) {
        const headers = { Cookie: `${DASHBOARD_SESSION}=${secret}`, Authorization: `Bearer ${secret}` };
        await (await fetch(originOf('takt-dashboard') + path, { headers, redirect: 'manual' })).text();
      }
      const person = new URLSearchParams({ login: '1001', password: secret });
      await (await fetch(`${originOf('takt-dashboard')}/sign-in`, { method: 'POST', body: person })).text();
      await publishWith(secret);
      for (const form of [
        { grant_type: 'password', username: secret, password: secret, client_id: '1' },
        { grant_type: secret, token: secret },
        { pasword: secret, client_secrt: secret, code_verifier: secret, code: secret },
      ]) {
        await (await post('/oauth2/access_token', form)).text();
        await (await post('/oauth2/logout', form)).text();
        await (await post('/oauth2', form)).text();
      }
      expect(what).to.not.equal('');
    }
  });

  /**
   * Sends a secret to the intake in every part of a request: in correct places, in wrong places, and in published data.
   */
  async function publishWith(secret: string): Promise<void> {
    const url = `${originOf('takt-intake')}/events`;
    const encoded = encodeURIComponent(secret);
    const type = 'application/cloudevents+json';
    const event = {
      ...{ specversion: '1.0', id: secret, source: `/${encoded}`, type: 'work-order-operation.completed.v1' },
      data: { database: secret, runTime: secret },
    };
    for (const [address, headers, body] of [
      [url, { authorization: `Bearer ${secret}`, 'content-type': type }, JSON.stringify(event)],
      [url, { authorization: secret, 'content-type': 'application/json' }, `[${JSON.stringify(event)}`],
      [`${url}?$access_token=${encoded}`, { 'content-type': type }, JSON.stringify([event, { [secret]: 1 }])],
      [`${url}?$acces_token=${encoded}&$lang=${encoded}`, { 'content-type': type }, secret],
      [`${url}?skipInvalid=${encoded}`, { 'content-type': secret }, secret],
      [url, { 'ce-id': secret, 'ce-source': secret, 'ce-specversion': '1.0', 'ce-type': secret }, secret],
    ] as const) {
      await (await fetch(address, { method: 'POST', headers, body })).text();
    }
    await (await fetch(`${url}&$access_token=${encoded}?token=${encoded}`)).text();
  }

  it('appears in the process list, the metrics, the database, the database log, or the output of a crash', async () => {
    const shown = new Map<string, string>();
    shown.set('list of processes', listProcesses().join('\n'));
    for (const program of PROGRAMS) {
      shown.set(`metrics of ${program}`, await (await fetch(`${originOf(program)}/metrics`)).text());
      shown.set(`readiness of ${program}`, await (await fetch(`${originOf(program)}/health/ready`)).text());
    }
    shown.set('database', await dumpDatabase());
    await crash();
    shown.set('log of PostgreSQL', await read('postgres/server.log'));
    shown.set('output, a crash included', output);
    for (const [where, text] of shown) {
      expect(text, where).to.not.equal('');
      expect(findIn(text), where).to.deep.equal([]);
    }
  });

  /** Returns the descriptions of the secrets in a text. Finds them as plain text, URL-encoded, in base64 and in hex. */
  function findIn(text: string): readonly string[] {
    return [...secrets].flatMap(([what, secret]) => {
      const bytes = Buffer.from(secret);
      const forms = [
        secret,
        encodeURIComponent(secret),
        bytes.toString('base64').replace(/.{0,2}=*$/, ''),
        bytes.toString('hex'),
      ];
      return forms.some((form) => text.includes(form)) ? [what] : [];
    });
  }

  /** Returns every row of every table as text, including the log-ins of the server and the running statements. */
  async function dumpDatabase(): Promise<string> {
    const [port, password] = [(await read('postgres/port')).trim(), secretOf('password of the server')];
    const url = `postgres://takt:${password}@127.0.0.1:${port}/takt`;
    const database = openDatabase({ url, applicationName: 'takt test dump', maxConnections: 1 });
    try {
      const { rows: tables } = await database.pool.query<{ name: string }>(
        `SELECT oid::regclass::text AS name FROM pg_class
         WHERE relkind IN ('r', 'p', 'm') AND relnamespace::regnamespace::text IN ('takt', 'bullmq')
         UNION ALL VALUES ('pg_authid'), ('pg_stat_activity'), ('pg_db_role_setting')`,
      );
      const texts: string[] = [];
      for (const { name } of tables) {
        const { rows } = await database.pool.query<{ row: string }>(
          `SELECT one::text AS row FROM ${name} AS one`,
        );
        texts.push(`${name}: ${rows.length}`, ...rows.map(({ row }) => row));
      }
      expect(texts.join()).to.match(/takt\.access_tokens: [1-9]|access_tokens: [1-9]/);
      return texts.join('\n');
    } finally {
      await database.close();
    }
  }

  /** Makes Takt crash, and waits until it has ended. */
  async function crash(): Promise<void> {
    const ended = new Promise((resolve) => takt.once('exit', resolve));
    takt.kill('SIGUSR2');
    await ended;
    expect(output).to.include('a crash of the test');
  }
});
