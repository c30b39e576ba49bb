import {
  type EventJob,
  type EventQueue,
  type EventWorker,
  openQueueBackend,
  type QueueBackend,
} from '@takt/events/internal';
import { needsProgram, startTestRedis, type TestRedis } from '@takt/test-support';
import { WaitingError } from 'bullmq';
import { expect } from 'chai';
import { giveBack } from '../src/end-job.js';

describe('a job that the worker does not acknowledge', () => {
  let redis: TestRedis;
  let backend: QueueBackend;
  let queue: EventQueue;
  let worker: EventWorker;

  before(async function () {
    needsProgram(this, 'redis-server');
    redis = await startTestRedis();
    backend = await openQueueBackend(redis.url, { onError: () => undefined });
    queue = backend.openQueue('work-order-operations');
    worker = backend.openWorker('work-order-operations', null);
  });
  after(async () => {
    await backend?.close();
    await redis?.close();
  });
  afterEach(() => queue.drain());

  const claim = async (data: unknown, jobId = 'shift-1'): Promise<EventJob> => {
    await queue.add('batch', data, { jobId, removeOnComplete: true });
    const job = await worker.getNextJob('a-token', { block: false });
    if (job === undefined) throw new Error('no job was there to be claimed');
    return job;
  };
  const outcome = (ending: Promise<unknown>) => ending.catch((error: unknown) => error);
  const waiting = async () => (await queue.getWaiting()).map(({ name, data }) => ({ name, data }));

  it('waits again at once after its return', async () => {
    const job = await claim({ a: 1 });
    expect(await outcome(giveBack(job))).to.be.instanceOf(WaitingError);
    expect(await waiting()).to.deep.equal([{ name: 'batch', data: { a: 1 } }]);
    // The claim is lost, as if another worker had taken the job. The worker then has nothing left to do, and nothing
    // fails.
    expect(await outcome(giveBack(job))).to.be.instanceOf(WaitingError);
    expect(await queue.getWaitingCount()).to.equal(1);
  });
});
