import {
  type EventJob,
  type EventQueue,
  type EventWorker,
  openQueueBackend,
  type QueueBackend,
} from '@takt/events/internal';
import { needsProgram, startTestRedis, type TestRedis } from '@takt/test-support';
import { UnrecoverableError, WaitingError } from 'bullmq';
import { expect } from 'chai';
import { GivenUpError } from '../src/apply-reliably.js';
import { giveBack, rejectEvents } from '../src/end-job.js';

const { signal } = new AbortController();
const persistence = { signal };

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

  it('fails permanently with its reason if it contains one event', async () => {
    const job = await claim({ a: 1 });
    const error = await outcome(rejectEvents(queue, job, [0], 'data.a must be', persistence));
    expect(error).to.be.instanceOf(UnrecoverableError).with.property('message', 'data.a must be');
    expect(await waiting()).to.deep.equal([]);
    await job.moveToCompleted(null, 'a-token', false);
  });

  it('keeps each of two equal rejected events, and adds none again if it is delivered again', async () => {
    const job = await claim([{ a: 1 }, { a: 2 }, { a: 1 }]);
    for (const _delivery of [1, 2]) await rejectEvents(queue, job, [0, 2], 'not shown', persistence);
    expect(await waiting()).to.deep.equal([
      { name: 'rejected-event', data: { a: 1 } },
      { name: 'rejected-event', data: { a: 1 } },
    ]);
    await job.moveToCompleted(null, 'a-token', false);
  });

  it('is retried with a report each time while the queue does not accept its rejected events', async () => {
    const job = await claim([{ a: 1 }]);
    const { addBulk } = queue;
    const heard: string[] = [];
    queue.addBulk = () => Promise.reject(new Error('permission denied'));
    const onError = (error: unknown, failures: number) => {
      heard.push(`${failures}: ${error}`);
      if (failures === 2) queue.addBulk = addBulk;
    };
    await rejectEvents(queue, job, [0], 'not shown', { signal, onError });
    expect(heard).to.deep.equal(['1: Error: permission denied', '2: Error: permission denied']);
    expect(await waiting()).to.deep.equal([{ name: 'rejected-event', data: { a: 1 } }]);
    await job.moveToCompleted(null, 'a-token', false);
    await (await worker.getNextJob('a-token', { block: false }))?.moveToCompleted(null, 'a-token', false);
  });

  it('is given up when the worker closes', async () => {
    const job = await claim([{ a: 1 }]);
    expect(
      await outcome(rejectEvents(queue, job, [0], 'x', { signal: AbortSignal.abort() })),
    ).to.be.instanceOf(GivenUpError);
    expect(await waiting()).to.deep.equal([]);
    await job.moveToCompleted(null, 'a-token', false);
  });
});
