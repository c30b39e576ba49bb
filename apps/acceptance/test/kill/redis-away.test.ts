import {
  needsProgram,
  randomFrom,
  shareOf,
  startWorkerProcess,
  testSeed,
  waitUntil,
} from '@takt/test-support';
import { expect } from 'chai';
import { findCrashes, findDeviations } from './find-deviations.js';
import { generateHistory } from './operation-history.js';
import { observeQueue, openPersistentPublisher } from './queue.js';
import { COMPANY, openSystem } from './system.js';

const EVENTS = 2_000;
/** From a length of 30 on it is longer than a silence for which a worker has itself started anew. */
const AWAY_MS = shareOf(3_000, 3_000);
const STATUS_DEADLINE_MS = 60_000;
const DRAIN_DEADLINE_MS = 120_000;

describe('a worker whose Redis is away', function () {
  this.timeout(300_000);

  before(function () {
    needsProgram(this, 'redis-server');
  });

  it('says 503 meanwhile, resumes by itself and has lost nothing', async () => {
    const random = randomFrom(testSeed());
    const system = await openSystem('redis');
    const queue = await observeQueue(system.queueUrl);
    const publisher = await openPersistentPublisher(system.queueUrl);
    const worker = await startWorkerProcess(system);
    try {
      const history = generateHistory({ database: COMPANY, events: EVENTS, structureVersions: 40, random });
      await publisher.publish(history.events.slice(0, EVENTS / 2), 1);
      const back = system.redis.crash(AWAY_MS);
      const published = publisher.publish(history.events.slice(EVENTS / 2), 20);
      await waitUntil('/health/ready says 503', () => saysStatus(503), STATUS_DEADLINE_MS);
      await Promise.all([back, published]);
      await waitUntil('/health/ready says 200', () => saysStatus(200), STATUS_DEADLINE_MS);
      await queue.drain(DRAIN_DEADLINE_MS);
      expect(await findDeviations(system.pool, queue, history)).to.deep.equal([]);
      expect(await worker.stop('SIGTERM')).to.equal(0);
      expect(findCrashes([worker.output()])).to.deep.equal([]);
    } finally {
      await worker.stop('SIGKILL');
      await publisher.close();
      await queue.close();
      await system.close();
    }

    async function saysStatus(status: number): Promise<boolean> {
      const response = await fetch(`${worker.origin}/health/ready`).catch(() => undefined);
      return response?.status === status;
    }
  });
});
