import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { openEmbeddedServer } from '../../src/embedded-server.js';
import { commandLineOf } from '../../src/server.js';
import { expectEnded, type FoundProcess, processesOf, serverOf, TEST_SETTINGS } from '../embedded-homes.js';
import { embeddedServers, queryOnce } from '../holders.js';
import { waitUntil } from '../wait-until.js';

describe('the embedded server', function () {
  this.timeout(180_000);
  const { homes, holders, open } = embeddedServers();

  it('tells its user when postgres was killed, and starts again with all committed data', async () => {
    const home = await homes.create();
    const ends: string[] = [];
    const first = await openEmbeddedServer({
      home,
      settings: TEST_SETTINGS,
      onEnd: ({ message }) => ends.push(message),
    });
    await queryOnce(first.url, 'create table kept as select 42 as value');
    await kill((await serverOf(home)).pid);
    await waitUntil('its user knows', () => ends.length > 0, 25_000);
    expect(ends.join()).to.match(/^The embedded PostgreSQL server has ended(.|\n)*server\.log/);
    const second = await open(home);
    expect(await queryOnce(second.url, 'select value from kept')).to.equal(42);
    await first.close();
    expect(await queryOnce(second.url, 'select value from kept'), 'still in use').to.equal(42);
    await second.close();
    expect(ends).to.have.length(1);
    await expectEnded(home);
  });

  it('is started again if postgres is killed before it accepts connections', async () => {
    const home = await homes.create();
    await (await open(home)).close();
    let isOpen = false;
    const opening = open(home).finally(() => {
      isOpen = true;
    });
    let pid: number | undefined;
    const isServer = ({ kind, command }: FoundProcess) =>
      kind === 'postgres' && command.includes('takt.data_directory=');
    const findIt = async () => {
      pid = (await processesOf(home)).find(isServer)?.pid;
      return pid !== undefined;
    };
    await waitUntil('the server starts', findIt, 60_000, 5);
    process.kill(pid ?? 0, 'SIGKILL');
    expect(isOpen, 'it was killed in time').to.equal(false);
    const { url, close } = await opening;
    expect(await queryOnce(url, 'select 42')).to.equal(42);
    expect((await serverOf(home)).pid).not.to.equal(pid);
    await close();
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
