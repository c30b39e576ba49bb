import { needsProgram, startTestRedis, type TestRedis, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { openPublisher } from '../src/index.js';
import { openQueueBackend } from '../src/internal.js';
import { rejectionOf } from './support/rejection-of.js';
import { completedEvent } from './support/sample-events.js';

describe('the publisher with a Redis that has no free memory', () => {
  let redis: TestRedis;
  let admin: Redis;

  before(async function () {
    needsProgram(this, 'redis-server');
    redis = await startTestRedis();
    admin = new Redis(redis.url);
  });
  after(async () => {
    admin?.disconnect();
    await redis?.close();
  });

  const events = Array.from({ length: 50 }, (_, index) =>
    completedEvent({ workOrderOperationId: index + 1 }),
  );

  it('retries until Redis has memory, and publishes nothing twice', async () => {
    const publisher = await openPublisher(redis.url);
    const backend = await openQueueBackend(redis.url, { onError: () => undefined });
    await publisher.publish(events.slice(0, 20), { batchSize: 1 });
    await admin.config('SET', 'maxmemory', '1mb');
    const publishing = publisher.publish(events, { batchSize: 1 });
    await waitUntil('an addition is refused', async () =>
      (await admin.info('errorstats')).includes('errorstat_OOM'),
    );
    await admin.config('SET', 'maxmemory', '0');
    expect(await publishing).to.deep.equal({ events: 50, jobs: 50 });
    expect(await backend.openQueue('work-order-operations').getWaitingCount()).to.equal(50);
    await publisher.close();
    await backend.close();
  });

  it('rejects with the error of Redis if Redis gets no memory', async () => {
    // The deadline is the default. On a slow machine, a shorter one might expire before the error of Redis arrives.
    const publisher = await openPublisher(redis.url);
    await admin.config('SET', 'maxmemory', '1mb');
    const error = await rejectionOf(publisher.publish(completedEvent({ workOrderOperationId: 1_000 })));
    expect(String(error)).to.contain('OOM');
    await admin.config('SET', 'maxmemory', '0');
    await publisher.close();
  });
});
