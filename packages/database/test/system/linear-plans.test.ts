import { createTestDatabase, type TestDatabase } from '@takt/database/testing';
import { someOf } from '@takt/test-support';
import { expect } from 'chai';
import pg from 'pg';
import { applicationVersionChange } from '../application-version-changes.js';
import { type BatchItem, batchArguments } from '../concurrent-writers.js';
import { minute, structureVersionChange } from '../structure-version-changes.js';

const BATCH = 300;
/**
 * The number of batches before the measured one. They make the tables grow, but the server keeps the plans that it
 * cached for small tables.
 */
const GROWTH = 6;
/**
 * The maximum number of rows that a step of a plan may process for each event. It permits a few look-ups, but no cross
 * join.
 */
const ROWS_PER_EVENT = 4;

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

interface LoggedPlan {
  readonly 'Query Text': string;
  readonly Plan: PlanNode;
}

const completion = (id: number) => ({
  database: 'TEM-NO',
  ...{ workOrderOperationId: id, revision: 1, productStructureVersionId: id, changedAt: minute(0) },
  ...{ runTime: '1.5', setupTime: '0.5', cleanupTime: null },
});

const KINDS: Readonly<Record<string, (id: number) => BatchItem>> = {
  apply_work_order_operation_events: completion,
  apply_product_structure_version_changes: (id) =>
    structureVersionChange({ productStructureVersionId: id, productId: id }),
  apply_application_version_changes: (id) => applicationVersionChange({ application_version_id: id }),
};

describe('the work for a batch', function () {
  this.timeout(180_000);

  for (const when of someOf(['never analysed', 'analysed while they were empty'] as const)) {
    for (const [name, item] of Object.entries(KINDS)) {
      it(`of ${name} grows only linearly with the size of the batch, on tables ${when}`, () =>
        expectLinear(when, name, batches(item)));
    }

    it(`of corrected extreme times grows only linearly with the size of the batch, on tables ${when}`, async () => {
      const name = 'apply_work_order_operation_events';
      const grown = batches(completion).slice(0, GROWTH);
      const corrected = Array.from({ length: BATCH }, (_, index) => ({
        ...completion(1 + index),
        ...{ revision: 2, runTime: '1.25' },
        // Half of the operations move to another month.
        changedAt: index % 2 === 0 ? minute(0) : '2024-12-24T12:00:00Z',
      }));
      const texts = await expectLinear(when, name, [...grown, corrected]);
      for (const table of [
        'work_order_operations ledger',
        'pruned_figures pruned',
        'monthly_figures months',
      ]) {
        expect(texts.join()).to.include(table);
      }
    });
  }
});

/**
 * Expects that no step of a plan processes too many rows. Returns the texts of the statements that the last batch
 * executed.
 */
async function expectLinear(
  when: string,
  name: string,
  all: readonly (readonly BatchItem[])[],
): Promise<readonly string[]> {
  const test = await createTestDatabase();
  await test.database.pool.query("INSERT INTO takt.companies (code, name) VALUES ('TEM-NO', 'Tem')");
  if (when !== 'never analysed') await test.database.pool.query('VACUUM ANALYZE');
  const plans = await plansOf(test, name, all);
  await test.close();
  expect(plans.length).to.be.above(2);
  for (const { 'Query Text': text, Plan: plan } of plans) {
    expect(mostRowsOf(plan), `${text}\n${JSON.stringify(plan, null, 1)}`).to.be.at.most(
      ROWS_PER_EVENT * BATCH,
    );
  }
  return plans.map((plan) => plan['Query Text']);
}

function batches(item: (id: number) => BatchItem): readonly (readonly BatchItem[])[] {
  const batch = (number: number) =>
    Array.from({ length: BATCH }, (_, index) => item(1 + number * BATCH + index));
  const last = batch(GROWTH).slice(2);
  return [
    ...Array.from({ length: GROWTH }, (_, number) => batch(number)),
    [...last, item(1), { ...item(2), database: 'NO-SUCH' }],
  ];
}

/**
 * Returns the plans of all statements that the last batch executed. The same connection applied the earlier batches.
 */
async function plansOf(
  test: TestDatabase,
  name: string,
  all: readonly (readonly BatchItem[])[],
): Promise<readonly LoggedPlan[]> {
  const client = new pg.Client({ connectionString: test.url });
  await client.connect();
  await client.query("LOAD 'auto_explain'");
  const settings = {
    ...{ log_min_duration: '0', log_nested_statements: 'on', log_analyze: 'on', log_timing: 'off' },
    ...{ log_format: 'json', log_level: 'notice', log_parameter_max_length: '0' },
  };
  for (const [setting, value] of Object.entries(settings)) {
    await client.query(`SET auto_explain.${setting} = '${value}'`);
  }
  // The worker runs with this role. Its row-level security could change the plans.
  await client.query('SET ROLE takt_worker');
  let plans: LoggedPlan[] = [];
  client.on('notice', ({ message = '' }) => {
    const start = message.indexOf('{');
    if (start >= 0) plans.push(JSON.parse(message.slice(start)) as LoggedPlan);
  });
  for (const batch of all) {
    plans = [];
    await client.query(`SELECT * FROM takt.${name}($1, $2)`, batchArguments(batch));
  }
  await client.end();
  return plans;
}

/**
 * Returns the number of rows of the step that processed the most rows: rows returned and rows filtered out, over all
 * its loops.
 */
function mostRowsOf(node: PlanNode): number {
  const rows =
    node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0);
  return Math.max(rows * node['Actual Loops'], ...(node.Plans ?? []).map(mostRowsOf));
}
