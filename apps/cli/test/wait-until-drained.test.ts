import type { EventQueue } from '@takt/events/internal';
import { completion, needsProgram } from '@takt/test-support';
import { expect } from 'chai';
import { askQueues, type QueuesToAsk } from '../src/queues.js';
import { waitUntilDrained } from '../src/wait-until-drained.js';
import { openTestInstallation, type TestInstallation } from './support/test-installation.js';

for (const store of ['postgres', 'redis'] as const) {
  describe(`waitUntilDrained on ${store}`, () => {
    let installation: TestInstallation;
    let queue: EventQueue;
    let asked: QueuesToAsk;

    before(async function () {
      if (store === 'redis') needsProgram(this, 'redis-server');
      installation = await openTestInstallation(store);
      const [first] = installation.queues;
      if (first === undefined) throw new Error('there is no queue');
      queue = first;
      asked = await askQueues(installation.queueUrl);
    });
    after(async () => {
      await asked?.close();
      await installation?.close();
    });

    /** Returns the queues. Runs one of the steps before each query of the first queue. */
    const withSteps = (steps: (() => Promise<unknown>)[]): QueuesToAsk => ({
      ...asked,
      countJobs: async (name) => {
        if (name === queue.name) await steps.shift()?.();
        return asked.countJobs(name);
      },
    });

    it('keeps waiting if a queue is empty for a moment between two jobs', async () => {
      const add = () => queue.add('event', completion(1));
      // Runs one step before each query of the queue: a batch is taken, and a moment later its rejected events are put
      // back.
      const steps = [add, () => queue.drain(), add, () => queue.drain(), async () => undefined];
      const seen: number[] = [];
      const report = await waitUntilDrained(withSteps(steps), {
        timeoutMs: 60_000,
        onProgress: (left) => seen.push(left),
      });
      expect(report).to.include({ isDrained: true, jobsLeft: 0 });
      expect(steps.length).to.equal(0);
      expect(seen).to.include.members([0, 1]);
    }).timeout(180_000);

    it('counts all jobs that end after its start, even jobs that were added later', async () => {
      const add = async (count: number) => {
        for (let number = 0; number < count; number++) await queue.add('event', completion(number));
      };
      const work = async (count: number) => {
        const worker = installation.backend.openWorker('work-order-operations', null);
        for (let number = 0; number < count; number++) {
          const job = await worker.getNextJob('token');
          await job?.moveToCompleted('done', 'token', false);
        }
        await worker.close();
      };
      await add(2);
      await work(2);
      await add(1);
      const nothing = async () => undefined;
      const steps = [nothing, () => add(3), () => work(4), nothing, nothing];
      const report = await waitUntilDrained(withSteps(steps), { timeoutMs: 60_000 });
      expect(report).to.include({ isDrained: true, completed: 4, jobsLeft: 0 });
      // A worker was faster than the command: what it has just done counts, and later starts of the queue do not.
      expect(await waitUntilDrained(asked, { timeoutMs: 60_000 })).to.include({ completed: 6, failed: 0 });
    }).timeout(180_000);

    it('waits for delayed jobs too', async () => {
      await queue.add('event', completion(1), { jobId: 'delayed-job', delay: 3_600_000 });
      const left: number[] = [];
      const report = await waitUntilDrained(asked, {
        timeoutMs: 1_000,
        onProgress: (jobs) => left.push(jobs),
      });
      expect(report).to.include({ isDrained: false, jobsLeft: 1 });
      expect(new Set(left)).to.deep.equal(new Set([1]));
      await queue.remove('delayed-job');
    }).timeout(180_000);

    it('does not consider a queue without an answer empty', async () => {
      const nothing = async () => undefined;
      const away = () => Promise.reject(new Error('away'));
      const steps = [nothing, away, () => queue.add('event', completion(1)), () => queue.drain(), nothing];
      const report = await waitUntilDrained(withSteps(steps), { timeoutMs: 60_000 });
      expect(report).to.include({ isDrained: true, jobsLeft: 0 });
      expect(steps.length).to.equal(0);
    }).timeout(180_000);
  });
}
