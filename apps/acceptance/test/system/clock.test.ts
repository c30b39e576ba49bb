import { type AppProcess, runTakt, startApp } from '@takt/database/testing';
import { openPublisher, type Publisher } from '@takt/events';
import { QUEUE_PREFIX } from '@takt/events/internal';
import { addCompany } from '@takt/figures/master-data';
import { completion, someOf, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import type pg from 'pg';
import { type Clocks, openClocks } from '../support/clocks.js';
import {
  openTestSystem,
  type QueueStoreKind,
  queueStoreKinds,
  type TestSystem,
} from '../support/test-system.js';
import { switchOn } from './faults/mutants.js';

const DAY_MS = 86_400_000;
const AHEAD_MS = 400 * DAY_MS;
/**
 * Time in ms for which the clock stays ahead. A claim lasts 4 s, and a check for stalled jobs runs each second. The
 * time therefore covers a renewal of the claims and a check.
 */
const AHEAD_FOR_MS = 5_000;
const JOBS = 20;
/**
 * Maximum time in ms until the claims of a killed worker have expired and another worker has done its jobs. It covers
 * one claim and two checks on a loaded machine.
 */
const RECOVERY_DEADLINE_MS = 60_000;
const COMPANY = 'TEM-NO';
const QUEUE = 'work-order-operations';

for (const kind of someOf(queueStoreKinds)) {
  describe(`with queues on ${kind}, a worker whose clock jumps`, function () {
    this.timeout(180_000);
    let system: TestSystem;
    let publisher: Publisher;
    let clocks: Clocks;
    let worker: AppProcess;
    let lastOperation = 0;

    before(async function () {
      clocks = await openClocks();
      system = await openTestSystem(this, kind);
      publisher = await openPublisher(system.queueUrl);
      await addCompany(system.database, COMPANY, 'Company of the good events');
    });
    after(async () => {
      await worker?.stop('SIGKILL');
      await publisher?.close();
      await system?.close();
      await clocks?.close();
    });
    const startWorker = () => {
      const { databaseUrl, queueUrl } = system;
      const nodeArguments = [...switchOn('brief-claims'), ...clocks.nodeArguments];
      return startApp('worker', { databaseUrl, queueUrl, nodeArguments });
    };
    beforeEach(async () => {
      worker = await startWorker();
    });
    afterEach(async () => {
      await worker.stop('SIGKILL');
    });

    const publish = async (count: number) => {
      const events = Array.from({ length: count }, () => completion(++lastOperation));
      await publisher.publish(events, { batchSize: 1 });
    };
    const countOperations = async () => {
      const { rows } = await system.pool.query<{ count: number }>(
        'SELECT count(*)::int AS count FROM takt.work_order_operations',
      );
      return rows[0]?.count;
    };
    const readiness = async () => (await fetch(`${worker.origin}/health/ready`)).text();
    const metric = async (name: string) => {
      const text = await (await fetch(`${worker.origin}/metrics`)).text();
      return Number(
        text
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.split(' ')[1],
      );
    };
    const active = () => system.queues[QUEUE].getActiveCount();

    it('claims no jobs and reports the reason until its clock is right again', async () => {
      await publish(1);
      await waitUntil('the worker works', async () => (await countOperations()) === lastOperation);
      await clocks.shift(worker.pid, AHEAD_MS);
      await waitUntil('the worker is not ready', async () =>
        /^the clock .* is 345\d{5}\.\d s ahead of the queue/m.test(await readiness()),
      );
      expect((await fetch(`${worker.origin}/health/live`)).status).to.equal(200);
      expect(await metric('takt_clock_ahead_seconds')).to.be.closeTo(AHEAD_MS / 1_000, 10);
      const says = () => worker.output().includes('no jobs are claimed until they agree');
      await waitUntil('the worker says so', says);
      await publish(JOBS);
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      expect(await countOperations()).to.equal(lastOperation - JOBS);
      await clocks.shift(worker.pid, 0);
      await waitUntil('all is done', async () => (await countOperations()) === lastOperation);
      await waitUntil('the worker is ready', async () => (await readiness()) === 'ready\n');
      // The worker acknowledges a job a moment after the commit. A kill before the acknowledgement would leave a claim
      // to the next test.
      await waitUntil('nothing is claimed', async () => (await active()) === 0);
    });

    it('leaves no job undone if it is killed while its clock is wrong', async () => {
      const release = await holdCommits(system.pool);
      try {
        await publish(JOBS);
        await waitUntil('the worker holds the jobs', async () => (await active()) === JOBS);
        await clocks.shift(worker.pid, AHEAD_MS);
        await new Promise((resolve) => setTimeout(resolve, AHEAD_FOR_MS));
        expect(await readiness()).to.contain('ahead of the queue');
        await worker.stop('SIGKILL');
      } finally {
        await release();
      }
      worker = await startWorker();
      await waitUntil(
        'another worker has done the jobs',
        async () => (await countOperations()) === lastOperation,
        RECOVERY_DEADLINE_MS,
      );
      await system.drain(RECOVERY_DEADLINE_MS);
    });

    it('raises an alarm if claimed jobs make no progress for a minute', async () => {
      const environment = { DATABASE_URL: system.databaseUrl, QUEUE_URL: system.queueUrl };
      const release = await holdCommits(system.pool);
      try {
        await publish(2);
        await waitUntil('jobs are held', async () => (await active()) === 2);
        expect(await readiness()).to.equal('ready\n');
        await claimEarlier(system, kind, 61_000);
        expect(await readiness()).to.match(
          /2 jobs of work-order-operations are claimed without progress, the first for 6\d s/,
        );
        expect(await metric('takt_stuck_jobs{queue="work-order-operations"}')).to.equal(2);
        const table = await runTakt(['status'], environment);
        expect(table.stdout).to.match(
          /^ALARM +2 jobs of work-order-operations have been active without progress/m,
        );
        const { queues } = JSON.parse((await runTakt(['status', '--json'], environment)).stdout);
        expect(queues[0]).to.include({ queue: QUEUE, active: 2, stuck: 2 });
        expect(queues[0].stuckSeconds).to.be.within(61, 120);
      } finally {
        await release();
      }
      await waitUntil('the jobs are done', async () => (await countOperations()) === lastOperation);
      await waitUntil('the alarm ends', async () => (await readiness()) === 'ready\n');
      expect((await runTakt(['status'], environment)).stdout).not.to.contain('ALARM');
    });
  });
}

/** Blocks the commit of all batches of operations, and returns the function that releases them. */
async function holdCommits(pool: pg.Pool): Promise<() => Promise<void>> {
  const client = await pool.connect();
  await client.query('BEGIN; LOCK TABLE takt.work_order_operations IN EXCLUSIVE MODE');
  return async () => {
    await client.query('ROLLBACK');
    client.release();
  };
}

/** Moves the start of the current claims back in time, so that the claims look older. */
async function claimEarlier(system: TestSystem, kind: QueueStoreKind, byMs: number): Promise<void> {
  if (kind === 'postgres') {
    await system.pool.query(
      `UPDATE bullmq.job SET processed_at_ms = processed_at_ms - $1 WHERE state = 'active'`,
      [byMs],
    );
    return;
  }
  const client = new Redis(system.queueUrl);
  for (const jobId of await client.lrange(`${QUEUE_PREFIX}:${QUEUE}:active`, 0, -1)) {
    await client.hincrby(`${QUEUE_PREFIX}:${QUEUE}:${jobId}`, 'processedOn', -byMs);
  }
  await client.quit();
}
