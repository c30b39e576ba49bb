import { expect } from 'chai';
import { leaseEmbeddedServer } from '../../src/lease.js';
import { commandLineOf } from '../../src/server.js';
import { expectEnded, processesOf, serverOf, TEST_SETTINGS } from '../embedded-homes.js';
import { embeddedServers, queryOnce } from '../holders.js';
import { waitUntil } from '../wait-until.js';

describe('a shared embedded server', function () {
  this.timeout(180_000);
  const { homes, holders } = embeddedServers();

  it('outlives the process that started it, and stops with the last process that uses it', async () => {
    const home = await homes.create();
    const first = await holders.start(home);
    const second = await holders.start(home);
    expect(second.url).to.equal(first.url);
    await first.release();
    expect(await queryOnce(second.url, 'select 1')).to.equal(1);
    await second.release();
    await expectEnded(home);
  });

  it('accepts two leases of one process, and stops with the last lease', async () => {
    const home = await homes.create();
    const first = await leaseEmbeddedServer({ home, settings: TEST_SETTINGS });
    const second = await leaseEmbeddedServer({ home });
    await first.close();
    await first.close();
    expect(await queryOnce(second.url, 'select 1')).to.equal(1);
    const { pid } = await serverOf(home);
    await second.close();
    expect(await commandLineOf(pid)).to.equal('');
    await expectEnded(home);
  });

  it('stops if its only holder is killed', async () => {
    const home = await homes.create();
    const holder = await holders.start(home);
    expect((await processesOf(home)).map(({ kind }) => kind)).to.include.members(['watcher', 'postgres']);
    await holder.kill();
    await waitUntil('no process is left', async () => (await processesOf(home)).length === 0, 25_000);
  });

  it('does not start if the process that requested it is killed', async () => {
    const home = await homes.create();
    const attempt = holders.start(home).catch(() => undefined);
    await waitUntil(
      'a watcher',
      async () => (await processesOf(home)).some(({ kind }) => kind === 'watcher'),
      25_000,
    );
    holders.end();
    await attempt;
    await waitUntil('no process is left', async () => (await processesOf(home)).length === 0, 25_000);
  });

  it('starts again for a new holder while the last holder is leaving', async () => {
    const home = await homes.create();
    const first = await holders.start(home);
    const [second] = await Promise.all([holders.start(home), first.release()]);
    expect(await queryOnce(second.url, 'select 1')).to.equal(1);
    await second.release();
  });
});
