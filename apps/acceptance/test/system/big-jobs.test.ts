import { type AppProcess, runTakt } from '@takt/database/testing';
import { addCompany } from '@takt/figures/master-data';
import { readMemoryLimitMb, readPeakMemoryMb, someOf, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { openTestSystem, queueStoreKinds, type TestSystem } from '../support/test-system.js';
import { GOOD_COMPANY } from './poison/corpus.js';
import { createGoodEvents, expectOnlyGoodEvents, type GoodEvents } from './poison/good-events.js';
import { openPlainClient, type PlainClient } from './poison/plain-client.js';

const QUEUE = 'work-order-operations';
/** Just above the limit of 16 MiB. */
const TOO_MANY_BYTES = 17_000_000;
const TEN_MEGABYTES = 10_000_000;
const LARGE_JOBS = 12;
/**
 * Maximum memory of the worker in MB. A worker without large jobs already takes most of this memory. A worker that read
 * a job of 100 MB as a whole took 730 MB.
 */
const MAX_MEMORY_MB = 300;
const MAX_MEMORY_WITH_LARGE_JOBS_MB = 0.75 * readMemoryLimitMb('worker');
/** Limits the heap of a command to 90 MB. */
const SMALL_HEAP = '--max-old-space-size=90';
const DRAIN_DEADLINE_MS = 120_000;

for (const kind of someOf(queueStoreKinds)) {
  describe(`large jobs in a queue on ${kind}`, function () {
    this.timeout(3 * DRAIN_DEADLINE_MS);
    let system: TestSystem;
    let client: PlainClient;
    let worker: AppProcess | undefined;
    let good: GoodEvents;

    before(async function () {
      system = await openTestSystem(this, kind);
      client = openPlainClient(system.queueUrl);
      await addCompany(system.database, GOOD_COMPANY, 'Company of the good events');
      [worker] = await system.startWorkers(1);
      good = createGoodEvents();
    });
    after(async () => {
      await client?.close();
      await system?.close();
    });

    it('are rejected above 16 MiB, without an effect on the events before and after them', async () => {
      const peakBeforeMb = readPeakMemoryMb(worker?.pid ?? 0);
      const text = JSON.stringify('x'.repeat(TOO_MANY_BYTES));
      await client.add([{ queue: QUEUE, jobId: 'before', text: good.next() }]);
      await client.add([{ queue: QUEUE, jobId: 'huge', text }]);
      const batch = `[1,${JSON.stringify('x'.repeat(TOO_MANY_BYTES))}]`;
      await client.add([{ queue: QUEUE, jobId: 'huge-batch', text: batch }]);
      await client.add([{ queue: QUEUE, jobId: 'after', text: good.next() }]);
      await system.drain(DRAIN_DEADLINE_MS);
      const peakMb = readPeakMemoryMb(worker?.pid ?? 0);
      console.log(
        `      peak memory of the worker: ${Math.round(peakBeforeMb)} MB, with jobs of 17 MB ${Math.round(peakMb)} MB`,
      );
      expect(peakMb).to.be.lessThan(MAX_MEMORY_MB);
      const { rows } = await system.pool.query<{ reason: string }>('SELECT reason FROM takt.rejections');
      expect(rows).to.have.lengthOf(2);
      for (const { reason } of rows) {
        expect(reason).to.match(/^event must take at most 16777216 bytes as JSON \(got 17000\d{3} bytes\)$/);
      }
      await expectOnlyGoodEvents(system.pool, good);
    });

    it('are processed a few at a time within the limit, even if many of them wait', async () => {
      await system.queues[QUEUE].pause();
      const texts = Array.from({ length: LARGE_JOBS }, () =>
        good.next({ ignored: 'x'.repeat(TEN_MEGABYTES) }),
      );
      for (const [index, text] of texts.entries()) {
        await client.add([{ queue: QUEUE, jobId: `large-${index}`, text }]);
      }
      await system.queues[QUEUE].resume();
      await system.drain(DRAIN_DEADLINE_MS);
      await expectOnlyGoodEvents(system.pool, good);
      const peakMb = readPeakMemoryMb(worker?.pid ?? 0);
      console.log(
        `      peak memory of the worker: ${Math.round(peakMb)} MB with ${LARGE_JOBS} jobs of 10 MB`,
      );
      expect(peakMb).to.be.lessThan(MAX_MEMORY_WITH_LARGE_JOBS_MB);
    });

    it('can be listed with little memory after their rejection, and are rejected again after a retry', async () => {
      const environment = {
        DATABASE_URL: system.databaseUrl,
        QUEUE_URL: system.queueUrl,
        NODE_OPTIONS: SMALL_HEAP,
      };
      const listed = await runTakt(['rejected', 'list'], environment);
      expect(listed).to.include({ code: 0 });
      expect(listed.stdout).to.contain('event must take at most 16777216 bytes as JSON');
      const [{ id }] = JSON.parse((await runTakt(['rejected', 'list', '--json'], environment)).stdout);
      const retried = await runTakt(['rejected', 'retry', String(id)], { ...environment, NODE_OPTIONS: '' });
      expect(retried).to.include({ stdout: 'retried 1\n' });
      await waitUntil('it is rejected again', async () => {
        const { rows } = await system.pool.query('SELECT FROM takt.rejections');
        return rows.length === 2 && (await system.queues[QUEUE].getActiveCount()) === 0;
      });
    });
  });
}
