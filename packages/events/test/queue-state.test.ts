import { expect } from 'chai';
import {
  countJobs,
  type EventQueue,
  openQueueBackend,
  type QueueBackend,
  readOldestWait,
} from '../src/index.js';
import { queueStores, type TestStore } from './support/queue-stores.js';

const OLD_MS = 100_000;

for (const { name, start } of queueStores) {
  describe(`the state of a queue on ${name}`, () => {
    let store: TestStore;
    let backend: QueueBackend;
    let queue: EventQueue;

    before(async function () {
      this.timeout(180_000);
      store = await start(this);
      backend = await openQueueBackend(store.url, { onError: () => undefined });
      queue = backend.openQueue('reference-data');
    });
    after(async () => {
      await backend?.close();
      await store?.close();
    });

    it('says how many jobs wait and how long the oldest has, also while the queue is paused', async () => {
      expect(await readOldestWait(queue)).to.equal(undefined);
      await queue.add('old', {}, { timestamp: Date.now() - OLD_MS });
      for (let number = 0; number < 3; number++) await queue.add('new', {});
      await queue.add('important', {}, { priority: 1 });
      await queue.add('late', {}, { delay: 1_000_000 });
      const expectState = async () => {
        expect(await countJobs(queue)).to.deep.equal({ waiting: 5, active: 0, delayed: 1, failed: 0 });
        expect(await readOldestWait(queue)).to.be.within(OLD_MS / 1_000, OLD_MS / 1_000 + 60);
      };
      await expectState();
      await queue.pause();
      await expectState();
    });
  });
}
