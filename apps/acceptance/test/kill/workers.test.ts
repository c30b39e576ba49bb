import { needsProgram, wantsLongTests } from '@takt/test-support';
import { expect } from 'chai';
import { killWorkerAnyhow } from './disturbances.js';
import { type KillReport, runKillTest } from './kill-test.js';
import { openSystem } from './system.js';

const LONG = wantsLongTests();
const MIB = 2 ** 20;

describe('kill -9 of a random one of 2 workers at random moments', function () {
  this.timeout(LONG ? 1_800_000 : 180_000);
  let onRedis: Promise<KillReport>;
  let onPostgres: Promise<KillReport>;

  before(function () {
    needsProgram(this, 'redis-server');
    onRedis = runKillTest(openSystem('redis'), {
      name: 'kill -9 of workers, queue on Redis',
      events: LONG ? 100_000 : 6_000,
      rounds: LONG ? 30 : 5,
      disturb: killWorkerAnyhow,
    });
    onPostgres = runKillTest(openSystem('postgres'), {
      name: 'kill -9 of workers, queue on PostgreSQL',
      events: LONG ? 100_000 : 3_000,
      rounds: LONG ? 30 : 3,
      disturb: killWorkerAnyhow,
    });
    // Both run at once; a failure is reported by the test that waits for it.
    void Promise.allSettled([onRedis, onPostgres]);
  });

  it('loses nothing and doubles nothing on Redis', async () => {
    const { deviations, memoryBytes } = await onRedis;
    expect(deviations).to.deep.equal([]);
    expect(memoryBytes).to.be.below(256 * MIB);
  });

  it('loses nothing and doubles nothing on PostgreSQL', async () => {
    const { deviations, memoryBytes } = await onPostgres;
    expect(deviations).to.deep.equal([]);
    expect(memoryBytes).to.be.below(256 * MIB);
  });
});
