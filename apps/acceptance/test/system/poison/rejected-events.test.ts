import { type AppProcess, runTakt } from '@takt/database/testing';
import { auditProductionTimes } from '@takt/figures';
import { addCompany } from '@takt/figures/master-data';
import { completion, readPeakMemoryMb, someOf } from '@takt/test-support';
import { expect } from 'chai';
import { openTestSystem, queueStoreKinds, type TestSystem } from '../../support/test-system.js';
import { GOOD_COMPANY } from './corpus.js';
import { createGoodEvents, expectOnlyGoodEvents, type GoodEvents } from './good-events.js';
import { type ListedEvent, readListed } from './listed-events.js';
import { openPlainClient, type PlainClient } from './plain-client.js';

const DRAIN_DEADLINE_MS = 120_000;
const TEN_MEGABYTES = 10_000_000;
const queue = 'work-order-operations';

for (const kind of someOf(queueStoreKinds)) {
  describe(`a rejected event in a queue on ${kind}`, function () {
    this.timeout(3 * DRAIN_DEADLINE_MS);
    let system: TestSystem;
    let client: PlainClient;
    let worker: AppProcess | undefined;
    let good: GoodEvents;
    const bad = (id: string) => JSON.stringify(completion(1, { revision: 0 }, { id }));

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
    afterEach(async () => {
      await expectOnlyGoodEvents(system.pool, good);
      expect((await auditProductionTimes(system.pool)).differences).to.deep.equal([]);
      await system.pool.query('TRUNCATE takt.rejections');
      await system.queues[queue].clean(0, 0, 'failed');
    });

    /** Adds a job, waits until all jobs are done, and returns all rejected events. */
    async function deliver(jobId: string, text: string, opts = {}): Promise<readonly ListedEvent[]> {
      await client.add([{ queue, jobId, text, opts }]);
      await system.drain(DRAIN_DEADLINE_MS);
      return readListed(system.pool);
    }

    async function retry({ id }: ListedEvent): Promise<readonly ListedEvent[]> {
      const environment = { DATABASE_URL: system.databaseUrl, QUEUE_URL: system.queueUrl };
      expect(await runTakt(['rejected', 'retry', id], environment)).to.include({ stdout: 'retried 1\n' });
      await system.drain(DRAIN_DEADLINE_MS);
      return readListed(system.pool);
    }

    it('is listed once and apart from its batch of 500, however often the batch is delivered', async () => {
      const members = Array.from({ length: 497 }, () => good.next());
      members.splice(400, 0, bad('c'));
      members.splice(200, 0, bad('b'));
      members.splice(0, 0, bad('a'));
      const batch = `[${members.join(',')}]`;
      const listed = await deliver('shift-1', batch);
      expect(listed.map(({ data }) => Object(data).id)).to.have.members(['a', 'b', 'c']);
      expect(await deliver('shift-1', batch)).to.deep.equal(listed);
    });

    it('is listed in addition to an earlier rejected event, even if their batches have the same job id', async () => {
      await deliver('daily', `[${bad('monday')},${good.next()}]`);
      const listed = await deliver('daily', `[${bad('tuesday')},${good.next()}]`);
      expect(listed.map(({ data }) => Object(data).id)).to.have.members(['monday', 'tuesday']);
    });

    it('is tried once, and leaves no job, whatever its producer asked', async () => {
      const listed = await deliver('hasty', bad('hasty'), { removeOnFail: true, attempts: 3 });
      expect(listed.map(({ data }) => Object(data).id)).to.deep.equal(['hasty']);
      const { rows } = await system.pool.query('SELECT times FROM takt.rejections');
      expect(rows).to.deep.equal([{ times: 1 }]);
      expect(await system.queues[queue].getFailedCount()).to.equal(0);
    });

    it('is listed again after a retry without changes', async () => {
      const listed = await deliver('hopeless', `[${bad('hopeless')},${good.next()}]`);
      expect(listed).to.have.lengthOf(1);
      for (const event of listed) {
        const again = await retry(event);
        expect(again.map(({ data, reason }) => ({ data, reason }))).to.deep.equal(
          listed.map(({ data, reason }) => ({ data, reason })),
        );
      }
    });

    it('counts after a retry once its company is registered', async () => {
      const late = (id: number) => JSON.stringify(completion(id, { database: 'LATE' }));
      await deliver('alone', late(1));
      const listed = await deliver('among-others', `[${late(2)},${good.next()}]`);
      expect(listed.map(({ reason }) => reason)).to.deep.equal(
        Array(2).fill('data.database must be the code of a registered company (got "LATE")'),
      );
      await addCompany(system.database, 'LATE', 'Registered late');
      for (const event of listed) await retry(event);
      expect(await readListed(system.pool)).to.deep.equal([]);
      const { operations } = await auditProductionTimes(system.pool, { database: 'LATE' });
      expect(operations).to.equal(2);
    });

    it('is no event of a job that has ended over 100 workers: the job stays in the queue as a whole', async () => {
      await system.queues[queue].pause();
      const [one, other] = [JSON.stringify(completion(1)), JSON.stringify(completion(2))];
      await client.add([
        { queue, jobId: 'endless', text: one },
        { queue, jobId: 'endless-batch', text: `[${other},${bad('member')}]` },
      ]);
      for (const jobId of ['endless', 'endless-batch']) await client.setLostWorkers(queue, jobId, 101);
      await system.queues[queue].resume();
      await system.drain(DRAIN_DEADLINE_MS);
      expect(await readListed(system.pool)).to.deep.equal([]);
      const failed = await system.queues[queue].getFailed();
      expect(failed.map(({ id }) => id)).to.have.members(['endless', 'endless-batch']);
      for (const { failedReason } of failed) {
        expect(failedReason).to.match(/^the job stays in its queue: 101 workers ended while they had it/);
      }
    });

    it('can be the later one of two contradicting events in a batch', async () => {
      const first = good.next({ workOrderOperationId: 77, revision: 3 });
      const second = JSON.stringify(completion(77, { revision: 3, runTime: 9 }));
      const listed = await deliver('contradiction', `[${good.next()},${first},${second}]`);
      expect(listed.map(({ data }) => Object(data).data.runTime)).to.deep.equal([9]);
      expect(listed[0]?.reason).to.match(
        /^data\.revision must grow with every change \(got 3, which operation 77 of /,
      );
    });

    it('can be a batch of more than 1,000 events, but not an empty batch', async () => {
      const members = Array.from({ length: 2_000 }, (_, id) => JSON.stringify(completion(id + 1)));
      const listed = await deliver('too-long', `[${members.join(',')}]`);
      expect(listed.map(({ reason }) => reason)).to.deep.equal([
        'event must be one of at most 1000 in a batch (got an array of 2000)',
      ]);
      expect(listed[0]?.data).to.have.lengthOf(2_000);
      expect(await deliver('empty', '[]')).to.deep.equal(listed);
    });

    it('can have 10 MB', async () => {
      const peakBeforeMb = readPeakMemoryMb(worker?.pid ?? 0);
      const large = 'x'.repeat(TEN_MEGABYTES);
      await deliver('ignored', good.next({ ignored: large }));
      await deliver('ignored-in-batch', `[${good.next()},${good.next({ ignored: large })}]`);
      const tooLong = JSON.stringify(completion(1, { database: large }));
      await deliver('large', tooLong);
      const listed = await deliver('large-in-batch', `[${good.next()},${tooLong},${good.next()}]`);
      expect(listed.map(({ data }) => Object(data).data.database.length)).to.deep.equal([TEN_MEGABYTES]);
      for (const { reason } of listed) {
        expect(reason).to.match(/^data\.database must be text of 1 to 20 characters .* \(got "x+…\)$/);
      }
      const peakMb = readPeakMemoryMb(worker?.pid ?? 0);
      console.log(
        `      peak memory of the worker: ${Math.round(peakBeforeMb)} MB, with 10 MB jobs ${Math.round(peakMb)} MB`,
      );
    });
  });
}
