import { waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { type EventQueue, openQueueBackend, type QueueBackend } from '../src/internal.js';
import { openQueueView, type QueueView } from '../src/queue/open-view.js';
import { queueStores, type TestStore } from './support/queue-stores.js';

const OLD_MS = 100_000;

for (const { name, start } of queueStores) {
  describe(`the state of a queue on ${name}`, () => {
    let store: TestStore;
    let backend: QueueBackend;
    let queue: EventQueue;
    let view: QueueView;

    before(async function () {
      this.timeout(180_000);
      store = await start(this);
      backend = await openQueueBackend(store.url, { onError: () => undefined });
      queue = backend.openQueue('reference-data');
      view = await openQueueView(store.url);
    });
    after(async () => {
      await view?.close();
      await backend?.close();
      await store?.close();
    });

    it('includes the number of waiting jobs and the age of the oldest job, even while the queue is paused', async () => {
      expect(await view.readOldestWait(queue.name)).to.equal(undefined);
      await queue.add('old', {}, { timestamp: Date.now() - OLD_MS });
      for (let number = 0; number < 3; number++) await queue.add('new', {});
      await queue.add('important', {}, { priority: 1 });
      await queue.add('late', {}, { delay: 1_000_000 });
      const expectState = async () => {
        expect(await view.countJobs(queue.name)).to.deep.equal({
          waiting: 5,
          active: 0,
          delayed: 1,
          failed: 0,
        });
        expect(await view.readOldestWait(queue.name)).to.be.within(OLD_MS / 1_000, OLD_MS / 1_000 + 60);
      };
      await expectState();
      expect(await view.isPaused(queue.name)).to.equal(false);
      await queue.pause();
      await expectState();
      expect(await view.isPaused(queue.name)).to.equal(true);
      await queue.resume();
      expect(await view.isPaused(queue.name)).to.equal(false);
    });

    it('lists jobs page by page, in the order of their processing', async () => {
      const listed = await view.listJobs(queue.name, 'waiting', { offset: 0, limit: 10 });
      expect(listed.map(({ name }) => name)).to.deep.equal(['old', 'new', 'new', 'new', 'important']);
      expect(listed[0]?.addedAtMs).to.be.closeTo(Date.now() - OLD_MS, 60_000);
      expect(listed[0]).to.deep.include({
        claimedAtMs: Number.NaN,
        dueAtMs: Number.NaN,
        deliveries: 0,
        bytes: 2,
      });
      const ids = listed.map(({ jobId }) => jobId);
      for (let offset = 0; offset < 7; offset++) {
        const page = await view.listJobs(queue.name, 'waiting', { offset, limit: 2 });
        expect(
          page.map(({ jobId }) => jobId),
          `from ${offset}`,
        ).to.deep.equal(ids.slice(offset, offset + 2));
      }
      const [late, ...others] = await view.listJobs(queue.name, 'delayed', { offset: 0, limit: 10 });
      expect([late?.name, others.length]).to.deep.equal(['late', 0]);
      expect(late?.dueAtMs).to.be.closeTo(Date.now() + 1_000_000, 60_000);
      expect(await view.listJobs(queue.name, 'active', { offset: 0, limit: 10 })).to.deep.equal([]);
      const worker = backend.openWorker('reference-data', null);
      await worker.getNextJob('token');
      const [claimed] = await view.listJobs(queue.name, 'active', { offset: 0, limit: 10 });
      expect(claimed).to.deep.include({ jobId: ids[0], deliveries: 1 });
      expect(claimed?.claimedAtMs).to.be.closeTo(Date.now(), 60_000);
      await worker.close();
    });

    it('includes the number of connected workers, even of workers without a name', async () => {
      // PostgreSQL may still list the worker that was closed last.
      await waitUntil('no worker is left', async () => (await view.countWorkers(queue.name)) === 0);
      expect(await queue.getWorkersCount()).to.equal(0);
      for (const options of [{}, { name: 'named' }]) {
        await backend.openWorker('reference-data', null, options).waitUntilReady();
      }
      await waitUntil('both are seen', async () => (await view.countWorkers(queue.name)) === 2);
      expect(await queue.getWorkersCount()).to.equal(2);
      expect(await view.countWorkers('work-order-operations')).to.equal(0);
    });
  });
}
