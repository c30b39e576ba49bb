import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { runTakt } from '@takt/database/testing';
import { findFreePort, needsProgram, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { openTestSystem, type TestSystem } from '../support/test-system.js';

const BIN = (path: string) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));
const PROGRAMS = {
  api: { path: BIN('api/bin/takt-api.js'), started: 'serving' },
  worker: { path: BIN('worker/bin/takt-worker.js'), started: 'taking events' },
};
const ASKED = ['/', '/openapi.json', '/nothing'];

interface Hearing {
  readonly settings?: Readonly<Record<string, string>>;
  /** Called while the program runs, with its address and its output so far. */
  readonly meanwhile?: (origin: string, heard: { readonly stdout: string }) => Promise<void>;
}

/** Maximum length of a line in characters. A terminal would wrap longer lines. */
const SHORT = 200;

describe('standard output', function () {
  this.timeout(180_000);
  let system: TestSystem;
  let environment: Readonly<Record<string, string>>;

  before(async function () {
    needsProgram(this, 'script');
    system = await openTestSystem(this, 'postgres');
    environment = {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: system.databaseUrl,
      QUEUE_URL: system.queueUrl,
      TAKT_ALLOW_OWNER: 'true',
    };
  });
  after(() => system?.close());

  /** Runs a program until it has started, stops it, and returns its output. */
  async function hear(
    command: string,
    args: readonly string[],
    started: string,
    { settings = {}, meanwhile = async () => undefined }: Hearing = {},
  ) {
    const ports = { PORT: String(await findFreePort()), WORKER_PORT: '0' };
    const child = spawn(command, args, {
      env: { ...environment, ...ports, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const heard = { stdout: '', stderr: '' };
    child.stdout.on('data', (data) => (heard.stdout += String(data)));
    child.stderr.on('data', (data) => (heard.stderr += String(data)));
    const ended = new Promise((resolve) => child.once('close', resolve));
    try {
      await waitUntil(`${args.join(' ')} says ${started}`, () => heard.stdout.includes(started), 60_000);
      await meanwhile(`http://127.0.0.1:${ports.PORT}`, heard);
      process.kill(await innermost(child));
      await ended;
    } finally {
      child.kill('SIGKILL');
    }
    return heard;
  }

  for (const [app, { path, started }] of Object.entries(PROGRAMS)) {
    it(`contains only JSON lines if it is a pipe: ${app}`, async () => {
      const { stdout, stderr } = await hear(process.execPath, [path], started);
      const lines = stdout.trimEnd().split('\n');
      expect(lines.length).to.be.above(1);
      for (const line of lines) expect(JSON.parse(line)).to.include.keys('level', 'time', 'msg', 'app');
      expect(stderr).to.equal('');
    });

    it(`has short and readable lines on a terminal: ${app}`, async () => {
      const command = `${process.execPath} ${path}`;
      const { stdout } = await hear('script', ['-qec', command, '/dev/null'], started);
      const lines = stdout.trimEnd().split('\r\n');
      expect(lines.some((line) => line.includes(`[${app}] ${started}`))).to.equal(true);
      for (const line of lines) {
        expect(line).not.to.match(/^\s*\{.*\}$/);
        if (!line.includes('TAKT_ALLOW_OWNER')) expect(line.length, line).to.be.below(SHORT);
      }
    });
  }

  it('shows API requests on a terminal only with LOG_LEVEL=debug', async () => {
    const { path, started } = PROGRAMS.api;
    const requestsIn = (stdout: string) => stdout.split('[api] request').length - 1;
    const hearRequests = async (settings: Readonly<Record<string, string>>, expected: number) => {
      const args = ['-qec', `${process.execPath} ${path}`, '/dev/null'];
      const { stdout } = await hear('script', args, started, {
        settings,
        meanwhile: async (origin, heard) => {
          for (const target of ASKED) await (await fetch(origin + target)).arrayBuffer();
          await waitUntil('they are heard', () => requestsIn(heard.stdout) >= expected);
        },
      });
      return requestsIn(stdout);
    };
    expect(await hearRequests({ LOG_LEVEL: 'debug' }, ASKED.length)).to.be.at.least(ASKED.length);
    expect(await hearRequests({}, 0)).to.equal(0);
  });

  it('contains only the result of a command; messages go to standard error', async () => {
    const status = await runTakt(['status', '--json'], environment);
    expect(JSON.parse(status.stdout)).to.include.keys('queues', 'database', 'rejected');
    expect(status.stderr).to.equal('');
    const audit = await runTakt(['audit', '--json'], environment);
    expect(JSON.parse(audit.stdout)).to.include({ structureVersions: 0 });
    expect(audit.stderr).to.equal('audited 0 structure versions, 0 differences\n');
    const wrong = await runTakt(['audit', '--database', 'NOBODY'], environment);
    expect(wrong).to.deep.equal({ code: 1, stdout: '', stderr: 'takt: company NOBODY is not registered\n' });
  });
});

/** Returns the pid of the process, or of the program that `script` runs in its terminal. */
async function innermost({ pid = 0 }: ChildProcess): Promise<number> {
  const children = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim();
  return children === '' ? pid : Number(children.split(' ')[0]);
}
