import { type AppProcess, runTakt } from '@takt/database/testing';
import { auditProductionTimes } from '@takt/figures';
import { addCompany } from '@takt/figures/master-data';
import { readPeakMemoryMb, someOf } from '@takt/test-support';
import { expect } from 'chai';
import { asNamed } from '../../support/event-verdicts.js';
import { openTestSystem, queueStoreKinds, type TestSystem } from '../../support/test-system.js';
import { GOOD_COMPANY, KNOWN, poisonsFor, unreadable } from './corpus.js';
import { asBatches, asSingleJobs, createGoodEvents, expectOnlyGoodEvents } from './good-events.js';
import { comparable, type ListedEvent, readListed } from './listed-events.js';
import { openPlainClient, type PlainClient, type PlainJob } from './plain-client.js';

const DRAIN_DEADLINE_MS = 120_000;
const MAX_MEMORY_MB = 200;
const OF_NULL = 'event must be a JSON object (got null)';

for (const kind of someOf(queueStoreKinds)) {
  const poisons = poisonsFor(kind);

  describe(`in queues on ${kind}, ${poisons.length} bad events among good events`, function () {
    this.timeout(2 * DRAIN_DEADLINE_MS);
    let system: TestSystem;
    let client: PlainClient;
    let worker: AppProcess | undefined;
    let peakMemoryMb: number;
    let listed: readonly ListedEvent[];
    const good = createGoodEvents();
    const unreadableJobs = kind === 'redis' ? unreadable.map(toUnreadableJob) : [];

    before(async function () {
      system = await openTestSystem(this, kind);
      client = openPlainClient(system.queueUrl);
      await addCompany(system.database, GOOD_COMPANY, 'Company of the good events');
      await client.add([{ queue: 'work-order-operations', jobId: 'known', text: good.next(KNOWN) }]);
      await client.add(asSingleJobs(poisons, good));
      await client.add(unreadableJobs);
      await client.add(asBatches(poisons, good));
      [worker] = await system.startWorkers(1);
      await system.drain(DRAIN_DEADLINE_MS);
      peakMemoryMb = readPeakMemoryMb(worker?.pid ?? 0);
      listed = await readListed(system.pool);
    });
    after(async () => {
      await client?.close();
      await system?.close();
    });

    it('never count, while every good event counts', () => expectOnlyGoodEvents(system.pool, good));

    it('are each listed once, with the wrong field and the rule', () => {
      const reasons = new Map<string, Set<string>>();
      for (const poison of poisons) {
        const { json, queue, reason, reasonAlone = reason, listedAs = json } = poison;
        const key = keyOf({ queue, data: JSON.parse(listedAs) });
        reasons.set(key, new Set([...(reasons.get(key) ?? []), asNamed(reason), reason, reasonAlone]));
        // Only a job of its own is changed by the queue, not a member of a batch.
        if (listedAs !== json) reasons.set(keyOf({ queue, data: null }), new Set([OF_NULL]));
      }
      const found = listed.filter(({ data }) => !unreadable.includes(String(data)));
      const unexpected = found.filter((event) => reasons.get(keyOf(event))?.has(event.reason) !== true);
      const keys = new Set(found.map(keyOf));
      const unlisted = [...reasons.keys()].filter((key) => !keys.has(key));
      const shown = (all: readonly unknown[]) =>
        all.slice(0, 3).map((one) => JSON.stringify(one).slice(0, 400));
      expect({ unlisted: shown(unlisted), unexpected: shown(unexpected) }).to.deep.equal({
        ...{ unlisted: [], unexpected: [] },
      });
    });

    if (kind === 'redis') {
      it('are listed with their original text if the data of the job are not JSON', () => {
        const texts = listed.filter(({ data }) => unreadable.includes(String(data)));
        expect(texts.map(({ data }) => data)).to.have.members(unreadable);
        for (const { reason } of texts) expect(reason).to.match(/^event must be a JSON object \(got "/);
      });
    } else {
      for (const text of ['a\u0000b', 'a\ud800']) {
        it(`cannot contain ${JSON.stringify(text)}, because the queue refuses the whole call`, async () => {
          const refusal = await client
            .addValues('work-order-operations', [{}, { text }])
            .catch((error) => error);
          expect(refusal)
            .to.be.instanceOf(Error)
            .with.property('code')
            .that.matches(/^22P0[25]$/);
          expect(await system.queues['work-order-operations'].getWaitingCount()).to.equal(0);
        });
      }
    }

    it('are shown by takt rejected list before and after takt rejected retry --all', async () => {
      const asListed = listed.map(({ queue, reason }) => ({ queue, reason }));
      expect(await listByCommand(system)).to.have.deep.members(asListed);
      const { stdout } = await runTakt(['rejected', 'retry', '--all'], environmentOf(system));
      expect(stdout).to.equal(`retried ${listed.length}\n`);
      await system.drain(DRAIN_DEADLINE_MS);
      // A number that exceeds a double has become a list of its name, and null alone an object.
      const keys = new Set((await readListed(system.pool)).map(keyOf));
      expect(keys).to.deep.equal(
        new Set(listed.filter(({ reason }) => kind === 'redis' || reason !== OF_NULL).map(keyOf)),
      );
    });

    it(`do not stop the worker, and do not raise its memory above ${MAX_MEMORY_MB} MB`, async () => {
      console.log(`      peak memory of the worker: ${Math.round(peakMemoryMb)} MB`);
      expect(peakMemoryMb).to.be.within(1, MAX_MEMORY_MB);
      await client.add([{ queue: 'work-order-operations', jobId: 'afterwards', text: good.next() }]);
      await system.drain(DRAIN_DEADLINE_MS);
      await expectOnlyGoodEvents(system.pool, good);
      expect(process.kill(worker?.pid ?? Number.NaN, 0), 'the process runs').to.equal(true);
    });

    it('do not change the figures, which equal a new computation', async () => {
      const { operations, differences } = await auditProductionTimes(system.pool);
      expect(differences).to.deep.equal([]);
      expect(operations).to.equal(good.operations().length);
    });
  });
}

function toUnreadableJob(text: string, index: number): PlainJob {
  return { queue: 'work-order-operations', jobId: `unreadable-${index}`, text };
}

function keyOf({ queue, data }: Pick<ListedEvent, 'queue' | 'data'>): string {
  return `${queue}: ${comparable(data)}`;
}

async function listByCommand(system: TestSystem): Promise<readonly { queue: string; reason: string }[]> {
  const { code, stdout, stderr } = await runTakt(['rejected', 'list', '--json'], environmentOf(system));
  expect(code, stderr).to.equal(0);
  const events: readonly { queue: string; reason: string }[] = JSON.parse(stdout);
  return events.map(({ queue, reason }) => ({ queue, reason }));
}

function environmentOf({ databaseUrl, queueUrl }: TestSystem) {
  return { DATABASE_URL: databaseUrl, QUEUE_URL: queueUrl };
}
