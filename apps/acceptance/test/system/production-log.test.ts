import { openPublisher, type Publisher } from '@takt/events';
import { addCompany } from '@takt/figures/master-data';
import { randomFrom, someOf, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import { monthsOf, readMonthlyFigures } from '../support/monthly-figures.js';
import {
  type ProductionLog,
  type ProductionLogEvent,
  readProductionLog,
} from '../support/read-production-log.js';
import { readServedFigures } from '../support/served-figures.js';
import { openTestSystem, queueStoreKinds, type TestSystem } from '../support/test-system.js';

const DRAIN_DEADLINE_MS = 120_000;
const EVENTS_A_JOB = 500;

for (const kind of someOf(queueStoreKinds)) {
  describe(`the log of a real factory in queues on ${kind}`, function () {
    this.timeout(2 * DRAIN_DEADLINE_MS);
    let log: ProductionLog;
    let system: TestSystem;
    let publisher: Publisher;
    const seed = testSeed();

    before(async function () {
      log = readProductionLog(this);
      system = await openTestSystem(this, kind);
      publisher = await openPublisher(system.queueUrl);
    });
    after(async () => {
      await publisher?.close();
      await system?.close();
    });

    async function expectExactFigures(company: string) {
      await system.drain(DRAIN_DEADLINE_MS);
      expect(await countRejected(system)).to.equal(0);
      const served = await readServedFigures(system.pool, company);
      expect(Object.keys(served)).to.have.lengthOf(274);
      expect(served).to.deep.equal(log.expected);
      const byMonth = await readMonthlyFigures(system.pool, company);
      expect(Object.keys(byMonth)).to.have.lengthOf.above(300);
      expect(byMonth).to.deep.equal(monthsOf(log));
    }

    it('gives all digits of the expected figures of all structure versions and months', async () => {
      await addCompany(system.database, 'TEM-NO', 'Production log');
      await system.startWorkers(1);
      await publisher.publish(log.events, { batchSize: 1 });
      await expectExactFigures('TEM-NO');
      expect(await countListed(system, 'TEM-NO')).to.equal(274);
    });

    it(`gives the same figures after 4 workers get all events again in random order (seed ${seed})`, async () => {
      await system.startWorkers(3);
      await publishBothWays(publisher, log.events, seed);
      await expectExactFigures('TEM-NO');
    });

    it(`gives the same figures for a new company with 4 workers and random order (seed ${seed})`, async () => {
      await addCompany(system.database, 'TEM-SE', 'The same log once more');
      const moved = log.events.map(
        (event) => ({ ...event, data: { ...event.data, database: 'TEM-SE' } }) as ProductionLogEvent,
      );
      await publishBothWays(publisher, moved, seed);
      await expectExactFigures('TEM-SE');
      await expectExactFigures('TEM-NO');
    });
  });
}

/**
 * Publishes every event twice in parallel: once in a separate job, and once in a job with many events. The order of the
 * two differs.
 */
async function publishBothWays(publisher: Publisher, events: readonly ProductionLogEvent[], seed: number) {
  await Promise.all([
    publisher.publish(randomFrom(seed).shuffle(events), { batchSize: 1 }),
    publisher.publish(randomFrom(seed + 1).shuffle(events), { batchSize: EVENTS_A_JOB }),
  ]);
}

async function countRejected({ pool }: TestSystem): Promise<number> {
  return (await pool.query('SELECT FROM takt.rejections')).rowCount ?? 0;
}

/** Counts the structure versions whose master data has arrived. */
async function countListed({ pool }: TestSystem, company: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM takt.product_structure_versions JOIN takt.companies USING (company_id)
     WHERE code = $1 AND changed_at IS NOT NULL`,
    [company],
  );
  return rows[0]?.count ?? 0;
}
