import { waitUntil } from '@takt/test-support';
import { UnrecoverableError } from 'bullmq';
import { expect } from 'chai';
import { type ClockState, type EventQueue, openQueueBackend, type QueueBackend } from '../../src/internal.js';
import { queueStores, type TestStore } from '../support/queue-stores.js';

const YEAR_MS = 365 * 86_400_000;
const QUEUE = 'work-order-operations';
/** The maximum time that a loaded machine needs for a claim and two checks of the clock. */
const RECOVERY_DEADLINE_MS = 20_000;
const SHORT_CLAIMS = { lockDuration: 2_000, stalledInterval: 500 };
const onError = () => undefined;

for (const { name, start } of queueStores) {
  describe(`a clock difference on ${name}`, () => {
    let store: TestStore;
    let aheadMs: number;
    let changes: ClockState[];
    let done: unknown[];
    let isIdle: boolean;
    let repaired: number;
    let backends: QueueBackend[];
    let queue: EventQueue;

    before(async function () {
      this.timeout(180_000);
      store = await start(this);
    });
    after(() => store?.close());
    beforeEach(async () => {
      aheadMs = 0;
      changes = [];
      done = [];
      isIdle = false;
      repaired = 0;
      backends = [];
      queue = (await open()).openQueue(QUEUE);
    });
    afterEach(async () => {
      await Promise.all(backends.map((backend) => backend.close()));
    });

    const open = async () => {
      const backend = await openQueueBackend(store.url, {
        onError,
        onClockChange: (state) => changes.push(state),
        onTimesRepaired: (_queue, count) => (repaired += count),
        now: () => Date.now() + aheadMs,
      });
      backends.push(backend);
      return backend;
    };
    const work = async () => {
      const backend = await open();
      const worker = backend.openWorker(QUEUE, async ({ data }) => void done.push(data), SHORT_CLAIMS);
      worker.on('active', () => (isIdle = false));
      worker.on('drained', () => (isIdle = true));
      await waitUntil('the clocks were compared', () => backend.clockState() !== undefined);
      return backend;
    };
    /**
     * Claims a job with a worker that then dies. The times in the claim are those of a clock that is this far ahead.
     */
    const claimAndDie = async (claimedAheadMs: number) => {
      await queue.add('x', 'left behind', { removeOnComplete: true });
      const worker = (await open()).openWorker(QUEUE, null);
      const job = await worker.getNextJob('a-token', { block: false });
      await store.falsify(QUEUE, job?.id ?? '', Date.now() + claimedAheadMs);
    };

    it('stops all claims of jobs until the clocks agree again', async () => {
      const backend = await work();
      await queue.add('x', 1, { removeOnComplete: true });
      // The end of a job claims the next one. If that claim has already begun, it still uses the earlier result of the
      // comparison.
      await waitUntil('a job is done and no claim under way', () => done.length === 1 && isIdle);
      aheadMs = -10_000;
      await queue.add('x', 2, { removeOnComplete: true });
      await waitUntil('the difference is told', () => changes.length === 1);
      expect(backend.clockState()?.agrees).to.equal(false);
      expect(backend.clockState()?.aheadMs).to.be.within(-10_500, -9_500);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      expect(done).to.deep.equal([1]);
      aheadMs = 0;
      await waitUntil('the other job is done', () => done.length === 2);
      expect(changes.map(({ agrees }) => agrees)).to.deep.equal([false, true]);
    });

    it('prevents the end of a job from claiming the next job', async () => {
      const backend = await open();
      const worker = backend.openWorker(QUEUE, null);
      await waitUntil('the clocks were compared', () => backend.clockState() !== undefined);
      for (const ending of ['completed', 'failed'] as const) {
        aheadMs = 0;
        await queue.add('x', 1, { removeOnComplete: true, removeOnFail: true });
        await queue.add('x', 2);
        const job = await worker.getNextJob('a-token', { block: false });
        aheadMs = 10_000;
        // Both ways to end a job would also claim the next one.
        await (ending === 'completed'
          ? job?.moveToCompleted(null, 'a-token', true)
          : job?.moveToFailed(new UnrecoverableError('wrong'), 'a-token', true));
        expect(await queue.getJobCounts('active', 'waiting'), ending).to.deep.equal({
          active: 0,
          waiting: 1,
        });
        await queue.drain();
      }
    });

    it('does not change the remaining time of a renewed claim', async () => {
      const backend = await open();
      const worker = backend.openWorker(QUEUE, null);
      await queue.add('x', 1, { removeOnComplete: true });
      await waitUntil('the clocks were compared', () => backend.clockState() !== undefined);
      const job = await worker.getNextJob('a-token', { block: false });
      aheadMs = 1_900;
      await worker.extendJobLocks([job?.id ?? ''], ['a-token'], 600_000);
      // The test changes only the clock that is compared; BullMQ uses the right clock. In PostgreSQL, a claim ends by
      // the clock of the client, so the correction makes it shorter by the difference.
      const expectedMs = name === 'PostgreSQL' ? 598_100 : 600_000;
      expect(await store.claimLastsMs(QUEUE, job?.id ?? '')).to.be.within(
        expectedMs - 1_500,
        expectedMs + 200,
      );
      await job?.moveToCompleted(null, 'a-token', false);
    });

    it('does not keep a waiting worker from closing', async () => {
      aheadMs = YEAR_MS;
      const backend = await work();
      await queue.add('x', 1, { removeOnComplete: true });
      await waitUntil('the difference is told', () => changes.length === 1);
      const startedAt = performance.now();
      await backend.close();
      expect(performance.now() - startedAt).to.be.lessThan(5_000);
      expect(done).to.deep.equal([]);
      await queue.drain();
    });

    it('does not prolong the claim of a dead worker whose clock was ahead', async () => {
      await claimAndDie(YEAR_MS);
      await work();
      await waitUntil('the job is done', () => done.length === 1, RECOVERY_DEADLINE_MS);
      // In PostgreSQL, the repair changes the claim and the time of the last check. In Redis, both follow the clock of
      // Redis, so nothing is repaired.
      expect(repaired).to.equal(name === 'PostgreSQL' ? 2 : 0);
    }).timeout(180_000);

    it('leaves the job of a dead worker visible as stuck', async () => {
      const backend = await open();
      expect(await backend.view.countStuckJobs(QUEUE)).to.deep.equal({ jobs: 0, longestMs: 0 });
      await claimAndDie(0);
      expect(await backend.view.countStuckJobs(QUEUE)).to.deep.equal({ jobs: 0, longestMs: 0 });
      await claimAndDie(-61_000);
      const { jobs, longestMs } = await backend.view.countStuckJobs(QUEUE);
      expect(jobs).to.equal(1);
      expect(longestMs).to.be.within(61_000, 70_000);
      await claimAndDie(YEAR_MS);
      expect((await backend.view.countStuckJobs(QUEUE)).jobs).to.equal(2);
      await work();
      await waitUntil('all jobs are done', () => done.length === 3, 60_000);
      expect(await backend.view.countStuckJobs(QUEUE)).to.deep.equal({ jobs: 0, longestMs: 0 });
    }).timeout(180_000);
  });
}
