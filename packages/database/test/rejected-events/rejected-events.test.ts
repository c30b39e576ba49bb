import { NotRejectedError } from '@takt/database/rejected-events';
import { completion } from '@takt/test-support';
import { expect } from 'chai';
import { failJobs } from './fail-jobs.js';
import { jobsOf, numbered, openStores, PLACES, QUEUE, QUEUE_STORES, type Stores } from './open-stores.js';

const BY = { by: 'Nora' };

for (const kind of QUEUE_STORES) {
  describe(`rejected events with queues on ${kind}`, function () {
    this.timeout(180_000);
    let stores: Stores;

    before(async function () {
      stores = await openStores(this, kind);
    });
    afterEach(() => stores.empty());
    after(() => stores?.close());

    it('appear exactly once in the list, even if jobs fail or are moved while the list is read', async () => {
      await stores.failMany(0, 260);
      // All jobs failed in the same millisecond, and PostgreSQL does not know their order.
      if (kind === 'PostgreSQL') {
        await stores.pool.query(
          "UPDATE bullmq.job SET finished_at_ms = (SELECT min(finished_at_ms) FROM bullmq.job WHERE state = 'failed')",
        );
      }
      await stores.move(230);
      const listed = await stores.list(async (page) => {
        if (page > 1) return;
        await stores.failMany(1_000 + page * 20, 1_020 + page * 20);
        await stores.move(150 - page * 50);
      });
      const jobs = jobsOf(listed);
      expect(new Set(jobs).size).to.equal(jobs.length);
      expect(jobs).to.include.members(numbered(0, 260));
    });

    // The table is the same for both kinds of queue.
    if (kind === 'PostgreSQL') {
      it('are listed in the order of their rejection, even if they were stored in another order', async () => {
        await stores.failMany(0, 120);
        await stores.move(0);
        await stores.pool.query(
          "UPDATE takt.rejected_events SET rejected_at = now() - rejected_event_id * interval '1 s'",
        );
        const listed = await stores.list();
        expect(listed.map(({ id }) => id)).to.deep.equal(await stores.rejected.listIds());
        expect(listed).to.have.lengthOf(120);
      });
    }

    it('are distinguished if two queues have events with the same id and data', async () => {
      const same = [{ jobId: 'daily', data: completion(1) }];
      for (const one of [stores.queue, stores.reference]) await failJobs(stores.backend, one, same);
      for (const from of [stores.queue, stores.reference]) expect(await stores.move(0, { from })).to.equal(1);
      expect((await stores.list()).map(({ id }) => id)).to.have.members([
        `${QUEUE}/daily`,
        'reference-data/daily',
      ]);
    });

    it('are distinguished if several jobs have used the same id', async () => {
      for (const operation of [1, 2]) {
        await stores.fail([{ jobId: 'daily', data: completion(operation) }]);
        expect(await stores.move(0)).to.equal(1);
      }
      await stores.fail([{ jobId: 'daily', data: completion(3) }]);
      const id = `${QUEUE}/daily`;
      expect((await stores.list()).map(({ eventId }) => eventId)).to.have.members([
        'event-1',
        'event-2',
        'event-3',
      ]);
      expect(await stores.rejected.listIds()).to.deep.equal([id]);
      expect((await stores.rejected.find(id)).length).to.equal(3);
      const failure = await stores.rejected
        .correct(id, () => completion(9), BY)
        .catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(NotRejectedError);
      expect(await stores.rejected.retry(id)).to.equal(3);
      const waiting = (await stores.queue.getWaiting()).map(({ data }) => data);
      expect(waiting).to.have.deep.members([1, 2, 3].map((operation) => completion(operation)));
    });

    for (const place of PLACES) {
      it(`in ${place} can be corrected, so that only the corrected event is in the queue of its type`, async () => {
        await stores.failMany(0, 2);
        if (place === 'the table') await stores.move(0);
        const announced = {
          ...completion(2),
          type: 'product-structure-version.changed.v1',
          data: {
            database: 'TEM-NO',
            changedAt: '2024-05-01T08:00:00Z',
            productStructureVersionId: 7,
            status: 4,
            name: 'Nut',
            version: 1,
            revision: 'A',
            product: { productId: 1, status: 4, name: 'Nut', type: 'K', description: '' },
            plannedProductionTimes: { runTime: 1, setupTime: 0, cleanupTime: null },
          },
        };
        await stores.rejected.correct(`${QUEUE}/job-0`, () => completion(1), BY);
        await stores.rejected.correct(`${QUEUE}/job-1`, () => announced, BY);
        expect(await stores.list()).to.deep.equal([]);
        expect((await stores.queue.getWaiting()).map(({ data }) => data)).to.deep.equal([completion(1)]);
        expect((await stores.reference.getWaiting()).map(({ data }) => data)).to.deep.equal([announced]);
      });

      it(`in ${place} can be retried and discarded`, async () => {
        await stores.failMany(0, 2);
        if (place === 'the table') await stores.move(0);
        expect(await stores.rejected.retry(`${QUEUE}/job-0`)).to.equal(1);
        expect(await stores.rejected.discard(`${QUEUE}/job-1`, BY)).to.equal(1);
        expect((await stores.queue.getWaiting()).map(({ data }) => data)).to.deep.equal([
          completion(1, { runTime: -1 }),
        ]);
        for (const id of [`${QUEUE}/job-0`, `${QUEUE}/job-1`, `${QUEUE}/`, 'nothing']) {
          const discard = (one: string) => stores.rejected.discard(one, BY);
          for (const change of [stores.rejected.retry, discard, stores.rejected.find]) {
            expect(await change(id).catch((error: unknown) => error), id).to.be.instanceOf(NotRejectedError);
          }
        }
      });
    }

    it('get only one correction if two people correct the same event at the same time', async () => {
      await stores.failMany(0, 1);
      const correct = (operation: number) =>
        stores.rejected.changing(() =>
          stores.rejected.correct(`${QUEUE}/job-0`, () => completion(operation), BY),
        );
      const outcomes = await Promise.allSettled([correct(1), correct(2)]);
      expect(outcomes.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected']);
      expect(await stores.queue.getWaitingCount()).to.equal(1);
    });
  });
}
