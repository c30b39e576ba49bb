import { needsProgram, startTestRedis, type TestRedis } from '@takt/test-support';
import { expect } from 'chai';
import { type EventQueue, openQueueBackend, type QueueBackend } from '../src/internal.js';
import { planJobs } from '../src/publisher/plan-jobs.js';
import { prepareEvents } from '../src/publisher/prepare-events.js';
import {
  createInFlightLimit,
  type InFlightLimit,
  openQueueWriter,
  type QueueWriterSettings,
} from '../src/publisher/queue-writer.js';
import { DeadlineExceededError } from '../src/queue/with-deadline.js';
import { rejectionOf } from './support/rejection-of.js';
import { completedEvent } from './support/sample-events.js';

const SETTINGS: QueueWriterSettings = {
  maxWaitingJobs: undefined,
  roomDeadlineMs: 60_000,
  roomPollMs: 50,
  addDeadlineMs: 60_000,
};

describe('the queue writer', () => {
  let redis: TestRedis;
  let backend: QueueBackend;
  let queue: EventQueue;

  before(async function () {
    needsProgram(this, 'redis-server');
    redis = await startTestRedis();
    backend = await openQueueBackend(redis.url, { onError: () => undefined });
    queue = backend.openQueue('work-order-operations');
  });
  after(async () => {
    await backend?.close();
    await redis?.close();
  });
  beforeEach(() => queue.drain());

  /** Returns `count` events in jobs of `batchSize` events each. */
  function jobsOf(count: number, batchSize: number) {
    const events = Array.from({ length: count * batchSize }, (_, index) =>
      completedEvent({ workOrderOperationId: index + 1 }),
    );
    return planJobs(prepareEvents(events), batchSize);
  }

  /** Opens the queue. The first `failures` additions fail before they reach Redis. */
  function observed(failures = 0) {
    const additions: number[] = [];
    const addBulk: EventQueue['addBulk'] = async (jobs) => {
      additions.push(jobs.length);
      if (additions.length <= failures) throw new Error(`attempt ${additions.length}`);
      return await queue.addBulk(jobs);
    };
    const watched = new Proxy(queue, {
      get: (target, name) => (name === 'addBulk' ? addBulk : Reflect.get(target, name, target)),
    });
    return { additions, watched };
  }

  it('adds at most 1,000 jobs and 10,000 events in one call', async () => {
    for (const [jobs, batchSize, expected] of [
      [2_500, 1, [1_000, 1_000, 500]],
      [25, 1_000, [10, 10, 5]],
    ] as const) {
      const { additions, watched } = observed();
      const sizes: number[] = [];
      const limit = createInFlightLimit(20_000);
      const run: InFlightLimit['run'] = (size, deadlineMs, work) => {
        sizes.push(size);
        return limit.run(size, deadlineMs, work);
      };
      await openQueueWriter(watched, { run }, SETTINGS).write(jobsOf(jobs, batchSize), batchSize);
      expect(additions).to.deep.equal(expected);
      expect(sizes).to.deep.equal(expected.map((count) => count * batchSize));
      expect(await queue.getWaitingCount()).to.equal(jobs);
      await queue.drain();
    }
  });

  it('retries an addition up to four times, and then rejects with the last error', async () => {
    const healing = observed(4);
    const limit = createInFlightLimit(20_000);
    await openQueueWriter(healing.watched, limit, SETTINGS).write(jobsOf(1, 1), 1);
    expect(healing.additions).to.have.lengthOf(5);
    expect(await queue.getWaitingCount()).to.equal(1);

    const broken = observed(Number.POSITIVE_INFINITY);
    const failure = await rejectionOf(
      openQueueWriter(broken.watched, limit, SETTINGS).write(jobsOf(1, 1), 1),
    );
    expect(String(failure)).to.equal('Error: attempt 5');
  });

  it('stops checking a full queue when it gives up', async () => {
    let asked = 0;
    const getJobCountByTypes: EventQueue['getJobCountByTypes'] = async () => {
      asked += 1;
      return 10;
    };
    const full = new Proxy(queue, {
      get: (target, name) =>
        name === 'getJobCountByTypes' ? getJobCountByTypes : Reflect.get(target, name, target),
    });
    const settings = { ...SETTINGS, maxWaitingJobs: 10, roomDeadlineMs: 100, roomPollMs: 5 };
    const writer = openQueueWriter(full, createInFlightLimit(20_000), settings);
    expect(await rejectionOf(writer.write(jobsOf(1, 1), 1))).to.be.instanceOf(DeadlineExceededError);
    const askedBefore = asked;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(askedBefore).to.be.above(1);
    // One check may have been running.
    expect(asked - askedBefore).to.be.at.most(1);
  });
});
