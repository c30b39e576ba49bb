import { waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { DeadlineExceededError, openPublisher } from '../src/index.js';
import { type EventJob, openQueueBackend, type QueueBackend } from '../src/internal.js';
import { type FreezableProxy, startFreezableProxy } from './support/freezable-proxy.js';
import { queueStores, type TestStore } from './support/queue-stores.js';
import { rejectionOf } from './support/rejection-of.js';
import { completedEvent } from './support/sample-events.js';

/**
 * This time is shorter than every default deadline. It is far longer than the deadlines in these tests, even on a busy
 * machine.
 */
const BY_DEFAULT_MS = 9_000;

/** Expects that all connections were closed. A broken connection that was not closed would be opened again. */
async function expectNoFurtherAttempts(proxy: FreezableProxy): Promise<void> {
  // If the event loop was blocked, earlier attempts to connect may still wait. The proxy accepts them in this turn.
  await new Promise(setImmediate);
  const attempts = proxy.attempts();
  proxy.refuse();
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(proxy.attempts()).to.equal(attempts);
}

for (const { name, start } of queueStores) {
  describe(`the queue backend on ${name}`, () => {
    let store: TestStore;
    const closers: (() => Promise<void>)[] = [];

    before(async function () {
      this.timeout(180_000);
      store = await start(this);
    });
    after(async () => {
      await store?.close();
    });
    afterEach(async () => {
      for (const close of closers.splice(0).reverse()) {
        await close();
      }
    });

    const open = async (
      url: string,
      errors: Error[] = [],
      closeDeadlineMs = 10_000,
    ): Promise<QueueBackend> => {
      const backend = await openQueueBackend(url, {
        onError: (error) => errors.push(error),
        closeDeadlineMs,
        connectDeadlineMs: 30_000,
      });
      closers.push(backend.close);
      return backend;
    };
    const openProxy = async (): Promise<FreezableProxy> => {
      const proxy = await startFreezableProxy(store.url);
      closers.push(proxy.close);
      return proxy;
    };

    it('delivers a job from a queue to a worker', async () => {
      const backend = await open(store.url);
      const queue = backend.openQueue('work-order-operations');
      const seen: EventJob[] = [];
      backend.openWorker('work-order-operations', async (job) => {
        seen.push(job);
      });
      await queue.add('work-order-operation.completed.v1', completedEvent(), { removeOnComplete: true });
      await waitUntil('the worker gets the job', () => seen.length === 1);
      expect(seen[0]?.data).to.deep.equal(completedEvent());
      await waitUntil('the job is gone', async () => (await queue.getJobCountByTypes()) === 0);
    });

    it('does not mix the jobs of two queues', async () => {
      const backend = await open(store.url);
      await backend.openQueue('work-order-operations').add('x', 1, { removeOnComplete: true });
      expect(await backend.openQueue('reference-data').count()).to.equal(0);
      await backend.openQueue('work-order-operations').drain();
    });

    it('lets a test claim jobs itself, and by default returns a stalled job up to 1,000 times', async () => {
      const backend = await open(store.url);
      const queue = backend.openQueue('reference-data');
      const worker = backend.openWorker('reference-data', null, { lockDuration: 1_000 });
      expect(worker.opts).to.include({ maxStalledCount: 1_000, lockDuration: 1_000 });
      expect(
        backend.openWorker('reference-data', null, { maxStalledCount: 3 }).opts.maxStalledCount,
      ).to.equal(3);
      await queue.add('x', { a: 1 });
      const job = await worker.getNextJob('a-token', { block: false });
      expect(job?.data).to.deep.equal({ a: 1 });
      await job?.moveToCompleted(null, 'a-token', false);
    });

    it('finishes running jobs when it closes, and can be closed twice', async () => {
      const backend = await openQueueBackend(store.url, { onError: () => undefined });
      let isRunning = false;
      let isFinished = false;
      backend.openWorker('work-order-operations', async () => {
        isRunning = true;
        await new Promise((resolve) => setTimeout(resolve, 300));
        isFinished = true;
      });
      await backend.openQueue('work-order-operations').add('x', 1, { removeOnComplete: true });
      await waitUntil('the job runs', () => isRunning);
      await Promise.all([backend.close(), backend.close()]);
      expect(isFinished).to.equal(true);
    });

    it('closes at its deadlines if the store does not answer, and reports unfinished jobs', async () => {
      const proxy = await openProxy();
      const errors: Error[] = [];
      const backend = await open(proxy.url, errors, 500);
      let isRunning = false;
      let finish = () => {};
      const finished = new Promise<void>((resolve) => {
        finish = resolve;
      });
      backend.openWorker('reference-data', () => {
        isRunning = true;
        return finished;
      });
      await backend.openQueue('reference-data').add('x', 1);
      await waitUntil('the job runs', () => isRunning);
      proxy.freeze();
      // The result of the job can no longer be stored. If the worker had no job, the close might leave nothing
      // unfinished.
      finish();
      const startedAt = performance.now();
      await backend.close();
      expect(performance.now() - startedAt).to.be.lessThan(BY_DEFAULT_MS);
      expect(errors.some((error) => error instanceof DeadlineExceededError)).to.equal(true);
      await expectNoFurtherAttempts(proxy);
    });

    it('fails to open at a deadline if the store does not answer', async () => {
      const proxy = await openProxy();
      proxy.freeze();
      const startedAt = performance.now();
      await rejectionOf(openQueueBackend(proxy.url, { onError: () => undefined, connectDeadlineMs: 300 }));
      expect(performance.now() - startedAt).to.be.lessThan(BY_DEFAULT_MS);
      await expectNoFurtherAttempts(proxy);
    });

    it('continues after its connections were broken', async () => {
      const proxy = await openProxy();
      const backend = await open(proxy.url);
      let done = 0;
      const process = async () => {
        done += 1;
      };
      // A claim whose answer is lost ends by itself; then the job is delivered again.
      backend.openWorker('work-order-operations', process, { lockDuration: 1_000, stalledInterval: 500 });
      const direct = await open(store.url);
      const queue = direct.openQueue('work-order-operations');
      await queue.add('x', 1, { removeOnComplete: true });
      await waitUntil('the first job is done', () => done === 1);
      proxy.cut();
      await queue.add('x', 2, { removeOnComplete: true });
      await waitUntil('the second job is done', () => done === 2, 25_000);
    }).timeout(180_000);

    it('uses a queue that was opened while the store was away', async () => {
      const proxy = await openProxy();
      const { openQueue } = await open(proxy.url);
      proxy.refuse();
      const queue = openQueue('reference-data');
      const during = queue.add('event', {}, { jobId: 'during' }).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 300));
      proxy.accept();
      await during;
      await queue.add('event', {}, { jobId: 'after' });
      expect(await queue.getJobState('after')).to.equal('waiting');
    });

    it('fails to publish at a deadline if the store does not answer, and a retry causes no duplicates', async () => {
      const proxy = await openProxy();
      const publisher = await openPublisher(proxy.url, { addDeadlineMs: 500, closeDeadlineMs: 500 });
      closers.push(publisher.close);
      const backend = await open(store.url);
      const queue = backend.openQueue('work-order-operations');
      // The deadline is short for a busy machine, so publishing may need more than one attempt.
      const publishUntilTold = (event: ReturnType<typeof completedEvent>) =>
        waitUntil('the event is published', () =>
          publisher.publish(event).then(
            () => true,
            () => false,
          ),
        );
      await publishUntilTold(completedEvent({ workOrderOperationId: 1 }));
      proxy.freeze();
      const error = await rejectionOf(publisher.publish(completedEvent({ workOrderOperationId: 2 })));
      expect(error).to.be.instanceOf(DeadlineExceededError);
      proxy.thaw();
      await publishUntilTold(completedEvent({ workOrderOperationId: 2 }));
      expect(await queue.getWaitingCount()).to.equal(2);
      await queue.drain();
    });
  });
}
