import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { commandLineOf } from '../../src/server.js';
import { expectEnded, type FoundProcess, processesOf, serverOf } from '../embedded-homes.js';
import { embeddedServers, queryOnce, untilAnswers } from '../holders.js';
import { waitUntil } from '../wait-until.js';

describe('the embedded server', function () {
  this.timeout(180_000);
  const { homes, holders, open } = embeddedServers();

  it('answers at the same address with all committed data after postgres was killed', async () => {
    const home = await homes.create();
    const { url, close } = await open(home);
    await queryOnce(url, 'create table kept as select 42 as value');
    for (let time = 0; time < 2; time++) {
      const { pid } = await serverOf(home);
      await kill(pid);
      await untilReplaced(home, pid);
      await untilAnswers(url, 25_000);
    }
    expect(await queryOnce(url, 'select value from kept')).to.equal(42);
    await close();
  });

  it('is restarted if postgres is killed before it accepts connections', async () => {
    const home = await homes.create();
    const opening = open(home);
    let pid: number | undefined;
    const isServer = ({ kind, command }: FoundProcess) =>
      kind === 'postgres' && command.includes('takt.data_directory=');
    await waitUntil(
      'the server starts',
      async () => {
        pid = (await processesOf(home)).find(isServer)?.pid;
        return pid !== undefined;
      },
      60_000,
      5,
    );
    await kill(pid ?? 0);
    const { url, close } = await opening;
    // On a busy machine, the test may notice the server only after it accepts connections.
    await untilAnswers(url, 25_000);
    expect(await queryOnce(url, 'select 42')).to.equal(42);
    expect((await serverOf(home)).pid).not.to.equal(pid);
    await close();
  });

  it('is restarted by one of its two holders while the other holder is too busy', async () => {
    const home = await homes.create();
    const busy = await holders.start(home);
    const holder = await holders.start(home);
    busy.signal('SIGSTOP');
    const { pid } = await serverOf(home);
    await kill(pid);
    await untilReplaced(home, pid);
    await untilAnswers(busy.url, 25_000);
    await holder.release();
    // The other holder has no session with the new server, so it starts one when it goes on.
    busy.signal('SIGCONT');
    await untilAnswers(busy.url, 25_000);
    await busy.release();
    await expectEnded(home);
  });

  it('does not count as unable to start if postgres is killed before a holder has seen it ready', async () => {
    const home = await homes.create();
    const holder = await holders.start(home);
    const { pid } = await serverOf(home);
    await kill(pid);
    await untilReplaced(home, pid);
    holder.signal('SIGSTOP');
    const second = await serverOf(home);
    await untilAnswers(holder.url, 10_000);
    await kill(second.pid);
    holder.signal('SIGCONT');
    await untilReplaced(home, second.pid);
    await untilAnswers(holder.url, 10_000);
    await holder.release();
    await expectEnded(home);
  });

  it('is restarted at its old address when the program that took its port has ended', async () => {
    const home = await homes.create();
    const holder = await holders.start(home);
    const { pid, port } = await serverOf(home);
    const stranger = createServer();
    holder.signal('SIGSTOP');
    try {
      await kill(pid);
      // A killed process keeps its port until it has freed its memory.
      await waitUntil('the port is free', () => listens(stranger, port));
    } finally {
      holder.signal('SIGCONT');
    }
    const readLog = () => readFile(join(home, 'postgres/server.log'), 'utf8');
    await waitUntil('the port is refused', async () => (await readLog()).includes('could not bind'));
    stranger.close();
    await untilAnswers(holder.url, 10_000);
    await holder.release();
    await expectEnded(home);
  });

  it('runs on if its holders are killed, is taken over by the next start, and stops with it', async () => {
    const home = await homes.create();
    const holder = await holders.start(home);
    const before = await serverOf(home);
    await queryOnce(holder.url, 'create table kept as select 42 as value');
    await holder.kill();
    const { url, close } = await open(home);
    expect([url, (await serverOf(home)).pid]).to.deep.equal([holder.url, before.pid]);
    expect(await queryOnce(url, 'select value from kept')).to.equal(42);
    await close();
    expect(await commandLineOf(before.pid)).to.equal('');
    await expectEnded(home);
  });

  it('is held again after its session was ended by somebody else', async () => {
    const home = await homes.create();
    const { url, close } = await open(home);
    const sessions =
      "select count(*)::int from pg_stat_activity where application_name = 'takt: uses the server'";
    const ended =
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'takt: uses the server'";
    expect(await queryOnce(url, ended)).to.equal(true);
    await waitUntil('another session', async () => (await queryOnce(url, sessions)) === 1, 25_000);
    await close();
    await expectEnded(home);
  });

  it('starts although the process id in its lock file now belongs to another program', async () => {
    const home = await homes.create();
    const holder = await holders.start(home);
    const lockFile = join(home, 'postgres/data/postmaster.pid');
    const lock = await readFile(lockFile, 'utf8');
    await holder.release();
    // PostgreSQL itself ignores a lock file if the process belongs to another user.
    const { uid, gid } = await stat(join(home, 'postgres/data'));
    const stranger = spawn('sleep', ['60'], { uid, gid });
    await once(stranger, 'spawn');
    await writeFile(lockFile, lock.replace(/^\d+/, String(stranger.pid)));
    await chown(lockFile, uid, gid);
    const { url, close } = await open(home);
    expect(await queryOnce(url, 'select 1')).to.equal(1);
    expect(stranger.exitCode).to.equal(null);
    stranger.kill();
    await close();
  });

  it('starts although its lock file is empty after a kill', async () => {
    const home = await homes.create();
    const holder = await holders.start(home);
    const lockFile = join(home, 'postgres/data/postmaster.pid');
    await holder.release();
    const { uid, gid } = await stat(join(home, 'postgres/data'));
    await writeFile(lockFile, '');
    await chown(lockFile, uid, gid);
    const { url, close } = await open(home);
    expect(await queryOnce(url, 'select 1')).to.equal(1);
    await close();
  });
});

/** Kills a process with SIGKILL, and resolves when the process has ended. */
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
