import { waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { type EventQueue, type EventWorker, openQueueBackend, type QueueBackend } from '../src/internal.js';
import { type FreezableProxy, startFreezableProxy } from './support/freezable-proxy.js';
import { queueStores, type TestStore } from './support/queue-stores.js';

/**
 * The deadline is shorter than a claim, which lasts 30 s. It is longer than the time that a loaded machine needs to
 * reconnect.
 */
const DEADLINE_MS = 25_000;

for (const { name, start } of queueStores) {
  describe(`a job on ${name} whose claim is never answered`, () => {
    let store: TestStore;
    let proxy: FreezableProxy;
    let direct: QueueBackend;
    let backend: QueueBackend;
    let queue: EventQueue;
    let worker: EventWorker;
    let done: unknown[];
    let release: () => void;

    before(async function () {
      this.timeout(180_000);
      store = await start(this);
    });
    after(() => store?.close());

    beforeEach(async () => {
      proxy = await startFreezableProxy(store.url);
      direct = await openQueueBackend(store.url, { onError: () => undefined });
      queue = direct.openQueue('work-order-operations');
      backend = await openQueueBackend(proxy.url, { onError: () => undefined });
      done = [];
      release = () => undefined;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      worker = backend.openWorker('work-order-operations', async (job) => {
        if (job.data === 'held') await held;
        done.push(job.data);
      });
      let isIdle = false;
      worker.on('active', () => (isIdle = false));
      worker.on('drained', () => (isIdle = true));
      await queue.add('x', 'first', { removeOnComplete: true });
      await waitUntil('the worker has worked and waits', () => done.length === 1 && isIdle);
    });
    afterEach(async () => {
      await backend?.close();
      await direct?.close();
      await proxy?.close();
    });

    it('is given back at once and processed', async () => {
      proxy.loseAnswerTo(worker.id);
      await queue.add('x', 'second', { removeOnComplete: true });
      await waitUntil('the second job is done', () => done.length === 2, DEADLINE_MS);
      await waitUntil('it is gone', async () => (await queue.getJobCountByTypes()) === 0);
      expect(done).to.deep.equal(['first', 'second']);
    });

    it('is given back at once, even if the completion of another job claimed it', async () => {
      await queue.add('x', 'held', { removeOnComplete: true });
      await waitUntil('a job is held', async () => (await queue.getActiveCount()) === 1);
      await queue.add('x', 'next', { removeOnComplete: true });
      proxy.loseAnswerTo(worker.id);
      release();
      await waitUntil('the next job is done', () => done.includes('next'), DEADLINE_MS);
      await waitUntil('both are gone', async () => (await queue.getJobCountByTypes()) === 0, DEADLINE_MS);
      expect(done).to.deep.equal(['first', 'held', 'next']);
    }).timeout(180_000);
  });
}
