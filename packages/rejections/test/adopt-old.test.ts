import type { EventQueue } from '@takt/events/internal';
import { completion } from '@takt/test-support';
import { UnrecoverableError } from 'bullmq';
import { expect } from 'chai';
import { adoptFailedJobs, adoptOldTables, listRejections, STAYS } from '../src/index.js';
import { openStores, QUEUE, QUEUE_STORES, type Stores } from './open-stores.js';

const REASON = 'data.runTime must be hours (got -1)';

for (const kind of QUEUE_STORES) {
  describe(`rejected events of 1.0.0 on ${kind}`, function () {
    this.timeout(180_000);
    let stores: Stores;
    let queue: EventQueue;
    const { signal } = new AbortController();

    before(async function () {
      stores = await openStores(this, kind);
      [queue] = stores.queues;
    });
    afterEach(() => stores.empty());
    after(() => stores?.close());

    /** Makes jobs fail one after another, in the way of a worker of 1.0.0. */
    const fail = async (jobs: readonly { readonly data: unknown; readonly reason: string }[]) => {
      const worker = stores.backend.openWorker(QUEUE, null);
      for (const { data, reason } of jobs) {
        await queue.add('event', data, { removeOnFail: false });
        const job = await worker.getNextJob('a-token', { block: false });
        await job?.moveToFailed(new UnrecoverableError(reason), 'a-token', false);
      }
      await worker.close();
    };
    const adopt = () => adoptFailedJobs(queue, stores.pool, signal);

    it('become rows with their reasons and times, once', async () => {
      const events = [1, 2, 3].map((operation) => completion(operation, { runTime: -1 }));
      await fail([...events, 'no JSON'].map((data) => ({ data, reason: REASON })));
      const failedAt = (await queue.getFailed()).map(({ finishedOn }) => finishedOn);
      expect(await adopt()).to.equal(4);
      expect(await adopt()).to.equal(0);
      expect(await queue.getFailedCount()).to.equal(0);
      const rows = await stores.list();
      expect(rows.map(({ data }) => JSON.parse(data))).to.have.deep.members([...events, 'no JSON']);
      expect(rows.map(({ lastAt }) => Number(lastAt))).to.have.members(failedAt);
      expect(new Set(rows.map(({ rule }) => rule))).to.deep.equal(new Set(['data.runTime must be hours']));
      // A worker that rejects the same event again counts it up.
      await stores.reject(JSON.stringify(events[0]));
      expect((await stores.list()).filter(({ times }) => times === 2)).to.have.lengthOf(1);
    });

    it('are not doubled if a worker was killed before it removed the job', async () => {
      const data = completion(1, { runTime: -1 });
      await fail([{ data, reason: REASON }]);
      await stores.reject(JSON.stringify(data));
      const before = await stores.list();
      expect(await adopt()).to.equal(1);
      expect(await stores.list()).to.deep.equal(before);
    });

    it('stay in the queue if the job is to blame, not its event', async () => {
      await fail([
        { data: completion(1), reason: '101 workers ended while they had the job: it may be the cause' },
        { data: completion(2), reason: `${STAYS}101 workers ended while they had it` },
        { data: completion(3, { runTime: -1 }), reason: REASON },
      ]);
      expect(await adopt()).to.equal(1);
      expect(await adopt()).to.equal(0);
      expect(await queue.getFailedCount()).to.equal(2);
      expect((await stores.list()).map(({ eventId }) => eventId)).to.deep.equal(['event-3']);
    });

    it('are moved from the tables of 1.0.0, the resolved ones as resolved', async () => {
      const { pool } = stores;
      await pool.query(
        `INSERT INTO takt.rejected_events (content_sha256, queue, job_id, job_name, event_id, reason, deliveries, data, rejected_at)
         SELECT sha256(n::text::bytea), $1, n::text, 'event', 'event-' || n, $2, 1, $3::text || n || '"}', '2026-01-02T03:04:05Z'
         FROM generate_series(1, 250) AS n`,
        [QUEUE, REASON, '{"data":{"database":"TEM-NO"},"id":"event-'],
      );
      await pool.query(
        `INSERT INTO takt.resolved_rejections (resolution, resolved_at, resolved_by, content_sha256, queue, job_id, job_name,
           reason, deliveries, data, rejected_at)
         VALUES ('discarded', now() - interval '1 day', 'Nora', '', $1, 'x', 'event', $2, 1, '{"id":"discarded"}', now())`,
        [QUEUE, REASON],
      );
      expect(await adoptOldTables(pool)).to.equal(251);
      expect(await adoptOldTables(pool)).to.equal(0);
      const rows = await stores.list();
      expect(rows).to.have.lengthOf(250);
      expect(rows[0]).to.deep.include({ company: 'TEM-NO', lastAt: new Date('2026-01-02T03:04:05Z') });
      const resolved = await listRejections(pool, { state: 'resolved', limit: 9 });
      expect(resolved.map(({ eventId, resolvedBy }) => [eventId, resolvedBy])).to.deep.equal([
        ['discarded', 'Nora'],
      ]);
    });
  });
}
