import type { EventQueue } from '@takt/events/internal';
import { completion } from '@takt/test-support';
import { expect } from 'chai';
import { findRejection, listRejections, RefusedCorrectionError, undoResolution } from '../src/index.js';
import { openStores, QUEUE, QUEUE_STORES, resolveAs, type Stores } from './open-stores.js';

for (const kind of QUEUE_STORES) {
  describe(`rejections with queues on ${kind}`, function () {
    this.timeout(180_000);
    let stores: Stores;

    before(async function () {
      stores = await openStores(this, kind);
    });
    afterEach(() => stores.empty());
    after(() => stores?.close());

    const idsOf = async () => (await stores.list()).map(({ id }) => id);
    const waiting = async (queue = stores.queues[0]) => (await queue.getWaiting()).map(({ data }) => data);
    const undo = (id: number | undefined, codes?: readonly string[]) =>
      undoResolution(
        stores,
        id ?? 0,
        codes === undefined ? {} : { maySee: (company) => codes.includes(company ?? '') },
      );
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

    it('can be corrected, so that only the corrected event is in the queue of its type', async () => {
      await stores.rejectMany(1, 3);
      const [first = 0, second = 0] = await idsOf();
      const announced = {
        ...completion(2),
        type: 'product-structure-version.removed.v1',
        data: { database: 'TEM-NO', changedAt: '2024-05-01T08:00:00Z', productStructureVersionId: 7 },
      };
      const outcomes = await resolveAs(stores, [first, second], ({ id }) => ({
        corrected: id === first ? completion(1) : announced,
      }));
      expect(outcomes.map(({ kind: outcome }) => outcome)).to.deep.equal(['done', 'done']);
      expect(await stores.list()).to.deep.equal([]);
      expect(await waiting()).to.deep.equal([completion(1)]);
      expect(await waiting(stores.queues[1])).to.deep.equal([announced]);
    });

    it('can be retried, discarded and checked, once', async () => {
      await stores.rejectMany(1, 4);
      const [retried = 0, discarded = 0, checked = 0] = await idsOf();
      const kinds = async (ids: readonly number[], what: 'retry' | 'discard' | 'check') =>
        (await resolveAs(stores, ids, () => what)).map(({ kind: outcome }) => outcome);
      expect(await kinds([retried], 'retry')).to.deep.equal(['done']);
      expect(await kinds([discarded], 'discard')).to.deep.equal(['done']);
      expect(await kinds([checked], 'check')).to.deep.equal(['done']);
      expect(await idsOf()).to.deep.equal([checked]);
      expect(await waiting()).to.deep.equal([completion(1, { runTime: -1 })]);
      expect(await kinds([retried, discarded, 999_999], 'retry')).to.deep.equal(['gone', 'gone', 'gone']);
      expect(await waiting()).to.have.lengthOf(1);
    });

    it('stay rejected if their correction is refused, while others are corrected', async () => {
      await stores.rejectMany(1, 3);
      const [first = 0, second = 0] = await idsOf();
      const outcomes = await resolveAs(stores, [first, second], ({ id }) => {
        if (id === first) throw new RefusedCorrectionError(['data.runTime must be hours']);
        return { corrected: completion(2) };
      });
      expect(outcomes.map(({ kind: outcome }) => outcome)).to.deep.equal(['refused', 'done']);
      expect(await idsOf()).to.deep.equal([first]);
      expect(await waiting()).to.deep.equal([completion(2)]);
    });

    it('are resolved a few megabytes at a time', async () => {
      for (let operation = 1; operation <= 5; operation++) {
        await stores.reject(JSON.stringify(completion(operation, { filler: 'f'.repeat(1_500_000) })));
      }
      let mostBytes = 0;
      const counting = new Proxy(stores.queues[0], {
        get: (queue, name) =>
          name === 'addBulk'
            ? (jobs: Parameters<typeof queue.addBulk>[0]) => {
                mostBytes = Math.max(mostBytes, JSON.stringify(jobs).length);
                return queue.addBulk(jobs);
              }
            : Reflect.get(queue, name),
      });
      const outcomes = await resolveAs(
        { ...stores, queues: [counting, stores.queues[1]] },
        await idsOf(),
        () => 'retry',
      );
      expect(outcomes.every(({ kind: outcome }) => outcome === 'done')).to.equal(true);
      expect(mostBytes).to.be.within(3_000_000, 4_100_000);
      expect(await waiting()).to.have.lengthOf(5);
    });

    it('get only one correction if two people correct the same event at the same time', async () => {
      await stores.rejectMany(1, 2);
      const [id = 0] = await idsOf();
      // The queue is slow, so the second change begins while the first one is under way.
      const slow = Object.assign(Object.create(stores.queues[0]), {
        addBulk: async (jobs: Parameters<EventQueue['addBulk']>[0]) => {
          await new Promise((resolve) => setTimeout(resolve, 300));
          return stores.queues[0].addBulk(jobs);
        },
      });
      const slowly = { ...stores, queues: [slow, stores.queues[1]] as const };
      const correct = (operation: number) =>
        resolveAs(slowly, [id], () => ({ corrected: completion(operation) }));
      const outcomes = (await Promise.all([correct(1), correct(2)])).flat();
      expect(outcomes.map(({ kind: outcome }) => outcome).sort()).to.deep.equal(['done', 'gone']);
      expect(await waiting()).to.have.lengthOf(1);
    });

    it('stay rejected if the queue does not take the correction', async () => {
      await stores.rejectMany(1, 2);
      const [id = 0] = await idsOf();
      const [queue] = stores.queues;
      const refusing = Object.assign(Object.create(queue), {
        addBulk: () => Promise.reject(new Error('away')),
      });
      const broken = { ...stores, queues: [refusing, stores.queues[1]] as const };
      const failed = await resolveAs(broken, [id], () => 'retry').catch(String);
      expect(failed).to.equal('Error: away');
      expect(await idsOf()).to.deep.equal([id]);
    });

    it('are replaced by jobs whose ids say nothing about the events', async () => {
      const ids = new Set<string | undefined>();
      for (let time = 0; time < 2; time++) {
        await stores.rejectMany(1, 2);
        await resolveAs(stores, await idsOf(), () => 'retry');
        ids.add((await stores.queues[0].getWaiting())[0]?.id);
        await stores.empty();
      }
      expect(ids).to.have.lengthOf(2);
    });

    it('can be restored unchanged after they were discarded', async () => {
      await stores.rejectMany(1, 3);
      const [before, other] = await stores.list();
      await resolveAs(stores, [before?.id ?? 0], () => 'discard', 'discards');
      expect(await stores.list()).to.deep.equal([other]);
      const resolved = await listRejections(stores.pool, {
        state: 'resolved',
        filter: { run: 'discards' },
        limit: 10,
      });
      expect(resolved).to.have.lengthOf(1);
      expect(resolved[0]).to.include({ state: 'discarded', resolvedBy: 'Nora', eventId: 'event-1' });
      expect(await undo(before?.id)).to.equal('restored');
      expect(await findRejection(stores.pool, before?.id ?? 0)).to.deep.equal(before);
      expect(await undo(before?.id)).to.equal('gone');
    });

    it('can be restored after a correction only while the corrected event is waiting', async () => {
      await stores.rejectMany(1, 3);
      const [first, second] = await stores.list();
      for (const one of [first, second]) {
        await resolveAs(stores, [one?.id ?? 0], ({ eventId }) => ({
          corrected: completion(eventId === 'event-1' ? 1 : 2),
        }));
      }
      const taken = await takeJob();
      expect(await undo(first?.id)).to.equal('taken');
      expect(await undo(second?.id)).to.equal('restored');
      expect(await waiting()).to.deep.equal([]);
      expect(await stores.list()).to.deep.equal([second]);
      expect(await taken.finish()).to.deep.equal(completion(1));
      expect(await undo(first?.id)).to.equal('taken');
      const resolved = await listRejections(stores.pool, { state: 'resolved', limit: 10 });
      expect(resolved.map(({ id }) => id)).to.deep.equal([first?.id]);
    });

    it('cannot be restored without access to the companies of the event and of its correction', async () => {
      await stores.rejectMany(1, 2);
      const [id = 0] = await idsOf();
      await resolveAs(stores, [id], () => ({ corrected: completion(1, { database: 'TEM-SE' }) }));
      expect(await undo(id, ['TEM-NO'])).to.equal('gone');
      expect(await undo(id, ['TEM-SE'])).to.equal('gone');
      expect(await waiting()).to.have.lengthOf(1);
      expect(await undo(id, ['TEM-NO', 'TEM-SE'])).to.equal('restored');
      expect(await waiting()).to.deep.equal([]);
    });

    it('stay in the history for 30 days after they were resolved', async () => {
      await stores.rejectMany(1, 3);
      const [first = 0, second = 0] = await idsOf();
      await resolveAs(stores, [first], () => 'discard');
      const { pool } = stores;
      await pool.query(
        "UPDATE takt.rejections SET resolved_at = now() - interval '30 days 1 second' WHERE state <> 'open'",
      );
      expect(await listRejections(pool, { state: 'resolved', limit: 9 })).to.deep.equal([]);
      expect(await undo(first)).to.equal('gone');
      await resolveAs(stores, [second], () => 'discard');
      expect((await pool.query('SELECT FROM takt.rejections')).rowCount).to.equal(1);
    });
  });
}
