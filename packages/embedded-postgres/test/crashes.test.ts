import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { leaseEmbeddedServer } from '../src/lease-embedded-server.js';
import { commandLineOf } from '../src/running-server.js';
import { expectEnded, processesOf, serverOf } from './embedded-homes.js';
import { embeddedServers, queryOnce, untilAnswers, untilLeased } from './holders.js';

describe('the embedded server, after kill -9', function () {
  this.timeout(180_000);
  const { homes, holders, lease } = embeddedServers();

  it('of postgres answers again at the same address with what was committed', async () => {
    const home = await homes.create();
    const { url, close } = await lease(home);
    await queryOnce(url, 'create table kept as select 42 as value');
    for (let time = 0; time < 2; time++) {
      const { pid, guardianPid } = await serverOf(home);
      await kill(pid);
      await untilReplaced(home, pid);
      await untilAnswers(url, 25_000);
      expect((await serverOf(home)).guardianPid).to.equal(guardianPid);
    }
    expect(await queryOnce(url, 'select value from kept')).to.equal(42);
    // Before its lease is renewed, its close leaves the server to the guardian, which waits half a minute for others.
    await untilLeased(url, 1);
    await close();
  });

  it('of postgres before it takes connections starts it again', async () => {
    const home = await homes.create();
    const leased = lease(home);
    let pid: number | undefined;
    const isServer = (command: string) => command.includes('takt.data_directory=');
    await waitUntil(
      'the server starts',
      async () => {
        pid = (await processesOf(home)).find(({ command }) => isServer(command))?.pid;
        return pid !== undefined;
      },
      60_000,
      5,
    );
    await kill(pid ?? 0);
    const { url, close } = await leased;
    // On a busy machine it is found so late that it takes connections already.
    await untilAnswers(url, 25_000);
    expect(await queryOnce(url, 'select 42')).to.equal(42);
    expect((await serverOf(home)).pid).not.to.equal(pid);
    await close();
  });

  it('of postgres keeps the new server for a holder that is too busy to renew its lease', async () => {
    const home = await homes.create();
    const holder = await holders.start(home);
    holder.signal('SIGSTOP');
    const { pid } = await serverOf(home);
    await kill(pid);
    await untilReplaced(home, pid);
    const replacement = await serverOf(home);
    await sleep(6_000);
    expect((await serverOf(home)).pid).to.equal(replacement.pid);
    holder.signal('SIGCONT');
    await untilLeased(holder.url, 1);
    await holder.release();
    await expectEnded(home);
  });

  it('of postgres before its guardian has seen it ready is no refusal to start', async () => {
    const home = await homes.create();
    const holder = await holders.start(home);
    const { pid, guardianPid } = await serverOf(home);
    await kill(pid);
    await untilReplaced(home, pid);
    process.kill(guardianPid, 'SIGSTOP');
    const second = await serverOf(home);
    await untilAnswers(holder.url, 10_000);
    await kill(second.pid);
    process.kill(guardianPid, 'SIGCONT');
    await untilReplaced(home, second.pid);
    await untilAnswers(holder.url, 10_000);
    expect((await serverOf(home)).guardianPid).to.equal(guardianPid);
    await untilLeased(holder.url, 1);
    await holder.release();
    await expectEnded(home);
  });

  it('of postgres comes back at the same address once a program that took its port has ended', async () => {
    const home = await homes.create();
    const holder = await holders.start(home);
    const { pid, port, guardianPid } = await serverOf(home);
    const stranger = createServer();
    process.kill(guardianPid, 'SIGSTOP');
    try {
      await kill(pid);
      // A process that was killed gives its memory back before its port.
      await waitUntil('the port is free', () => listens(stranger, port));
    } finally {
      process.kill(guardianPid, 'SIGCONT');
    }
    const readLog = () => readFile(join(home, 'postgres/server.log'), 'utf8');
    await waitUntil('the port is refused', async () => (await readLog()).includes('could not bind'));
    stranger.close();
    await untilAnswers(holder.url, 10_000);
    await untilLeased(holder.url, 1);
    await holder.release();
    await expectEnded(home);
  });

  it('of the guardian answers again at the same address, with one server left', async () => {
    const home = await homes.create();
    const holder = await holders.start(home);
    const other = await holders.start(home);
    const before = await serverOf(home);
    await kill(before.guardianPid);
    await untilReplaced(home, before.pid);
    await untilAnswers(holder.url, 25_000);
    expect(await commandLineOf(before.pid)).to.equal('');
    // Either holder alone keeps the server.
    await untilLeased(holder.url, 2);
    await waitUntil(
      'one guardian',
      async () => count(home, 'guardian').then((guardians) => guardians === 1),
      25_000,
    );
    expect(await count(home, 'postgres')).to.equal(1);
    await holder.release();
    await untilAnswers(other.url, 25_000);
    await other.release();
    await expectEnded(home);
  });

  it('of guardian and holder stops, and starts again with its data', async () => {
    const home = await homes.create();
    const holder = await holders.start(home);
    await queryOnce(holder.url, 'create table kept as select 42 as value');
    await kill((await serverOf(home)).guardianPid);
    await holder.kill();
    await waitUntil('no process is left', async () => (await processesOf(home)).length === 0, 25_000);
    const { url, close } = await lease(home);
    expect(url).to.equal(holder.url);
    expect(await queryOnce(url, 'select value from kept')).to.equal(42);
    await close();
  });

  it('of guardian and watchdog has the server end with its last lease', async () => {
    const home = await homes.create();
    const holder = await holders.start(home);
    const { pid, guardianPid } = await serverOf(home);
    await kill(await watchdogOf(pid));
    await kill(guardianPid);
    expect(await queryOnce(holder.url, 'select 1')).to.equal(1);
    await holder.release();
    await expectEnded(home);
  });

  it('of guardian and watchdog has the server replaced at the same address while it is leased', async () => {
    const home = await homes.create();
    const holder = await holders.start(home);
    const { pid, guardianPid } = await serverOf(home);
    await kill(await watchdogOf(pid));
    await kill(guardianPid);
    await untilReplaced(home, pid);
    await untilLeased(holder.url, 1);
    await holder.release();
    await expectEnded(home);
  });

  it('of everything but postgres has it replaced by the next start', async () => {
    const home = await homes.create();
    const holder = await holders.start(home);
    const before = await serverOf(home);
    await kill(await watchdogOf(before.pid));
    await kill(before.guardianPid);
    await holder.kill();
    expect(await count(home, 'postgres')).to.equal(1);
    const { url, close } = await leaseEmbeddedServer({ home, startDeadlineMs: 12_000 });
    expect(await queryOnce(url, 'select 1')).to.equal(1);
    expect(await commandLineOf(before.pid)).to.equal('');
    await close();
  });

  it('is not kept out by a lock whose process id now belongs to another program', async () => {
    const home = await homes.create();
    const holder = await holders.start(home);
    const lockFile = join(home, 'postgres/data/postmaster.pid');
    const lock = await readFile(lockFile, 'utf8');
    await holder.release();
    // PostgreSQL takes processes of other users for unrelated by itself.
    const { uid, gid } = await stat(join(home, 'postgres/data'));
    const stranger = spawn('sleep', ['60'], { uid, gid });
    await once(stranger, 'spawn');
    await writeFile(lockFile, lock.replace(/^\d+/, String(stranger.pid)));
    await chown(lockFile, uid, gid);
    const { url, close } = await lease(home);
    expect(await queryOnce(url, 'select 1')).to.equal(1);
    expect(stranger.exitCode).to.equal(null);
    stranger.kill();
    await close();
  });
});

/** As kill -9; resolves when the process is gone. */
async function kill(pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await waitUntil('the process has ended', async () => (await commandLineOf(pid)) === '', 25_000);
}

function listens(server: Server, port: number): Promise<boolean> {
  server.listen(port, '127.0.0.1');
  return once(server, 'listening').then(
    () => true,
    () => false,
  );
}

async function untilReplaced(home: string, pid: number): Promise<void> {
  await waitUntil(
    'another server',
    async () => (await serverOf(home).catch(() => ({ pid }))).pid !== pid,
    25_000,
  );
}

async function count(home: string, kind: 'guardian' | 'postgres'): Promise<number> {
  return (await processesOf(home)).filter((found) => found.kind === kind).length;
}

async function watchdogOf(postgresPid: number): Promise<number> {
  const all = await processesOf(`takt-watchdog ${postgresPid} `);
  return all[0]?.pid ?? Number.NaN;
}
