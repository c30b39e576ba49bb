import { type AppProcess, runTakt } from '@takt/database/testing';
import { addCompany } from '@takt/figures/master-data';
import { readMemoryLimitMb, readPeakMemoryMb, someOf, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { openTestSystem, queueStoreKinds, type TestSystem } from '../support/test-system.js';
import { GOOD_COMPANY } from './poison/corpus.js';
import { createGoodEvents, expectOnlyGoodEvents, type GoodEvents } from './poison/good-events.js';
import { openPlainClient, type PlainClient } from './poison/plain-client.js';

const QUEUE = 'work-order-operations';
const FIFTY_MEGABYTES = 50_000_000;
const TWENTY_MEGABYTES = 20_000_000;
const TEN_MEGABYTES = 10_000_000;
const LARGE_JOBS = 12;
/**
 * Maximum memory of the worker in MB. A worker without large jobs already takes most of this memory. A worker that read
 * a job of 100 MB as a whole took 730 MB.
 */
const MAX_MEMORY_MB = 300;
const MAX_MEMORY_WITH_LARGE_JOBS_MB = 0.75 * readMemoryLimitMb('worker');
/** Limits the heap of a command to 90 MB, which is too small to read the large job. */
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

    it('are rejected unread above 16 MiB, without an effect on the events before and after them', async () => {
      const peakBeforeMb = readPeakMemoryMb(worker?.pid ?? 0);
      const text = JSON.stringify('x'.repeat(FIFTY_MEGABYTES));
      await client.add([{ queue: QUEUE, jobId: 'before', text: good.next() }]);
      await client.add([{ queue: QUEUE, jobId: 'huge', text }]);
      const batch = `[1,${JSON.stringify('x'.repeat(TWENTY_MEGABYTES))}]`;
      await client.add([{ queue: QUEUE, jobId: 'huge-batch', text: batch }]);
      await client.add([{ queue: QUEUE, jobId: 'after', text: good.next() }]);
      await system.drain(DRAIN_DEADLINE_MS);
      const peakMb = readPeakMemoryMb(worker?.pid ?? 0);
      console.log(
        `      peak memory of the worker: ${Math.round(peakBeforeMb)} MB, with a job of 50 MB ${Math.round(peakMb)} MB`,
      );
      expect(peakMb).to.be.lessThan(MAX_MEMORY_MB);
      const failed = await system.queues[QUEUE].getFailed();
      expect(failed.map(({ id }) => id)).to.have.members(['huge', 'huge-batch']);
      for (const { failedReason } of failed) {
        expect(failedReason).to.match(
          /^a job must hold at most 16777216 bytes \(got [25]0000\d{3,4}\), it was put aside unread$/,
        );
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
      expect(listed.stdout).to.contain('put aside unread');
      const queue = system.queues[QUEUE];
      await (await queue.getJob('huge'))?.retry('failed');
      await waitUntil('it was delivered again', async () => {
        const job = await queue.getJob('huge');
        return (await job?.isFailed()) === true && job?.attemptsStarted === 2;
      });
    });
  });
}
