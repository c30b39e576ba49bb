import { createTestDatabase, needsSingleServer, type TestDatabase } from '@takt/database/testing';
import { shareOf, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import fc from 'fast-check';
import type pg from 'pg';
import { COMPARISON_FIGURES } from '../../src/production-times/figures.js';
import {
  applyWorkOrderOperationEvents,
  auditProductionTimes,
  pruneOperations,
  rebuildProductionTimes,
} from '../../src/production-times/index.js';
import { registerCompany } from './companies.js';
import { changeStructureVersions, completed } from './events.js';
import { anyHistory, completionsAfter, type History, IDENTIFIERS, toEvent } from './histories.js';
import {
  anyPlanChange,
  compare,
  type PlanChange,
  type ProductSums,
  readComparisons,
  readProductSums,
  sumProduct,
} from './plans.js';

const HISTORIES = shareOf(150);

/**
 * Batches of operations, and batches of plans. A common position decides the order in which workers apply all batches.
 */
interface PlannedHistory {
  readonly history: History;
  readonly plans: readonly (readonly PlanChange[])[];
  readonly order: readonly number[];
}

const anyPlannedHistory: fc.Arbitrary<PlannedHistory> = fc
  .tuple(anyHistory, fc.uniqueArray(anyPlanChange, { maxLength: 12, selector: instantOf }))
  .chain(([history, changes]) => {
    const plans = Array.from({ length: Math.ceil(changes.length / 3) }, (_, index) =>
      changes.slice(3 * index, 3 * index + 3),
    );
    const places = [...Array(history.batches.length + plans.length).keys()];
    const order = fc.shuffledSubarray(places, { minLength: places.length });
    return fc.record({ history: fc.constant(history), plans: fc.constant(plans), order });
  });

function instantOf({ version, minute }: PlanChange): string {
  return `${version} ${minute}`;
}

function applyPlans(
  pool: pg.Pool,
  database: string,
  offset: number,
  changes: readonly PlanChange[],
): Promise<void> {
  const rows = changes.map(({ version, product, minute, run, setup, cleanup }) => ({
    ...{ changed_at: `2026-03-02T12:0${minute}:00Z`, product_structure_version_id: offset + version },
    ...{ product_id: offset + product, run_time: run, setup_time: setup, cleanup_time: cleanup },
  }));
  return changeStructureVersions(pool, database, rows);
}

describe('the comparison with the plan', () => {
  let test: TestDatabase;
  let database: string;
  let histories = 0;

  before(async () => {
    test = await createTestDatabase();
    database = await registerCompany(test.database.pool);
  });
  after(() => test.close());

  const audited = async () => (await auditProductionTimes(test.database.pool)).differences;

  it(`follows its definition after any history of operations and plans (${HISTORIES} histories)`, async function () {
    // Products are read here by the function for the API of 1.0.0, which Citus does not plan.
    needsSingleServer(this);
    this.timeout(600_000);
    await fc.assert(fc.asyncProperty(anyPlannedHistory, checkHistory), {
      seed: testSeed(),
      numRuns: HISTORIES,
    });
    expect(await audited()).to.deep.equal([]);
  });

  async function checkHistory({ history, plans, order }: PlannedHistory): Promise<void> {
    const { pool } = test.database;
    const offset = histories * IDENTIFIERS;
    histories += 1;
    const left = [...order];

    async function work(): Promise<void> {
      for (let place = left.shift(); place !== undefined; place = left.shift()) {
        const operations = history.batches[place]?.map((one) => toEvent(database, offset, one));
        const changes = plans[place - history.batches.length];
        if (operations !== undefined) await applyWorkOrderOperationEvents(pool, operations);
        if (changes !== undefined) await applyPlans(pool, database, offset, changes);
      }
    }

    await Promise.all(Array.from({ length: history.workers }, work));
    const completions = completionsAfter(history);
    const newest = new Map(
      plans
        .flat()
        .toSorted((one, other) => one.minute - other.minute)
        .map((plan) => [plan.version, plan]),
    );
    const range = { first: offset + 1, last: offset + IDENTIFIERS };
    const stored = await readComparisons(pool, database, range);
    for (const id of [...completions, ...newest.values()].map(({ version }) => version)) {
      const own = completions.filter(({ version }) => version === id);
      expect(stored.get(offset + id), `structure version ${id}`).to.deep.equal(compare(own, newest.get(id)));
    }
    const expected = new Map<number, ProductSums>();
    for (const { product } of newest.values()) {
      const own = [...newest.values()].filter((plan) => plan.product === product);
      expected.set(offset + product, sumProduct(completions, own));
    }
    expect(await readProductSums(pool, database, range)).to.deep.equal(expected);
    await pruneOperations(pool, { database, before: '2026-01-01' });
    expect(await readProductSums(pool, database, range), 'pruned').to.deep.equal(expected);
  }

  describe('for one structure version', () => {
    beforeEach(async () => {
      await test.close();
      test = await createTestDatabase();
      database = await registerCompany(test.database.pool);
      await applyWorkOrderOperationEvents(test.database.pool, [
        completed({
          database,
          ...{ productStructureVersionId: 1, runTime: '2.500000', setupTime: '0.500000' },
          cleanupTime: '0.333333',
        }),
      ]);
      const plan = { run: '2.000000', setup: '1.000000', cleanup: '0.250000' };
      await applyPlans(test.database.pool, database, 0, [{ version: 1, product: 1, minute: 0, ...plan }]);
    });

    const update = (change: string) =>
      test.database.pool.query(`UPDATE takt.product_structure_versions SET ${change}`);

    it('is checked by the audit, even for the smallest difference', async function () {
      needsSingleServer(this);
      expect(await audited()).to.deep.equal([]);
      for (const { column, name } of COMPARISON_FIGURES) {
        const { rows } = await test.database.pool.query(
          `SELECT ${column} AS value FROM takt.product_structure_versions`,
        );
        // Removes the expression of a generated column. Otherwise its value could not be changed.
        await test.database.pool.query(
          `ALTER TABLE takt.product_structure_versions ALTER ${column} DROP EXPRESSION`,
        );
        await update(`${column} = ${column} + 1`);
        expect((await audited()).map(({ figure }) => figure)).to.deep.equal([name]);
        await update(`${column} = NULL`);
        expect((await audited()).map(({ figure, stored }) => [figure, stored])).to.deep.equal([[name, null]]);
        await update(`${column} = ${rows[0].value}`);
        expect(await audited()).to.deep.equal([]);
      }
    });

    it('is reported by the audit and repaired by a rebuild if it is wrong', async () => {
      await update('run_time_sum = run_time_sum - 1, setup_time_count = 2');
      const found = (await audited()).map(({ figure, stored, recomputed }) => [figure, stored, recomputed]);
      expect(found).to.deep.include.members([
        ['runTimeDifference', '-0.500000', '0.500000'],
        ['runTimeOverPlanPercent', '-25.00', '25.00'],
        ['runTimeHoursOverPlan', '-0.500000', '0.500000'],
        ['setupTimeHoursOverPlan', '-1.500000', '-0.500000'],
        ['hoursOverPlan', '-1.916667', '0.083333'],
      ]);
      const { repaired } = await rebuildProductionTimes(test.database.pool);
      expect(repaired).to.deep.equal([
        { database, productStructureVersionId: 1, productStructureVersionKey: null },
      ]);
      expect(await audited()).to.deep.equal([]);
    });

    it('is limited to the storable range, so that no event is rejected when figures exceed the range', async () => {
      await test.database.pool.query(
        `INSERT INTO takt.pruned_figures (company_id, product_structure_version_id, month,
           run_time_count, run_time_sum, run_time_sum_of_squares, shortest_run_time, longest_run_time,
           setup_time_count, setup_time_sum, setup_time_sum_of_squares,
           cleanup_time_count, cleanup_time_sum, cleanup_time_sum_of_squares)
         SELECT company_id, 1, '2020-01-01', 20000000, 20000000e6, 20000000e12, 1000000, 1000000, 0, 0, 0, 0, 0, 0
         FROM takt.companies`,
      );
      await rebuildProductionTimes(test.database.pool);
      const event = completed({ database, workOrderOperationId: 2, productStructureVersionId: 1 });
      const { pool } = test.database;
      expect(
        await applyWorkOrderOperationEvents(pool, [{ ...event, runTime: '1000000.000000' }]),
      ).to.have.lengthOf(0);
      const figures = (await readComparisons(pool, database, { first: 1, last: 1 })).get(1);
      expect([figures?.[2], figures?.at(-1)]).to.deep.equal([9n * 10n ** 18n, 9n * 10n ** 18n]);
      expect(await audited()).to.deep.equal([]);
    });
  });
});
