import { needsProgram, wantsLongTests } from '@takt/test-support';
import { expect } from 'chai';
import { findCrashes } from '../../src/find-crashes.js';
import { findDeviations } from '../../src/find-deviations.js';
import { observeQueue } from '../../src/observed-queue.js';
import { generateHistory } from '../../src/operation-history.js';
import { openPersistentPublisher } from '../../src/publish-persistently.js';
import { randomFrom } from '../../src/random.js';
import { waitUntil } from '../../src/wait-until.js';
import { startWorkerProcess } from '../../src/worker-process.js';
import { announceSeed } from './announce-seed.js';
import { COMPANY, openArena } from './open-arena.js';

const EVENTS = 2_000;
/** The long one is longer than a silence for which a worker has itself started anew. */
const AWAY_MS = wantsLongTests() ? 90_000 : 3_000;
const STATUS_DEADLINE_MS = 20_000;
const DRAIN_DEADLINE_MS = 60_000;

describe('a worker whose Redis is away', function () {
  this.timeout(300_000);

  before(function () {
    needsProgram(this, 'redis-server');
  });

  it('says 503 meanwhile, resumes by itself and has lost nothing', async () => {
    const random = randomFrom(announceSeed('Redis away'));
    const arena = await openArena('redis');
    const queue = await observeQueue(arena.queueUrl);
    const publisher = await openPersistentPublisher(arena.queueUrl);
    const worker = await startWorkerProcess(arena);
    try {
      const history = generateHistory({ database: COMPANY, events: EVENTS, structureVersions: 40, random });
      await publisher.publish(history.events.slice(0, EVENTS / 2), 1);
      const back = arena.redis.crash(AWAY_MS);
      const published = publisher.publish(history.events.slice(EVENTS / 2), 20);
      await waitUntil('/health/ready says 503', STATUS_DEADLINE_MS, () => saysStatus(503));
      await Promise.all([back, published]);
      await waitUntil('/health/ready says 200', STATUS_DEADLINE_MS, () => saysStatus(200));
      await queue.drain(DRAIN_DEADLINE_MS);
      expect(await findDeviations(arena.pool, queue, history)).to.deep.equal([]);
      expect(await worker.stop('SIGTERM')).to.equal(0);
      expect(findCrashes([worker.output()])).to.deep.equal([]);
    } finally {
      await worker.stop('SIGKILL');
      await publisher.close();
      await queue.close();
      await arena.close();
    }

    async function saysStatus(status: number): Promise<boolean> {
      const response = await fetch(`${worker.observationUrl}/health/ready`).catch(() => undefined);
      return response?.status === status;
    }
  });
});
