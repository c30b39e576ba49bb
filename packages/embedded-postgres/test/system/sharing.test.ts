import { expect } from 'chai';
import { openEmbeddedServer } from '../../src/embedded-server.js';
import { commandLineOf } from '../../src/server.js';
import { expectEnded, serverOf, TEST_SETTINGS } from '../embedded-homes.js';
import { embeddedServers, queryOnce } from '../holders.js';

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

  it('is used twice by one process, and stops with the last use', async () => {
    const home = await homes.create();
    const first = await openEmbeddedServer({ home, settings: TEST_SETTINGS });
    const second = await openEmbeddedServer({ home });
    await first.close();
    await first.close();
    expect(await queryOnce(second.url, 'select 1')).to.equal(1);
    const { pid } = await serverOf(home);
    await second.close();
    expect(await commandLineOf(pid)).to.equal('');
    await expectEnded(home);
  });

  it('stops with the last of many processes that leave at the same time, and never under a new one', async () => {
    const home = await homes.create();
    for (let round = 0; round < 3; round += 1) {
      const users = await Promise.all(Array.from({ length: 4 }, () => holders.start(home)));
      const [next] = await Promise.all([holders.start(home), ...users.map((user) => user.release())]);
      expect(await queryOnce(next.url, 'select 1')).to.equal(1);
      await next.release();
      await expectEnded(home);
    }
  });

  it('starts again for a new holder while the last holder is leaving', async () => {
    const home = await homes.create();
    const first = await holders.start(home);
    const [second] = await Promise.all([holders.start(home), first.release()]);
    expect(await queryOnce(second.url, 'select 1')).to.equal(1);
    await second.release();
  });
});
