import { inTransaction } from '@takt/database';
import type { TakenEvent } from '@takt/database/monitoring';
import { createTestDatabase, type TestDatabase } from '@takt/database/testing';
import {
  type EventQueue,
  eventProblem,
  openQueueBackend,
  QUEUE_PREFIX,
  type QueueBackend,
  words,
} from '@takt/events/internal';
import { listRejections } from '@takt/rejections';
import { createLogger } from '@takt/run';
import { needsProgram, reopening, startTestRedis, type TestRedis, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import type pg from 'pg';
import { type Consumer, consumeQueue } from '../src/consume-queue.js';
import type { EventOutcome, EventStream } from '../src/event-stream.js';
import { createSilenceCheck } from '../src/watch-for-silence.js';
import { createWorkerMetrics } from '../src/worker-metrics.js';

const QUEUE = 'work-order-operations';
const logger = createLogger({ app: 'test', level: 'silent', isTerminal: false });

const reopened = (operation: number) => reopening(operation, { database: 'A', revision: 1 });

/** Adds a job that has already ended this number of workers. */
async function endWorkers(
  redis: TestRedis,
  backend: QueueBackend,
  {
    jobId,
    data,
    times,
    deliveries = times,
  }: {
    readonly jobId: string;
    readonly data: unknown;
    readonly times: number;
    /** The number of deliveries since an operator retried the job. */
    readonly deliveries?: number;
  },
): Promise<void> {
  const queue = backend.openQueue(QUEUE);
  await queue.pause();
  await queue.add('event', data, { jobId, attempts: 1 });
  const client = new Redis(redis.url);
  await client.hset(`${QUEUE_PREFIX}:${QUEUE}:${jobId}`, { stc: times, ats: deliveries });
  client.disconnect();
  await queue.resume();
}

const UNKNOWN = { rejected: [eventProblem('', words('must be the code of a registered company'), 'none')] };
const UNKNOWN_REASON = 'event must be the code of a registered company (got none)';

describe('the consumer of a queue', () => {
  let redis: TestRedis;
  let test: TestDatabase;
  let pool: pg.Pool;
  let backend: QueueBackend;
  let queue: EventQueue;
  let consumer: Consumer;
  let metrics: ReturnType<typeof createWorkerMetrics>;
  let giveUp: AbortController;
  /** The operations that each call has applied. */
  let applied: number[][];
  let taken: TakenEvent[];
  let outcomeOf: (workOrderOperationId: number) => Promise<EventOutcome> | EventOutcome;

  before(async function () {
    needsProgram(this, 'redis-server');
    redis = await startTestRedis();
    test = await createTestDatabase();
    ({ pool } = test.database);
  });
  after(async () => {
    await test?.close();
    await redis?.close();
  });
  beforeEach(async () => {
    applied = [];
    taken = [];
    outcomeOf = () => 'applied';
    giveUp = new AbortController();
    metrics = createWorkerMetrics();
    await open();
  });
  afterEach(async () => {
    giveUp.abort();
    for (const state of ['failed', 'wait', 'delayed'] as const) await queue.clean(0, 0, state);
    await pool.query('TRUNCATE takt.rejections');
    await backend.close();
  });

  const open = async () => {
    backend = await openQueueBackend(redis.url, { onError: () => undefined });
    queue = backend.openQueue(QUEUE);
    const stream: EventStream<typeof QUEUE> = {
      queue: QUEUE,
      apply: async (_pool, events, rejections) => {
        const operations = events.map(({ workOrderOperationId }) => Number(workOrderOperationId));
        applied.push(operations);
        const outcomes = await Promise.all(operations.map(outcomeOf));
        await inTransaction(pool, async (session) => {
          await rejections.writeInvalid(session);
          await rejections.write(session, new Map(outcomes.entries()));
        });
        return outcomes;
      },
    };
    const progress = { note: (event: TakenEvent) => taken.push(event), noteRejection: () => undefined };
    const context = {
      backend,
      pool,
      logger,
      metrics: metrics.forQueue(QUEUE),
      progress,
      signal: giveUp.signal,
    };
    consumer = consumeQueue(stream, context);
  };
  const add = (data: unknown, jobId: string) =>
    queue.add('event', data, { jobId, attempts: 1, removeOnComplete: true, removeOnFail: true });
  const failed = async () =>
    (await queue.getFailed()).map(({ data, failedReason }) => ({ data, reason: failedReason }));
  const rejected = async () =>
    (await listRejections(pool, { limit: 100 })).map(({ data, reason }) => ({
      data: data === '' ? data : JSON.parse(data),
      reason,
    }));
  const isIdle = async () => (await queue.getJobCountByTypes('waiting', 'active', 'delayed')) === 0;
  const count = async (outcome: string) => {
    const { values } = (await metrics.registry.getSingleMetric('takt_events_total')?.get()) ?? { values: [] };
    return values
      .filter(({ labels }) => labels['outcome'] === outcome)
      .reduce((sum, { value }) => sum + value, 0);
  };

  it('applies a full batch of exactly 1,000 events', async () => {
    const operations = Array.from({ length: 1_000 }, (_, index) => index + 1);
    await add(operations.map(reopened), 'thousand');
    await waitUntil('the batch is done', isIdle);
    expect(applied.flat()).to.deep.equal(operations);
    expect(await failed()).to.deep.equal([]);
    expect(await count('applied')).to.equal(1_000);
  });

  it('lists a batch of 1,001 events as one rejected event, and applies no event of the batch', async () => {
    const events = Array.from({ length: 1_001 }, (_, index) => reopened(index + 1));
    await add(events, 'thousand-and-one');
    await waitUntil('the batch is listed', async () => (await rejected()).length === 1);
    expect(applied).to.deep.equal([]);
    expect(await rejected()).to.deep.equal([
      // A list leaves out data of more than 64 KB.
      { data: '', reason: 'event must be one of at most 1000 in a batch (got an array of 1001)' },
    ]);
    const { rows } = await pool.query<{ data: string }>('SELECT data FROM takt.rejections');
    expect(JSON.parse(rows[0]?.data ?? '')).to.deep.equal(events);
    await waitUntil('it is counted', async () => (await count('rejected')) === 1);
  });

  it('records each rejected event of a batch once, however often the batch is delivered', async () => {
    outcomeOf = (operation) => (operation === 2 ? UNKNOWN : 'applied');
    await add([reopened(1), reopened(2), 'no event', reopened(3)], 'mixed');
    await waitUntil('both are listed', async () => (await rejected()).length === 2);
    expect(await rejected()).to.have.deep.members([
      { data: reopened(2), reason: UNKNOWN_REASON },
      { data: 'no event', reason: 'event must be a JSON object (got "no event")' },
    ]);
    await waitUntil('both are counted', async () => (await count('rejected')) === 2);
    expect(await count('applied')).to.equal(2);
    // The same batch is delivered again. Its rejected events keep their rows.
    await add([reopened(1), reopened(2), 'no event', reopened(3)], 'mixed');
    await waitUntil(
      'the batch is done again',
      async () => (await count('applied')) === 4 && (await isIdle()),
    );
    expect(await rejected()).to.have.lengthOf(2);
  });

  it('lists exactly the refused event, even after an event that breaks a rule', async () => {
    outcomeOf = (operation) => (operation === 2 ? UNKNOWN : 'applied');
    await add(['no event', reopened(1), reopened(2), reopened(3)], 'mixed');
    await waitUntil('the batch is done', isIdle);
    expect(await rejected()).to.have.deep.members([
      { data: 'no event', reason: 'event must be a JSON object (got "no event")' },
      { data: reopened(2), reason: UNKNOWN_REASON },
    ]);
    expect(await count('applied')).to.equal(2);
  });

  it('holds no job after a rejection', async () => {
    outcomeOf = () => UNKNOWN;
    await add(reopened(1), 'bad');
    await waitUntil('it is listed', async () => (await rejected()).length === 1);
    await waitUntil('nothing is held', () => consumer.heldJobs() === 0);
  });

  it('holds few jobs with batches at once, because each job counts as the number of its events', async () => {
    const [jobs, events, first] = [60, 200, 30];
    let mostHeld = 0;
    outcomeOf = async (operation): Promise<EventOutcome> => {
      // The consumer knows the size of the first jobs by then. Jobs that are claimed during this commit count too.
      if (operation > first * events && operation % events === 0) {
        await new Promise((resolve) => setTimeout(resolve, 10));
        mostHeld = Math.max(mostHeld, consumer.heldJobs());
      }
      return 'applied';
    };
    await queue.addBulk(
      Array.from({ length: jobs }, (_, job) => ({
        name: 'event',
        data: Array.from({ length: events }, (_event, index) => reopened(job * events + index + 1)),
        opts: { jobId: `batch-${job}`, removeOnComplete: true },
      })),
    );
    await waitUntil('all are done', isIdle);
    expect(applied.flat().length).to.equal(jobs * events);
    // The limit is 700 events, but at least 4 jobs.
    expect(mostHeld).to.be.within(1, 5);
  });

  it('counts duplicate and stale events in separate metrics', async () => {
    outcomeOf = (operation) => (operation === 1 ? 'duplicate' : 'stale');
    await add([reopened(1), reopened(2), reopened(3)], 'known');
    await waitUntil('the batch is done', isIdle);
    expect([await count('duplicate'), await count('stale'), await count('applied')]).to.deep.equal([1, 2, 0]);
    expect(await failed()).to.deep.equal([]);
  });

  it('acknowledges a job only after its events have been applied', async () => {
    let commit: (outcome: EventOutcome) => void = () => undefined;
    outcomeOf = () =>
      new Promise((resolve) => {
        commit = resolve;
      });
    await add(reopened(1), 'slow');
    await waitUntil('it is applied', () => applied.length === 1);
    expect(consumer.heldJobs()).to.equal(1);
    expect(await queue.getActiveCount()).to.equal(1);
    commit('applied');
    await waitUntil('it is done', isIdle);
    await waitUntil('nothing is held', () => consumer.heldJobs() === 0);
  });

  it('returns its jobs at once if it closes while the database is away', async () => {
    outcomeOf = () => new Promise(() => undefined);
    await add(reopened(1), 'held');
    await waitUntil('it is applied', () => applied.length === 1);
    const closing = backend.close();
    giveUp.abort();
    await closing;
    outcomeOf = () => 'applied';
    giveUp = new AbortController();
    await open();
    await waitUntil('another has done it', async () => (await count('applied')) === 1 && (await isIdle()));
    expect(await failed()).to.deep.equal([]);
  });

  it('postpones the job of a node that cannot be reached, and still applies jobs of other nodes', async () => {
    const calls = new Map<number, number>();
    outcomeOf = (operation) => {
      calls.set(operation, (calls.get(operation) ?? 0) + 1);
      if (operation === 2) return calls.get(2) === 1 ? { postponed: 'no connection to the node' } : 'applied';
      return operation === 3 ? UNKNOWN : 'applied';
    };
    await add([reopened(1), reopened(2), reopened(3)], 'mixed');
    await waitUntil('it is postponed', async () => (await queue.getDelayedCount()) === 1);
    expect(await failed()).to.deep.equal([]);
    await waitUntil('nothing is held', () => consumer.heldJobs() === 0);
    await add(reopened(4), 'of another node');
    await waitUntil('the other is applied', () => calls.get(4) === 1);
    await waitUntil('all are done', isIdle);
    expect([...calls]).to.have.deep.members([
      [1, 2],
      [2, 2],
      [3, 2],
      [4, 1],
    ]);
    expect(await rejected()).to.deep.equal([{ data: reopened(3), reason: UNKNOWN_REASON }]);
  });

  it('lets a job fail that has ended more than 100 workers, and keeps it in the queue', async () => {
    await endWorkers(redis, backend, { jobId: 'hundred', data: reopened(100), times: 100 });
    await endWorkers(redis, backend, { jobId: 'hundred-and-one', data: reopened(101), times: 101 });
    await waitUntil('one is listed', async () => (await failed()).length === 1);
    const reason = 'the job stays in its queue: 101 workers ended while they had it, so it may be the cause';
    expect(await failed()).to.deep.equal([{ data: reopened(101), reason }]);
    await waitUntil('the other is done', isIdle);
    expect(applied).to.deep.equal([[100]]);
  });

  it('processes a job that an operator has retried, and a job that has waited long for its node', async () => {
    await endWorkers(redis, backend, { jobId: 'retried', data: reopened(1), times: 101, deliveries: 0 });
    await endWorkers(redis, backend, { jobId: 'postponed', data: reopened(2), times: 3, deliveries: 900 });
    await waitUntil('both are taken', async () => applied.flat().length === 2 && (await isIdle()));
    expect(await failed()).to.deep.equal([]);
  });

  it('counts as silent only if its jobs make no progress and no attempt fails', async () => {
    const look = async (laterMs: number) => {
      const silences: string[] = [];
      // This clock stands still between the two checks.
      let nowMs = performance.now();
      const check = createSilenceCheck(consumer, {
        onSilence: ({ message }) => silences.push(message),
        now: () => nowMs,
      });
      await check();
      nowMs += laterMs;
      return { problem: await check(), silences };
    };
    let attempts = 0;
    outcomeOf = () => {
      attempts += 1;
      return attempts < 4 ? Promise.reject(new Error('refused')) : new Promise(() => undefined);
    };
    await queue.add('event', reopened(1));
    await waitUntil('the first attempt has begun', () => attempts >= 1);
    const before = consumer.lastProgressAtMs();
    await waitUntil('the first has failed', () => attempts >= 2);
    expect(consumer.heldJobs()).to.equal(1);
    expect(consumer.lastProgressAtMs()).to.be.above(before);
    await waitUntil('the attempt that does not end has begun', () => attempts === 4);
    expect((await look(29_000)).problem).to.equal(undefined);
    expect((await look(31_000)).problem).to.match(
      /^1 jobs of work-order-operations are claimed, and nothing/,
    );
    const { silences } = await look(61_000);
    expect(silences).to.have.lengthOf(1);
  });
});
