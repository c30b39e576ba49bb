import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import {
  exportRejectedEvents,
  NotRejectedError,
  openRejectedEvents,
  type RejectedEvent,
  type RejectedEvents,
} from '@takt/database/rejected-events';
import { createTestDatabase, type TestDatabase } from '@takt/database/testing';
import {
  type EventQueue,
  MAX_JOB_BYTES,
  migrateQueueSchema,
  openQueueBackend,
  type QueueBackend,
} from '@takt/events/internal';
import { completion, needsProgram, startTestRedis, type TestRedis, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import pg from 'pg';
import { type FailingJob, failJobs } from './fail-jobs.js';

const NEVER = new AbortController().signal;
const DAY_MS = 86_400_000;
const CRASH = fileURLToPath(new URL('./crash-before-removing.js', import.meta.url));
const QUEUE = 'work-order-operations';
const BY = { by: 'Nora' };

for (const store of ['PostgreSQL', 'Redis'] as const) {
  describe(`rejected events with queues on ${store}`, function () {
    this.timeout(180_000);
    let database: TestDatabase;
    let redis: TestRedis | undefined;
    let queueUrl: string;
    let backend: QueueBackend;
    let queue: EventQueue;
    let reference: EventQueue;
    let rejected: RejectedEvents;

    before(async function () {
      if (store === 'Redis') {
        needsProgram(this, 'redis-server');
        redis = await startTestRedis();
      }
      database = await createTestDatabase();
      queueUrl = redis?.url ?? database.url;
      await migrateQueueSchema(queueUrl);
      backend = await openQueueBackend(queueUrl, { onError: () => undefined });
      queue = backend.openQueue(QUEUE);
      reference = backend.openQueue('reference-data');
      rejected = openRejectedEvents(database.database.pool, [queue, reference]);
    });
    after(async () => {
      await backend?.close();
      await redis?.close();
      await database?.close();
    });
    afterEach(async () => {
      for (const id of await rejected.listIds()) await rejected.discard(id, BY);
      for (const one of [queue, reference]) await one.drain();
    });

    const fail = (jobs: readonly FailingJob[]) => failJobs(backend, queue, jobs);
    const failMany = (from: number, to: number) =>
      fail(
        Array.from({ length: to - from }, (_, index) => {
          return { jobId: `job-${from + index}`, data: completion(from + index + 1, { runTime: -1 }) };
        }),
      );
    const move = (maxCount: number, maxAgeMs = DAY_MS) =>
      exportRejectedEvents(queue, database.database.pool, { limits: { maxCount, maxAgeMs }, signal: NEVER });
    const list = async (afterPage: (page: number) => Promise<void> = async () => undefined) => {
      const events: RejectedEvent[] = [];
      let page = 0;
      for await (const some of rejected.list()) {
        events.push(...some);
        await afterPage(page++);
      }
      return events;
    };
    const jobsOf = (events: readonly { readonly id: string }[]) => events.map(({ id }) => id.split('/')[1]);
    const numbered = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => `job-${from + index}`);
    const newestRejection = async () =>
      Math.max(...(await queue.getFailed()).map(({ finishedOn }) => finishedOn ?? 0));
    /**
     * Waits until the clock shows a later millisecond, because the two stores sort events of the same millisecond
     * differently.
     */
    const untilLaterThan = (ms: number) => waitUntil('the clock has gone on', () => Date.now() > ms);
    /** Starts a worker that takes the first waiting job. The job runs until the test ends it. */
    const takeJob = async () => {
      const worker = backend.openWorker(QUEUE, null);
      const job = await worker.getNextJob('a-token', { block: false });
      return {
        finish: async (): Promise<unknown> => {
          await job?.moveToCompleted(undefined, 'a-token', false);
          await worker.close();
          return job?.data;
        },
      };
    };
    const countRows = async () =>
      (await database.database.pool.query('SELECT FROM takt.rejected_events')).rowCount;

    it('stay in the queue up to a limit, and then a worker moves the oldest of them to PostgreSQL', async () => {
      await failMany(0, 50);
      await untilLaterThan(await newestRejection());
      await failMany(50, 60);
      const before = await list();
      expect(await move(60)).to.equal(0);
      expect(await move(10)).to.equal(50);
      expect((await queue.getFailed()).map(({ id }) => id)).to.have.members(numbered(50, 60));
      const after = await list();
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
      await failMany(0, 3);
      const lastAt = await newestRejection();
      await untilLaterThan(lastAt);
      await failMany(3, 5);
      const limits = { maxCount: 1_000, maxAgeMs: 2_000 };
      const { pool } = database.database;
      const at = (now: number) => exportRejectedEvents(queue, pool, { limits, signal: NEVER, nowMs: now });
      expect(await at(lastAt + 1_000)).to.equal(0);
      expect(await at(lastAt + 2_001)).to.equal(3);
      expect((await queue.getFailed()).map(({ id }) => id)).to.have.members(numbered(3, 5));
    });

    it('are as old as the clock of PostgreSQL shows, even if the clock of the process is wrong', async () => {
      await failMany(0, 3);
      const { now } = Date;
      Date.now = () => now() + 400 * DAY_MS;
      try {
        expect(await move(100)).to.equal(0);
      } finally {
        Date.now = now;
      }
      expect(await queue.getFailedCount()).to.equal(3);
    });

    it('are neither lost nor duplicated if the worker is killed between the commit and the removal', async () => {
      await failMany(0, 30);
      const child = spawn(process.execPath, [CRASH, queueUrl, database.url], { stdio: 'ignore' });
      expect((await once(child, 'exit'))[1]).to.equal('SIGKILL');
      // The transaction has committed a page of events. The queue still has all events.
      expect(await countRows()).to.equal(25);
      expect(await queue.getFailedCount()).to.equal(30);
      expect(jobsOf(await list())).to.have.members(numbered(0, 30));
      // The dead worker holds its lock until PostgreSQL notices that its connection has ended.
      let moved = 0;
      await waitUntil('another worker may move', async () => {
        moved = await move(0);
        return moved > 0;
      });
      expect(moved).to.equal(30);
      expect(await countRows()).to.equal(30);
      expect(await queue.getFailedCount()).to.equal(0);
      expect(jobsOf(await list())).to.have.members(numbered(0, 30));
    });

    it('are changed in the queue and in PostgreSQL if a crash has left them in both places', async () => {
      await failMany(0, 3);
      const child = spawn(process.execPath, [CRASH, queueUrl, database.url], { stdio: 'ignore' });
      await once(child, 'exit');
      expect(await countRows()).to.equal(3);
      expect(await rejected.retry(`${QUEUE}/job-0`)).to.equal(1);
      expect(await rejected.discard(`${QUEUE}/job-1`, BY)).to.equal(1);
      await rejected.correct(`${QUEUE}/job-2`, () => completion(3), BY);
      expect(await list()).to.deep.equal([]);
      expect(await queue.getWaitingCount()).to.equal(2);
    });

    it('are not moved while a person changes them or another worker moves events', async () => {
      await failMany(0, 2);
      expect(await rejected.changing(() => move(0))).to.equal(0);
      const [one, other] = await Promise.all([move(0), move(0)]);
      expect(Number(one) + Number(other)).to.equal(2);
      expect(await countRows()).to.equal(2);
    });

    it('appear exactly once in the list, even if jobs fail or are moved while the list is read', async () => {
      await failMany(0, 260);
      // All jobs failed in the same millisecond, and PostgreSQL does not know their order.
      if (store === 'PostgreSQL') {
        await database.database.pool.query(
          "UPDATE bullmq.job SET finished_at_ms = (SELECT min(finished_at_ms) FROM bullmq.job WHERE state = 'failed')",
        );
      }
      await move(230);
      const listed = await list(async (page) => {
        if (page > 1) return;
        await failMany(1_000 + page * 20, 1_020 + page * 20);
        await move(150 - page * 50);
      });
      const jobs = jobsOf(listed);
      expect(new Set(jobs).size).to.equal(jobs.length);
      expect(jobs).to.include.members(numbered(0, 260));
    });

    // The table is the same for both kinds of queue.
    if (store === 'PostgreSQL') {
      it('are listed in the order of their rejection, even if they were stored in another order', async () => {
        await failMany(0, 120);
        await move(0);
        await database.database.pool.query(
          "UPDATE takt.rejected_events SET rejected_at = now() - rejected_event_id * interval '1 s'",
        );
        const listed = await list();
        expect(listed.map(({ id }) => id)).to.deep.equal(await rejected.listIds());
        expect(listed).to.have.lengthOf(120);
      });
    }

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
      if (store === 'Redis') hostile.push({ jobId: 'nul', data: { id: 'a\0b', text: '\ud800' } });
      await fail(hostile);
      const before = await list();
      expect(await move(0)).to.equal(hostile.length);
      const after = await list();
      const contents = (events: readonly RejectedEvent[]) => events.map(({ id, event }) => ({ id, event }));
      expect(contents(after)).to.have.deep.members(contents(before));
      expect(await rejected.retry(`${QUEUE}/${longId}`)).to.equal(1);
      expect((await queue.getWaiting()).map(({ data }) => data)).to.deep.equal([[1, null, 'a']]);
    });

    it('stay in their queue if they are too large to read, without blocking later events', async () => {
      await fail([{ jobId: 'huge', data: 'x'.repeat(MAX_JOB_BYTES), reason: 'too large' }]);
      await untilLaterThan(await newestRejection());
      await failMany(0, 3);
      expect(await move(0)).to.equal(3);
      expect((await queue.getFailed()).map(({ id }) => id)).to.deep.equal(['huge']);
      expect(jobsOf(await list())).to.have.members(['huge', ...numbered(0, 3)]);
    });

    it('stay in their queue if another program retries them during the move', async () => {
      await failMany(0, 3);
      const { getJobState } = queue;
      queue.getJobState = async (jobId) => {
        if (jobId === 'job-1') await (await queue.getJob(jobId))?.retry();
        return getJobState.call(queue, jobId);
      };
      try {
        expect(await move(0)).to.equal(2);
      } finally {
        Reflect.deleteProperty(queue, 'getJobState');
      }
      expect((await queue.getWaiting()).map(({ id }) => id)).to.deep.equal(['job-1']);
      expect(await queue.getFailedCount()).to.equal(0);
    });

    it('can be changed and moved again after a failed change or move', async () => {
      await failMany(0, 2);
      const away = () => Promise.reject(new Error('away'));
      const failureOf = (work: Promise<unknown>) => work.catch(String);
      // The pool never closes an idle session. The pool of a busy worker does not either.
      const busy = new pg.Pool({ connectionString: database.url, idleTimeoutMillis: 0 });
      const moveBy = (pool: pg.Pool) =>
        exportRejectedEvents(queue, pool, { limits: { maxCount: 0, maxAgeMs: DAY_MS }, signal: NEVER });
      try {
        expect(await failureOf(openRejectedEvents(busy, [queue]).changing(away))).to.equal('Error: away');
        queue.getFailedCount = away;
        // The lock of a terminated session lasts for another moment.
        await waitUntil('a move begins', async () => (await failureOf(moveBy(busy))) === 'Error: away');
        Reflect.deleteProperty(queue, 'getFailedCount');
        await waitUntil('another moves both', async () => (await moveBy(database.database.pool)) === 2);
      } finally {
        Reflect.deleteProperty(queue, 'getFailedCount');
        await busy.end();
      }
    });

    it('are distinguished if two queues have events with the same id and data', async () => {
      const same = [{ jobId: 'daily', data: completion(1) }];
      for (const one of [queue, reference]) await failJobs(backend, one, same);
      const limits = { maxCount: 0, maxAgeMs: DAY_MS };
      for (const one of [queue, reference]) {
        const count = await exportRejectedEvents(one, database.database.pool, { limits, signal: NEVER });
        expect(count).to.equal(1);
      }
      expect((await list()).map(({ id }) => id)).to.have.members([`${QUEUE}/daily`, 'reference-data/daily']);
    });

    it('are distinguished if several jobs have used the same id', async () => {
      for (const operation of [1, 2]) {
        await fail([{ jobId: 'daily', data: completion(operation) }]);
        expect(await move(0)).to.equal(1);
      }
      await fail([{ jobId: 'daily', data: completion(3) }]);
      const id = `${QUEUE}/daily`;
      expect((await list()).map(({ eventId }) => eventId)).to.have.members(['event-1', 'event-2', 'event-3']);
      expect(await rejected.listIds()).to.deep.equal([id]);
      expect((await rejected.find(id)).length).to.equal(3);
      const failure = await rejected.correct(id, () => completion(9), BY).catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(NotRejectedError);
      expect(await rejected.retry(id)).to.equal(3);
      const waiting = (await queue.getWaiting()).map(({ data }) => data);
      expect(waiting).to.have.deep.members([1, 2, 3].map((operation) => completion(operation)));
    });

    for (const place of ['its queue', 'the table'] as const) {
      it(`in ${place} can be corrected, so that only the corrected event is in the queue of its type`, async () => {
        await failMany(0, 2);
        if (place === 'the table') await move(0);
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
        await rejected.correct(`${QUEUE}/job-0`, () => completion(1), BY);
        await rejected.correct(`${QUEUE}/job-1`, () => announced, BY);
        expect(await list()).to.deep.equal([]);
        expect((await queue.getWaiting()).map(({ data }) => data)).to.deep.equal([completion(1)]);
        expect((await reference.getWaiting()).map(({ data }) => data)).to.deep.equal([announced]);
      });

      it(`in ${place} can be retried and discarded`, async () => {
        await failMany(0, 2);
        if (place === 'the table') await move(0);
        expect(await rejected.retry(`${QUEUE}/job-0`)).to.equal(1);
        expect(await rejected.discard(`${QUEUE}/job-1`, BY)).to.equal(1);
        expect((await queue.getWaiting()).map(({ data }) => data)).to.deep.equal([
          completion(1, { runTime: -1 }),
        ]);
        for (const id of [`${QUEUE}/job-0`, `${QUEUE}/job-1`, `${QUEUE}/`, 'nothing']) {
          const discard = (one: string) => rejected.discard(one, BY);
          for (const change of [rejected.retry, discard, rejected.find]) {
            expect(await change(id).catch((error: unknown) => error), id).to.be.instanceOf(NotRejectedError);
          }
        }
      });

      it(`in ${place} can be restored unchanged after they were discarded`, async () => {
        await failMany(0, 2);
        if (place === 'the table') await move(0);
        const before = (await rejected.find(`${QUEUE}/job-0`))[0];
        await rejected.discard(`${QUEUE}/job-0`, { by: 'Nora', run: `of-discards in ${place}` });
        expect(jobsOf(await list())).to.deep.equal(['job-1']);
        const [kept, ...others] = await rejected.listResolved({ limit: 10, run: `of-discards in ${place}` });
        expect(others).to.deep.equal([]);
        expect(kept).to.deep.include({
          resolution: 'discarded',
          by: 'Nora',
          id: `${QUEUE}/job-0`,
          eventId: 'event-1',
        });
        expect(JSON.parse(kept?.data ?? '')).to.deep.equal(before?.event);
        expect(await rejected.undo(kept?.resolvedId ?? 0)).to.equal('restored');
        expect(await rejected.find(`${QUEUE}/job-0`)).to.deep.equal([{ ...before, isExported: true }]);
        expect(await rejected.undo(kept?.resolvedId ?? 0)).to.equal('gone');
        expect(await rejected.listResolved({ limit: 10, run: `of-discards in ${place}` })).to.deep.equal([]);
        expect(await rejected.retry(`${QUEUE}/job-0`)).to.equal(1);
        expect((await queue.getWaiting()).map(({ data }) => data)).to.deep.equal([before?.event]);
      });

      it(`in ${place} can be restored after a correction only while the corrected event is waiting`, async () => {
        await failMany(0, 3);
        if (place === 'the table') await move(0);
        const before = await list();
        const run = `of-corrections in ${place}`;
        for (const operation of [1, 2]) {
          await rejected.correct(`${QUEUE}/job-${operation - 1}`, () => completion(operation), {
            by: 'Nora',
            run,
          });
        }
        const [second, first] = await rejected.listResolved({ limit: 10, run });
        const taken = await takeJob();
        expect(await rejected.undo(first?.resolvedId ?? 0)).to.equal('taken');
        expect(await rejected.undo(second?.resolvedId ?? 0)).to.equal('restored');
        expect(await queue.getWaitingCount()).to.equal(0);
        expect(await list()).to.have.deep.members(
          before
            .filter(({ id }) => !id.endsWith('job-0'))
            .map((event) => (event.id.endsWith('job-1') ? { ...event, isExported: true } : event)),
        );
        expect(await taken.finish()).to.deep.equal(completion(1));
        expect(await rejected.undo(first?.resolvedId ?? 0)).to.equal('taken');
        expect((await rejected.listResolved({ limit: 10, run })).map(({ id }) => id)).to.deep.equal([
          `${QUEUE}/job-0`,
        ]);
      });
    }

    it('cannot be restored by a person without access to the companies of the event and of its correction', async () => {
      await failMany(0, 1);
      const by = { by: 'Nora', run: 'companies' };
      await rejected.correct(`${QUEUE}/job-0`, () => completion(1, { database: 'TEM-SE' }), by);
      const [kept] = await rejected.listResolved({ limit: 1, run: 'companies' });
      const undo = (codes: readonly string[]) =>
        rejected.undo(kept?.resolvedId ?? 0, (company) => codes.includes(company ?? ''));
      expect(await undo(['TEM-NO'])).to.equal('gone');
      expect(await undo(['TEM-SE'])).to.equal('gone');
      expect(await queue.getWaitingCount()).to.equal(1);
      expect(await undo(['TEM-NO', 'TEM-SE'])).to.equal('restored');
      expect(await queue.getWaitingCount()).to.equal(0);
    });

    it('get only one correction if two people correct the same event at the same time', async () => {
      await failMany(0, 1);
      const correct = (operation: number) =>
        rejected.changing(() => rejected.correct(`${QUEUE}/job-0`, () => completion(operation), BY));
      const outcomes = await Promise.allSettled([correct(1), correct(2)]);
      expect(outcomes.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected']);
      expect(await queue.getWaitingCount()).to.equal(1);
    });

    it('stay in the history for 30 days after they were resolved', async () => {
      await failMany(0, 2);
      await rejected.discard(`${QUEUE}/job-0`, { by: 'Nora', run: 'old' });
      const [kept] = await rejected.listResolved({ limit: 1, run: 'old' });
      const { pool } = database.database;
      await pool.query(
        "UPDATE takt.resolved_rejections SET resolved_at = now() - interval '30 days 1 second' WHERE run = 'old'",
      );
      expect(await rejected.listResolved({ limit: 1, run: 'old' })).to.deep.equal([]);
      expect(await rejected.undo(kept?.resolvedId ?? 0)).to.equal('gone');
      await rejected.discard(`${QUEUE}/job-1`, BY);
      expect((await pool.query("SELECT FROM takt.resolved_rejections WHERE run = 'old'")).rowCount).to.equal(
        0,
      );
    });

    it('are listed page by page after they were resolved, the last resolved event first', async () => {
      await failMany(0, 5);
      for (const id of numbered(0, 5)) await rejected.discard(`${QUEUE}/${id}`, { by: 'Nora', run: 'pages' });
      const newest = await rejected.listResolved({ limit: 2, run: 'pages' });
      const next = await rejected.listResolved({
        limit: 2,
        run: 'pages',
        beforeId: newest[1]?.resolvedId ?? 0,
      });
      expect(jobsOf([...newest, ...next])).to.deep.equal(['job-4', 'job-3', 'job-2', 'job-1']);
    });
  });
}
