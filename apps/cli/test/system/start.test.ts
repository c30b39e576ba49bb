import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createTestDatabase, runTakt, spawnTakt, type TaktEnvironment } from '@takt/database/testing';
import { addCompany } from '@takt/figures/master-data';
import { findFreePort, waitUntil } from '@takt/test-support';
import { expect } from 'chai';

const run = promisify(execFile);

const ROOT = fileURLToPath(new URL('../../../../..', import.meta.url));

describe('takt start', function () {
  this.timeout(240_000);
  let home: string;
  let environment: TaktEnvironment;
  const running: ChildProcess[] = [];
  let demoToken: string | undefined;
  const countTokens = ({ stdout, stderr }: { stdout: string; stderr: string }) =>
    (stdout + stderr).split(/takt_[A-Za-z0-9_-]{43}/).length - 1;

  /** Runs takt start until the standard output reports that everything runs. */
  const start = async (changes: TaktEnvironment = {}) => {
    const child = spawnTakt(['start'], { ...environment, ...changes });
    running.push(child);
    const said = { stdout: '', stderr: '' };
    child.stderr.on('data', (chunk) => {
      said.stderr += String(chunk);
    });
    await new Promise<void>((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`ended with ${code}: ${said.stdout}${said.stderr}`)));
      child.stdout.on('data', (chunk) => {
        said.stdout += String(chunk);
        if (said.stdout.includes('Ctrl-C stops')) resolve();
      });
    });
    return { child, said };
  };
  /** Runs the displayed publishing command, and expects the figures at the displayed address. */
  const expectPublished = async (said: { readonly stdout: string }, addresses: readonly string[]) => {
    const line = /^ {2}(curl .* -d .*)$/m.exec(said.stdout)?.[1] ?? '';
    const page = addresses.find(
      (address) => address.includes('structure-versions/') && /\/\d+\//.test(address),
    );
    const asJson = (page ?? '').replace('$format=html', '$format=json');
    const readCount = async (): Promise<number> => {
      const text = await (await fetch(asJson, { headers: { Authorization: `Bearer ${demoToken}` } })).text();
      return Number(/"numberOfCompletedProductionWorkOrders":\s*(\d+)/i.exec(text)?.[1]);
    };
    const before = await readCount();
    for (const [index, shell] of ['sh', 'bash'].entries()) {
      const { stdout: answer } = await run(shell, ['-c', line], { cwd: ROOT });
      const warnings = said.stdout.split('\n').filter((entry) => /^\{"level":(40|50|60)/.test(entry));
      expect(JSON.parse(answer), [shell, ...warnings].join('\n')).to.deep.equal({
        accepted: 1,
        rejected: [],
      });
      await waitUntil('the figure has changed', async () => (await readCount()) === before + index + 1);
      // The id of the operation is the current time in seconds.
      const second = Math.floor(Date.now() / 1_000);
      await waitUntil('another second', () => Math.floor(Date.now() / 1_000) > second);
    }
  };
  const listProcesses = async () => {
    const { stdout } = await run('ps', ['-eo', 'pid,ppid,args']);
    return stdout.split('\n').map((line) => {
      const [pid = '', parent = '', ...args] = line.trim().split(/ +/);
      return { pid: Number(pid), parent: Number(parent), args: args.join(' ') };
    });
  };
  /**
   * Waits until no server of this home and no given process is running. Ends the remaining processes, and returns them.
   */
  const findLeftovers = async (...pids: readonly (number | undefined)[]) => {
    const deadline = Date.now() + 60_000;
    for (;;) {
      const left = (await listProcesses()).filter(
        ({ pid, args }) => args.includes(home) || pids.includes(pid),
      );
      if (left.length === 0) return left;
      if (Date.now() > deadline) {
        for (const { pid } of left) process.kill(pid, 'SIGKILL');
        return left;
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  };

  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'takt-start-test-'));
    environment = {
      TAKT_HOME: join(home, 'new'),
      PORT: String(await findFreePort()),
      WORKER_PORT: String(await findFreePort()),
      DASHBOARD_PORT: String(await findFreePort()),
      INTAKE_PORT: String(await findFreePort()),
    };
  });
  afterEach(() => {
    // A failed test leaves its process, which would make all following tests fail.
    for (const child of running.splice(0)) child.kill('SIGKILL');
  });
  after(() => rm(home, { recursive: true, force: true }));

  it('creates everything in an empty folder, loads the demo, and ends everything after Ctrl-C', async () => {
    const { child, said } = await start();
    expect(said.stdout).to.match(/Figures of 400 structure versions from \d{5} operations are ready/);
    // The standard output also contains the log of the apps as lines of JSON.
    const addresses = [...said.stdout.matchAll(/^ {2}\S.* (http:\S+)$/gm)].map(([, address = '']) => address);
    expect(addresses.length).to.equal(10);
    expect(addresses[0]).to.match(/\$format=html&\$db=TEM-NO$/);
    demoToken = (await readFile(join(String(environment['TAKT_HOME']), 'demo-token'), 'utf8')).trim();
    const dashboard = `http://127.0.0.1:${environment['DASHBOARD_PORT']}/`;
    for (const address of addresses) {
      // A token cannot open the dashboard.
      const status = address === dashboard ? 403 : 200;
      const headers = { Authorization: `Bearer ${demoToken}` };
      expect((await fetch(address, { headers })).status, address).to.equal(status);
    }
    expect(await (await fetch(dashboard)).text()).to.include('type="password"');
    expect(countTokens(said)).to.equal(0);
    const signInPage = /sign in, at (http:\S+\/) with/.exec(said.stdout)?.[1] ?? '';
    expect((await fetch(signInPage, { headers: { accept: 'text/html' } })).status).to.equal(200);
    expect(said.stdout).to.match(/^ {2}PID \d+ {2}a planner.*\n {2}PID \d+ {2}an operator/m);
    const secretsPath = join(String(environment['TAKT_HOME']), 'demo-access');
    expect(said.stdout).to.include(secretsPath);
    expect(said.stdout).to.include(`In another terminal, set TAKT_HOME=${environment['TAKT_HOME']} first.`);
    const secrets = [...(await readFile(secretsPath, 'utf8')).matchAll(/^\w+ \d+ (\S+) \S+Z$/gm)];
    expect(secrets.length).to.equal(3);
    for (const [, secret = ''] of secrets) expect(said.stdout + said.stderr).not.to.include(secret);
    const curl = /^ {2}(curl -H .*)$/m.exec(said.stdout)?.[1] ?? '';
    expect(JSON.parse((await run('sh', ['-c', `${curl} -s`])).stdout)).to.have.property('paging');
    await expectPublished(said, addresses);
    expect(said.stderr).to.match(
      /for data of your own: npx takt company add CODE NAME .*npx takt import FILE/,
    );

    const second = await runTakt(['start'], environment);
    expect(second.code).to.equal(1);
    expect(second.stderr).to.match(
      /^takt: Takt is running already with its data in \S+: http:\/\/127\.0\.0\.1:\d+\//,
    );

    const companies = JSON.parse((await runTakt(['company', 'list', '--json'], environment)).stdout);
    expect(companies).to.deep.equal([
      {
        code: 'TEM-NO',
        name: 'Tempus Norge',
        timeZone: 'UTC',
        timeUnit: 'h',
        hasMonthsInTimeZone: true,
        disabledAt: null,
      },
      {
        code: 'TEM-SE',
        name: 'Tempus Sverige',
        timeZone: 'UTC',
        timeUnit: 'h',
        hasMonthsInTimeZone: true,
        disabledAt: null,
      },
    ]);
    expect((await runTakt(['audit'], environment)).stdout).to.equal(
      'audited 400 structure versions, 0 differences\n',
    );

    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    expect(code, said.stderr).to.equal(0);
    expect(await findLeftovers(child.pid)).to.deep.equal([]);
  });

  it('keeps the demo at the next start, and leaves only its server to the next command when it is killed', async () => {
    const { child, said } = await start();
    expect(said.stderr).to.not.include('demo');
    expect(said.stdout).to.match(/^Production times of TEM-NO, TEM-SE\./m);
    expect((await readFile(join(String(environment['TAKT_HOME']), 'demo-token'), 'utf8')).trim()).to.equal(
      demoToken,
    );
    expect(countTokens(said)).to.equal(0);
    expect(said.stderr).not.to.include('for data of your own');
    child.kill('SIGKILL');
    expect((await runTakt(['audit'], environment)).stdout).to.equal(
      'audited 400 structure versions, 0 differences\n',
    );
    expect(await findLeftovers(child.pid)).to.deep.equal([]);
  });

  it('creates no token in the database of a site unless asked to', async () => {
    const { url, database, close } = await createTestDatabase();
    try {
      await addCompany(database, 'TEM-NO', 'Tempus Norge');
      const { child, said } = await start({ DATABASE_URL: url });
      child.kill('SIGINT');
      await once(child, 'exit');
      expect(said.stdout).not.to.include('oken');
      expect(countTokens(said)).to.equal(0);
      expect(said.stderr).to.include('npx takt token create --database CODE makes a token');
      expect((await database.pool.query('SELECT FROM access_tokens')).rowCount).to.equal(0);
    } finally {
      await close();
    }
  });

  it('explains the next steps without the demo, and ends when npm start receives a signal', async () => {
    const { url, close } = await createTestDatabase();
    try {
      // The script runs as npm runs it, because npm passes signals to its shell. It does not build, because other tests
      // are running.
      const { scripts } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
      await writeFile(join(home, 'npm'), '#!/bin/sh\n', { mode: 0o755 });
      const child = spawn('sh', ['-c', `${scripts.start} --no-demo`], {
        cwd: ROOT,
        env: { ...environment, PATH: `${home}:${process.env['PATH']}`, DATABASE_URL: url },
      });
      running.push(child);
      let talk = '';
      child.stderr.on('data', (chunk) => {
        talk += String(chunk);
      });
      await waitUntil('it says what to do', () => talk.includes('nobody is registered yet'), 60_000);
      expect(talk).to.match(
        /takt open .*company add CODE NAME .*import FILE, .*token create --database CODE/,
      );
      child.kill('SIGTERM');
      expect((await once(child, 'exit'))[0]).to.equal(0);
    } finally {
      await close();
    }
  });

  it('ends with the reason if PostgreSQL is killed, and the next start loads what is missing', async () => {
    const own = { TAKT_HOME: join(home, 'killed') };
    for (const victim of ['PostgreSQL', 'takt']) {
      const child = spawnTakt(['start'], { ...environment, ...own });
      running.push(child);
      let talk = '';
      child.stderr.on('data', (chunk) => {
        talk += String(chunk);
      });
      await waitUntil('the demo is being loaded', () => talk.includes('loading demo data'), 120_000);
      const isServer = ({ args }: { readonly args: string }) =>
        args.includes('takt.data_directory=') && args.includes(own.TAKT_HOME);
      const server = (await listProcesses()).find(isServer);
      if (server === undefined) throw new Error('no server runs');
      process.kill(victim === 'takt' ? Number(child.pid) : server.pid, 'SIGKILL');
      const [code] = await once(child, 'exit');
      expect(code, talk).to.equal(victim === 'takt' ? null : 1);
      if (victim !== 'takt') expect(talk).to.match(/^takt: .*The embedded PostgreSQL server has ended/m);
    }
    const { child, said } = await start(own);
    expect(said.stdout).to.match(/Figures of 400 structure versions from \d{5} operations are ready/);
    expect((await runTakt(['audit'], { ...environment, ...own })).stdout).to.equal(
      'audited 400 structure versions, 0 differences\n',
    );
    child.kill('SIGINT');
    expect((await once(child, 'exit'))[0], said.stderr).to.equal(0);
  }).timeout(300_000);

  it('is not needed for other commands: the embedded server then runs as long as the command', async () => {
    const elsewhere = { TAKT_HOME: join(home, 'elsewhere') };
    const published = await runTakt(['publish', '-'], elsewhere, '\n');
    expect(published).to.deep.equal({ code: 0, stdout: 'published 0\n', stderr: '' });
    expect(await findLeftovers()).to.deep.equal([]);
  });

  it('names a port that is in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const { code, stderr } = await runTakt(['start'], { ...environment, WORKER_PORT: String(port) });
    other.close();
    expect(stderr).to.include(`port ${port} of 127.0.0.1 is taken`);
    expect(code).to.equal(1);
  });
});
