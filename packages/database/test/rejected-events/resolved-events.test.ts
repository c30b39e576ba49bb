import { completion } from '@takt/test-support';
import { expect } from 'chai';
import { jobsOf, numbered, openStores, PLACES, QUEUE, QUEUE_STORES, type Stores } from './open-stores.js';

const BY = { by: 'Nora' };

for (const kind of QUEUE_STORES) {
  describe(`resolved events with queues on ${kind}`, function () {
    this.timeout(180_000);
    let stores: Stores;

    before(async function () {
      stores = await openStores(this, kind);
    });
    afterEach(() => stores.empty());
    after(() => stores?.close());

    /** Starts a worker that takes the first waiting job. The job runs until the test ends it. */
    const takeJob = async () => {
      const worker = stores.backend.openWorker(QUEUE, null);
      const job = await worker.getNextJob('a-token', { block: false });
      return {
        finish: async (): Promise<unknown> => {
          await job?.moveToCompleted(undefined, 'a-token', false);
          await worker.close();
          return job?.data;
        },
      };
    };

    for (const place of PLACES) {
      it(`in ${place} can be restored unchanged after they were discarded`, async () => {
        await stores.failMany(0, 2);
        if (place === 'the table') await stores.move(0);
        const before = (await stores.rejected.find(`${QUEUE}/job-0`))[0];
        await stores.rejected.discard(`${QUEUE}/job-0`, { by: 'Nora', run: `of-discards in ${place}` });
        expect(jobsOf(await stores.list())).to.deep.equal(['job-1']);
        const [kept, ...others] = await stores.rejected.listResolved({
          limit: 10,
          run: `of-discards in ${place}`,
        });
        expect(others).to.deep.equal([]);
        expect(kept).to.deep.include({
          resolution: 'discarded',
          by: 'Nora',
          id: `${QUEUE}/job-0`,
          eventId: 'event-1',
        });
        expect(JSON.parse(kept?.data ?? '')).to.deep.equal(before?.event);
        expect(await stores.rejected.undo(kept?.resolvedId ?? 0)).to.equal('restored');
        expect(await stores.rejected.find(`${QUEUE}/job-0`)).to.deep.equal([{ ...before, isExported: true }]);
        expect(await stores.rejected.undo(kept?.resolvedId ?? 0)).to.equal('gone');
        expect(
          await stores.rejected.listResolved({ limit: 10, run: `of-discards in ${place}` }),
        ).to.deep.equal([]);
        expect(await stores.rejected.retry(`${QUEUE}/job-0`)).to.equal(1);
        expect((await stores.queue.getWaiting()).map(({ data }) => data)).to.deep.equal([before?.event]);
      });

      it(`in ${place} are replaced by jobs whose ids say nothing about the events`, async () => {
        const ids = new Set<string | undefined>();
        for (let time = 0; time < 2; time++) {
          await stores.failMany(0, 1);
          if (place === 'the table') await stores.move(0);
          await stores.rejected.correct(`${QUEUE}/job-0`, () => completion(1), BY);
          ids.add((await stores.queue.getWaiting())[0]?.id);
          await stores.empty();
        }
        expect(ids).to.have.lengthOf(2);
      });

      it(`in ${place} can be restored after a correction only while the corrected event is waiting`, async () => {
        await stores.failMany(0, 3);
        if (place === 'the table') await stores.move(0);
        const before = await stores.list();
        const run = `of-corrections in ${place}`;
        for (const operation of [1, 2]) {
          await stores.rejected.correct(`${QUEUE}/job-${operation - 1}`, () => completion(operation), {
            by: 'Nora',
            run,
          });
        }
        const [second, first] = await stores.rejected.listResolved({ limit: 10, run });
        const taken = await takeJob();
        expect(await stores.rejected.undo(first?.resolvedId ?? 0)).to.equal('taken');
        expect(await stores.rejected.undo(second?.resolvedId ?? 0)).to.equal('restored');
        expect(await stores.queue.getWaitingCount()).to.equal(0);
        expect(await stores.list()).to.have.deep.members(
          before
            .filter(({ id }) => !id.endsWith('job-0'))
            .map((event) => (event.id.endsWith('job-1') ? { ...event, isExported: true } : event)),
        );
        expect(await taken.finish()).to.deep.equal(completion(1));
        expect(await stores.rejected.undo(first?.resolvedId ?? 0)).to.equal('taken');
        expect((await stores.rejected.listResolved({ limit: 10, run })).map(({ id }) => id)).to.deep.equal([
          `${QUEUE}/job-0`,
        ]);
      });
    }

    it('cannot be restored by a person without access to the companies of the event and of its correction', async () => {
      await stores.failMany(0, 1);
      const by = { by: 'Nora', run: 'companies' };
      await stores.rejected.correct(`${QUEUE}/job-0`, () => completion(1, { database: 'TEM-SE' }), by);
      const [kept] = await stores.rejected.listResolved({ limit: 1, run: 'companies' });
      const undo = (codes: readonly string[]) =>
        stores.rejected.undo(kept?.resolvedId ?? 0, { mayTouch: (company) => codes.includes(company ?? '') });
      expect(await undo(['TEM-NO'])).to.equal('gone');
      expect(await undo(['TEM-SE'])).to.equal('gone');
      expect(await stores.queue.getWaitingCount()).to.equal(1);
      expect(await undo(['TEM-NO', 'TEM-SE'])).to.equal('restored');
      expect(await stores.queue.getWaitingCount()).to.equal(0);
    });

    it('stay in the history for 30 days after they were resolved', async () => {
      await stores.failMany(0, 2);
      await stores.rejected.discard(`${QUEUE}/job-0`, { by: 'Nora', run: 'old' });
      const [kept] = await stores.rejected.listResolved({ limit: 1, run: 'old' });
      const { pool } = stores;
      await pool.query(
        "UPDATE takt.resolved_rejections SET resolved_at = now() - interval '30 days 1 second' WHERE run = 'old'",
      );
      expect(await stores.rejected.listResolved({ limit: 1, run: 'old' })).to.deep.equal([]);
      expect(await stores.rejected.undo(kept?.resolvedId ?? 0)).to.equal('gone');
      await stores.rejected.discard(`${QUEUE}/job-1`, BY);
      expect((await pool.query("SELECT FROM takt.resolved_rejections WHERE run = 'old'")).rowCount).to.equal(
        0,
      );
    });

    it('are listed page by page after they were resolved, the last resolved event first', async () => {
      await stores.failMany(0, 5);
      for (const id of numbered(0, 5))
        await stores.rejected.discard(`${QUEUE}/${id}`, { by: 'Nora', run: 'pages' });
      const newest = await stores.rejected.listResolved({ limit: 2, run: 'pages' });
      const next = await stores.rejected.listResolved({
        limit: 2,
        run: 'pages',
        beforeId: newest[1]?.resolvedId ?? 0,
      });
      expect(jobsOf([...newest, ...next])).to.deep.equal(['job-4', 'job-3', 'job-2', 'job-1']);
    });
  });
}
