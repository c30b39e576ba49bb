import { randomFrom, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import {
  type PlanSuggestion,
  readPlanChanges,
  type SuggestionOptions,
  suggestPlans,
} from '../../src/production-times/index.js';
import { useApplyFixture } from './apply-fixture.js';
import { KINDS } from './plans.js';
import { suggestByHand } from './suggested-by-hand.js';

describe('plan suggestions', () => {
  const { apply, completed, database, pool, reopened } = useApplyFixture();

  /** Lists a structure version with these planned hours; null means that the time has no plan. */
  const plan = (id: number, run: string | null, setup: string | null, cleanup: string | null) =>
    pool().query(
      `WITH company AS (SELECT company_id FROM takt.companies WHERE code = $1), product AS (
         INSERT INTO takt.products (company_id, product_id, status, name, type, description, changed_at)
         SELECT company_id, $2::bigint, 4, 'Product ' || $2, 'K', 'made of parts', '2024-01-01' FROM company), searched AS (
         INSERT INTO takt.structure_version_texts (company_id, product_structure_version_id, folded)
         SELECT company_id, $2, takt.searched_text('Product ' || $2, 'Step ' || $2, $2, $2, NULL, NULL) FROM company)
       INSERT INTO takt.product_structure_versions AS listed (company_id, product_structure_version_id, changed_at,
         status, name, version, revision, product_id, product_name, run_time, setup_time, cleanup_time)
       SELECT company_id, $2::bigint, '2024-01-01T00:00:00.123456Z', 4, 'Step ' || $2, 1, 'A', $2, 'Product ' || $2,
         $3::numeric * 1000000, $4::numeric * 1000000, $5::numeric * 1000000 FROM company
       ON CONFLICT (company_id, product_structure_version_id) DO UPDATE SET
         (changed_at, status, name, version, revision, product_id, product_name, run_time, setup_time, cleanup_time) =
         ROW (excluded.changed_at, excluded.status, excluded.name, excluded.version, excluded.revision,
           excluded.product_id, excluded.product_name, excluded.run_time, excluded.setup_time, excluded.cleanup_time)`,
      [database(), id, run, setup, cleanup],
    );

  const suggest = async (options: Partial<SuggestionOptions> = {}) => {
    const found: PlanSuggestion[] = [];
    await suggestPlans(
      pool(),
      { database: database(), minOperations: 1, threshold: 10, includeUnsure: true, ...options },
      async (page) => void found.push(...page),
    );
    return found;
  };

  it('equal the averages that the test recomputes from the ledger, after any history', async () => {
    const random = randomFrom(testSeed());
    const hours = () => random.pick(['0', '0.9', '0.999999', '1', '1.1', '1.100001', '1.25', '0.000001']);
    const month = () => `20${random.pick(['22', '23', '24'])}-${random.pick(['01', '06', '07', '12'])}`;
    const operations = Array.from({ length: 600 }, (_, index) => {
      const { runTime, setupTime, cleanupTime } = {
        ...{ runTime: fixed(hours()), setupTime: random.pick([null, fixed(hours())]) },
        cleanupTime: random.pick([null, null, fixed(hours())]),
      };
      return completed({
        workOrderOperationId: index + 1,
        productStructureVersionId: 1 + random.below(40),
        completedAt: `${month()}-${random.pick(['01T00:00:00', '28T23:59:59'])}.000000Z`,
        ...{ runTime, setupTime, cleanupTime },
      });
    });
    await apply(...operations);
    // Corrections move operations between months and structure versions. Reopenings remove operations.
    await apply(
      ...operations
        .filter(() => random.below(5) === 0)
        .map((operation) => ({
          ...operation,
          ...{ revision: 2, productStructureVersionId: 1 + random.below(40) },
          completedAt: `${month()}-15T12:00:00.000000Z`,
        })),
      ...operations
        .slice(0, 20)
        .map(({ workOrderOperationId }) => reopened({ workOrderOperationId, revision: 3 })),
    );
    // A quarter of the structure versions are not listed.
    for (let id = 1; id <= 40; id++) {
      if (id % 4 === 0) continue;
      await plan(id, ...(KINDS.map(() => random.pick([null, hours()])) as [null, null, null]));
    }

    for (const options of [
      { minOperations: 1, threshold: 0 },
      { minOperations: 5, threshold: 10 },
      { minOperations: 12, threshold: 12.5 },
    ]) {
      const expected = await suggestByHand(pool(), { database: database(), ...options });
      const found = await suggest(options);
      expect(found.map(toExpected)).to.deep.equal(expected);
      expect(found.length, `suggestions for ${JSON.stringify(options)}`).to.be.above(0);
    }
  });

  it('require at least the threshold and at least the minimum number of operations', async () => {
    await plan(1, '1', '2', null);
    await plan(2, '1', '0', null);
    await plan(3, '1', null, null);
    await apply(
      completed({ workOrderOperationId: 4, productStructureVersionId: 3, runTime: '1.000000' }),
      completed({ workOrderOperationId: 1, productStructureVersionId: 1, runTime: '1.100000' }),
      completed({
        workOrderOperationId: 2,
        productStructureVersionId: 1,
        runTime: '1.100000',
        setupTime: '1.5',
      }),
      completed({
        workOrderOperationId: 3,
        productStructureVersionId: 2,
        runTime: '1.099999',
        setupTime: '0.000001',
      }),
    );
    const names = async (options: Partial<SuggestionOptions>) =>
      (await suggest(options)).map(
        (row) => `${row.productStructureVersionId} ${row.kind} ${row.overPlanPercent}`,
      );
    expect(await names({})).to.have.members(['1 run 10', '1 setup -25', '2 setup null']);
    expect(await names({ threshold: 9.9999 })).to.include('2 run 10');
    // If an average equals the plan, no threshold gives a suggestion.
    expect(await names({ threshold: 0 })).to.have.members([
      ...['1 run 10', '1 setup -25', '2 run 10', '2 setup null'],
    ]);
    expect(await names({ threshold: 25 })).to.have.members(['1 setup -25', '2 setup null']);
    expect(await names({ minOperations: 2 })).to.deep.equal(['1 run 10']);
    expect(await names({ minOperations: 3 })).to.deep.equal([]);
  });

  it('compare the exact average with the threshold, not the rounded one', async () => {
    await plan(1, '0.000010', null, null);
    await plan(2, '0.000010', null, null);
    const operation = (workOrderOperationId: number, productStructureVersionId: number, runTime: string) =>
      completed({ workOrderOperationId, productStructureVersionId, runTime });
    await apply(
      ...['0.000011', '0.000011', '0.000010'].map((runTime, index) => operation(index + 1, 1, runTime)),
      ...['0.000011', '0.000011', '0.000011'].map((runTime, index) => operation(index + 4, 2, runTime)),
    );
    const found = await suggest();
    expect(found.map((row) => row.productStructureVersionId)).to.deep.equal([2]);
    const byLess = await suggest({ threshold: 6.66 });
    expect(byLess.map((row) => row.productStructureVersionId)).to.have.members([1, 2]);
  });

  it('count the hours of the twelve months up to the newest month of the structure version', async () => {
    await plan(1, '1', null, null);
    const times = ['2022-12-31', '2023-01-01', '2023-12-31', '2024-01-01', '2024-12-31'];
    await apply(
      ...times.map((day, index) =>
        completed({
          ...{ workOrderOperationId: index + 1, productStructureVersionId: 1, runTime: '3.500000' },
          completedAt: `${day}T12:00:00.000000Z`,
        }),
      ),
    );
    expect((await suggest())[0]).to.include({ hoursAYear: 5, numberOfOperations: 5 });
    await apply(reopened({ workOrderOperationId: 5 }), reopened({ workOrderOperationId: 4 }));
    expect((await suggest())[0]).to.include({ hoursAYear: 5, numberOfOperations: 3 });
    await apply(
      completed({
        ...{ workOrderOperationId: 3, revision: 2, productStructureVersionId: 1, runTime: '3.500000' },
        completedAt: '2023-11-30T12:00:00.000000Z',
      }),
    );
    expect((await suggest())[0]).to.include({ hoursAYear: 7.5, numberOfOperations: 3 });
  });

  it('are exported as changes of only the plan, a microsecond after the last change', async () => {
    await plan(1, '1', null, '0.25');
    await plan(2, '1', null, null);
    await apply(
      completed({
        workOrderOperationId: 1,
        productStructureVersionId: 1,
        runTime: '1.333333',
        cleanupTime: '0.25',
      }),
    );
    const changes: unknown[] = [];
    const options = { database: database(), minOperations: 1, threshold: 10, includeUnsure: true };
    await readPlanChanges(pool(), options, async (page) => void changes.push(...page));
    expect(changes).to.deep.equal([
      {
        database: database(),
        changedAt: '2024-01-01T00:00:00.123457Z',
        ...{ productStructureVersionId: 1, status: 4, name: 'Step 1', version: 1, revision: 'A' },
        product: { productId: 1, status: 4, name: 'Product 1', type: 'K', description: 'made of parts' },
        plannedProductionTimes: { runTime: 1.333333, setupTime: null, cleanupTime: 0.25 },
      },
    ]);
  });

  it('cannot be made for a company that is not registered', async () => {
    const failure = await suggest({ database: 'NOBODY' }).catch((error: Error) => error.message);
    expect(failure).to.equal('company NOBODY is not registered');
  });
});

function toExpected(row: PlanSuggestion) {
  const microhours = (hours: number) => BigInt(Math.round(hours * 1e6));
  return {
    name: `${row.productStructureVersionId}-${row.kind}`,
    planned: microhours(row.plannedTime),
    suggested: microhours(row.suggestedTime),
    operations: row.numberOfOperations,
    microhoursAYear: microhours(row.hoursAYear),
  };
}

/** Writes hours with 6 decimals, as the parser of events does. */
function fixed(hours: string): string {
  return Number(hours).toFixed(6);
}
