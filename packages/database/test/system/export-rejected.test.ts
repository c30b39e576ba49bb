import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { openRejectedEvents, type RejectedEvent } from '@takt/database/rejected-events';
import { MAX_JOB_BYTES } from '@takt/events/internal';
import { completion, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import pg from 'pg';
import type { FailingJob } from '../rejected-events/fail-jobs.js';
import {
  DAY_MS,
  jobsOf,
  numbered,
  openStores,
  QUEUE,
  QUEUE_STORES,
  type Stores,
  untilLaterThan,
} from '../rejected-events/open-stores.js';

const CRASH = fileURLToPath(new URL('./crash-before-removing.js', import.meta.url));
const BY = { by: 'Nora' };

for (const kind of QUEUE_STORES) {
  describe(`rejected events that are moved from queues on ${kind}`, function () {
    this.timeout(180_000);
    let stores: Stores;

    before(async function () {
      stores = await openStores(this, kind);
    });
    afterEach(() => stores.empty());
    after(() => stores?.close());

    it('stay in the queue up to a limit, and then a worker moves the oldest of them to PostgreSQL', async () => {
      await stores.failMany(0, 50);
      await untilLaterThan(await stores.newestRejection());
      await stores.failMany(50, 60);
      const before = await stores.list();
      expect(await stores.move(60)).to.equal(0);
      expect(await stores.move(10)).to.equal(50);
      expect((await stores.queue.getFailed()).map(({ id }) => id)).to.have.members(numbered(50, 60));
      const after = await stores.list();
      expect(jobsOf(after.slice(0, 50))).to.have.members(numbered(0, 50));
      expect(after.map(({ isExported }) => isExported)).to.deep.equal([
        ...Array(50).fill(true),
        ...Array(10).fill(false),
      ]);
      const withoutPlace = (events: readonly RejectedEvent[]) =>
        events.map(({ isExported, ...event }) => event).sort((one, other) => (one.id < other.id ? -1 : 1));
      expect(withoutPlace(after)).to.deep.equal(withoutPlace(before));
      expect(after.find(({ id }) => id.endsWith('/job-0'))).to.deep.include({
        id: `${QUEUE}/job-0`,
        source: '/line-3',
        eventId: 'event-1',
        type: 'work-order-operation.completed.v1',
        reason: 'data.runTime must be hours (got -1)',
        event: completion(1, { runTime: -1 }),
      });
    });

    it('are moved when they are older than the age limit, even if they are few', async () => {
      await stores.failMany(0, 3);
      const lastAt = await stores.newestRejection();
      await untilLaterThan(lastAt);
      await stores.failMany(3, 5);
      const at = (nowMs: number) => stores.move(1_000, { maxAgeMs: 2_000, nowMs });
      expect(await at(lastAt + 1_000)).to.equal(0);
      expect(await at(lastAt + 2_001)).to.equal(3);
      expect((await stores.queue.getFailed()).map(({ id }) => id)).to.have.members(numbered(3, 5));
    });

    it('are as old as the clock of PostgreSQL shows, even if the clock of the process is wrong', async () => {
      await stores.failMany(0, 3);
      const { now } = Date;
      Date.now = () => now() + 400 * DAY_MS;
      try {
        expect(await stores.move(100)).to.equal(0);
      } finally {
        Date.now = now;
      }
      expect(await stores.queue.getFailedCount()).to.equal(3);
    });

    it('are neither lost nor duplicated if the worker is killed between the commit and the removal', async () => {
      await stores.failMany(0, 30);
      const child = spawn(process.execPath, [CRASH, stores.queueUrl, stores.databaseUrl], {
        stdio: 'ignore',
      });
      expect((await once(child, 'exit'))[1]).to.equal('SIGKILL');
      // The transaction has committed a page of events. The queue still has all events.
      expect(await stores.countRows()).to.equal(25);
      expect(await stores.queue.getFailedCount()).to.equal(30);
      expect(jobsOf(await stores.list())).to.have.members(numbered(0, 30));
      // The dead worker holds its lock until PostgreSQL notices that its connection has ended.
      let moved = 0;
      await waitUntil('another worker may move', async () => {
        moved = await stores.move(0);
        return moved > 0;
      });
      expect(moved).to.equal(30);
      expect(await stores.countRows()).to.equal(30);
      expect(await stores.queue.getFailedCount()).to.equal(0);
      expect(jobsOf(await stores.list())).to.have.members(numbered(0, 30));
    });

    it('are changed in the queue and in PostgreSQL if a crash has left them in both places', async () => {
      await stores.failMany(0, 3);
      const child = spawn(process.execPath, [CRASH, stores.queueUrl, stores.databaseUrl], {
        stdio: 'ignore',
      });
      await once(child, 'exit');
      expect(await stores.countRows()).to.equal(3);
      expect(await stores.rejected.retry(`${QUEUE}/job-0`)).to.equal(1);
      expect(await stores.rejected.discard(`${QUEUE}/job-1`, BY)).to.equal(1);
      await stores.rejected.correct(`${QUEUE}/job-2`, () => completion(3), BY);
      expect(await stores.list()).to.deep.equal([]);
      expect(await stores.queue.getWaitingCount()).to.equal(2);
    });

    it('are not moved while a person changes them or another worker moves events', async () => {
      await stores.failMany(0, 2);
      expect(await stores.rejected.changing(() => stores.move(0))).to.equal(0);
      const [one, other] = await Promise.all([stores.move(0), stores.move(0)]);
      expect(Number(one) + Number(other)).to.equal(2);
      expect(await stores.countRows()).to.equal(2);
    });

    it('are moved unchanged with any data and any id', async () => {
      const longId = `x${'y'.repeat(5_000)}`;
      const deep = JSON.parse(`${'['.repeat(400)}${']'.repeat(400)}`);
      const hostile: FailingJob[] = [
        { jobId: longId, data: [1, null, 'a'] },
        { jobId: 'deep', data: deep },
        { jobId: 'null', data: null },
        { jobId: 'event', data: { id: 7, source: ['x'], type: 'x'.repeat(9_000) } },
      ];
      // PostgreSQL's type jsonb accepts neither of these two characters.
      if (kind === 'Redis') hostile.push({ jobId: 'nul', data: { id: 'a\0b', text: '\ud800' } });
      await stores.fail(hostile);
      const before = await stores.list();
      expect(await stores.move(0)).to.equal(hostile.length);
      const after = await stores.list();
      const contents = (events: readonly RejectedEvent[]) => events.map(({ id, event }) => ({ id, event }));
      expect(contents(after)).to.have.deep.members(contents(before));
      expect(await stores.rejected.retry(`${QUEUE}/${longId}`)).to.equal(1);
      expect((await stores.queue.getWaiting()).map(({ data }) => data)).to.deep.equal([[1, null, 'a']]);
    });

    it('stay in their queue if they are too large to read, without blocking later events', async () => {
      await stores.fail([{ jobId: 'huge', data: 'x'.repeat(MAX_JOB_BYTES), reason: 'too large' }]);
      await untilLaterThan(await stores.newestRejection());
      await stores.failMany(0, 3);
      expect(await stores.move(0)).to.equal(3);
      expect((await stores.queue.getFailed()).map(({ id }) => id)).to.deep.equal(['huge']);
      expect(jobsOf(await stores.list())).to.have.members(['huge', ...numbered(0, 3)]);
    });

    it('stay in their queue if another program retries them during the move', async () => {
      await stores.failMany(0, 3);
      const { getJobState } = stores.queue;
      stores.queue.getJobState = async (jobId) => {
        if (jobId === 'job-1') await (await stores.queue.getJob(jobId))?.retry();
        return getJobState.call(stores.queue, jobId);
      };
      try {
        expect(await stores.move(0)).to.equal(2);
      } finally {
        Reflect.deleteProperty(stores.queue, 'getJobState');
      }
      expect((await stores.queue.getWaiting()).map(({ id }) => id)).to.deep.equal(['job-1']);
      expect(await stores.queue.getFailedCount()).to.equal(0);
    });

    it('can be changed and moved again after a failed change or move', async () => {
      await stores.failMany(0, 2);
      const away = () => Promise.reject(new Error('away'));
      const failureOf = (work: Promise<unknown>) => work.catch(String);
      // The pool never closes an idle session. The pool of a busy worker does not either.
      const busy = new pg.Pool({ connectionString: stores.databaseUrl, idleTimeoutMillis: 0 });
      const moveBy = (by: pg.Pool) => stores.move(0, { by });
      try {
        expect(await failureOf(openRejectedEvents(busy, [stores.queue]).changing(away))).to.equal(
          'Error: away',
        );
        stores.queue.getFailedCount = away;
        // The lock of a terminated session lasts for another moment.
        await waitUntil('a move begins', async () => (await failureOf(moveBy(busy))) === 'Error: away');
        Reflect.deleteProperty(stores.queue, 'getFailedCount');
        await waitUntil('another moves both', async () => (await moveBy(stores.pool)) === 2);
      } finally {
        Reflect.deleteProperty(stores.queue, 'getFailedCount');
        await busy.end();
      }
    });
  });
}
