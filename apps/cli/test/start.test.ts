import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '@takt/test-support';
import { expect } from 'chai';
import { runTakt, spawnTakt, type TaktEnvironment } from './support/run-takt.js';

const run = promisify(execFile);

describe('takt start', function () {
  this.timeout(60_000);
  let home: string;
  let environment: TaktEnvironment;
  const running: ChildProcess[] = [];

  /** Starts, and resolves when standard output says that everything runs. */
  const start = async (...args: readonly string[]) => {
    const child = spawnTakt(['start', ...args], environment);
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
  const listProcesses = async () => {
    const { stdout } = await run('ps', ['-eo', 'pid,ppid,args']);
    return stdout.split('\n').map((line) => {
      const [pid = '', parent = '', ...args] = line.trim().split(/ +/);
      return { pid: Number(pid), parent: Number(parent), args: args.join(' ') };
    });
  };
  const findWorker = async (parent: ChildProcess) => {
    const processes = await listProcesses();
    return processes.find((one) => one.parent === parent.pid && one.args.includes('takt-worker'))?.pid;
  };
  /** Waits until nothing is left of this home's server and of the given processes; gives, and ends, what is. */
  const findLeftovers = async (...pids: readonly (number | undefined)[]) => {
    const deadline = Date.now() + 15_000;
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
    environment = { TAKT_HOME: join(home, 'new'), WORKER_PORT: String(await findFreePort()) };
  });
  after(async () => {
    for (const child of running) child.kill('SIGKILL');
    await rm(home, { recursive: true, force: true });
  });

  it('makes everything in an empty folder, loads demo data, prints the addresses; Ctrl-C ends all of it', async () => {
    const { child, said } = await start();
    expect(said.stdout).to.match(/Figures of 400 structure versions from \d{5} operations are ready/);
    const addresses = [...said.stdout.matchAll(/http:\S+/g)].map(([address]) => address);
    expect(addresses.length).to.equal(2);
    for (const address of addresses) expect((await fetch(address)).status).to.equal(200);

    const second = await runTakt(['start'], environment);
    expect(second.code).to.equal(1);
    expect(second.stderr).to.match(/port \d+ of 127\.0\.0\.1 is taken.*WORKER_PORT/);

    const companies = JSON.parse((await runTakt(['company', 'list', '--json'], environment)).stdout);
    expect(companies).to.deep.equal([
      { code: 'TEM-NO', name: 'Tempus Norge' },
      { code: 'TEM-SE', name: 'Tempus Sverige' },
    ]);
    expect((await runTakt(['audit'], environment)).stdout).to.equal(
      'audited 400 structure versions, 0 differences\n',
    );

    const worker = await findWorker(child);
    child.kill('SIGINT');
    const [code] = await once(child, 'exit');
    expect(code, said.stderr).to.equal(0);
    expect(await findLeftovers(child.pid, worker)).to.deep.equal([]);
  });

  it('loads no demo data a second time, starts a worker that died again, and leaves nothing when it is killed', async () => {
    const { child, said } = await start();
    expect(said.stderr).to.not.include('demo');
    const first = await findWorker(child);
    process.kill(Number(first), 'SIGKILL');
    const ready = `http://127.0.0.1:${environment['WORKER_PORT']}/health/ready`;
    const deadline = Date.now() + 20_000;
    while (!said.stderr.includes('starting it again') && Date.now() < deadline) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(said.stderr).to.match(/the worker ended \(SIGKILL\), starting it again in \d/);
    let isReady = false;
    while (!isReady && Date.now() < deadline) {
      isReady = await fetch(ready).then(
        ({ ok }) => ok,
        () => false,
      );
    }
    expect(isReady).to.equal(true);
    const second = await findWorker(child);
    expect(second).to.be.a('number').and.not.equal(first);
    child.kill('SIGKILL');
    expect(await findLeftovers(child.pid, second)).to.deep.equal([]);
  });

  it('works in a folder of its own without any start: the embedded server lives as long as a command', async () => {
    const elsewhere = { TAKT_HOME: join(home, 'elsewhere') };
    const published = await runTakt(['publish', '-'], elsewhere, '\n');
    expect(published).to.deep.equal({ code: 0, stdout: 'published 0\n', stderr: '' });
    expect(await findLeftovers()).to.deep.equal([]);
  });

  it('names a port that another program has', async () => {
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
