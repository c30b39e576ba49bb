import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { placeholders } from '../../src/plan/plan.js';
import { filterSql } from '../../src/sql/filter-sql.js';
import { sortKeyOf } from '../../src/sql/operand-sql.js';
import { withCompany } from '../../src/sql/run-statement.js';
import { createStatementCache } from '../../src/sql/statement-cache.js';
import { listPlanOf } from '../support/ask.js';
import { explainStatement, type PlanNode } from '../support/explain.js';
import { COMPANY, openTestApi } from '../support/open-test-api.js';
import { fieldNamed } from '../support/queried-fields.js';
import { productionTimes } from '../support/resources.js';

/** The number of rows. It is so high that reading all rows costs more than using any index. */
const ROWS = 10_000;
/**
 * SQL that inserts the rows. Every second row has no planned setup time, and every third row has no planned run time.
 */
const FILL = `
  INSERT INTO takt.product_structure_versions (company_id, product_structure_version_id, changed_at, product_id,
    product_name, run_time, setup_time, number_of_completed_operations, run_time_sum, run_time_sum_of_squares,
    shortest_run_time, longest_run_time)
  SELECT ${COMPANY}, id, now(), 1, 'Frame ' || id, CASE WHEN id % 3 > 0 THEN id * 997 % 10007 * 10000 END,
    CASE WHEN id % 2 = 0 THEN id * 991 % 10007 * 10000 END, 1 + id % 3001, (1 + id % 3001) * (id * 983 % 10007 * 0.01),
    (1 + id % 3001) * (id * 983 % 10007 * 0.01) ^ 2, 0, 1000000000
  FROM generate_series(1, ${ROWS}) AS id`;

describe('for the role of the API, the query plan for a filter and an order by the same field', () => {
  const api = opened(openTestApi);
  before(async () => {
    await api.owner.query(`
      INSERT INTO takt.products (company_id, product_id, status, name, type, description, changed_at)
      VALUES (${COMPANY}, 1, 4, 'Frame', 'K', '', now())`);
    await api.owner.query(FILL);
    await api.owner.query('ANALYZE');
  });

  /** Returns the query plan of a page with only this filter. The steps go from the top down to the index scan. */
  const planFor = async (name: string, direction: string, $filter: string): Promise<readonly PlanNode[]> => {
    const plan = listPlanOf(productionTimes, { $filter });
    const { condition } = plan.shape;
    if (condition === undefined) throw new Error('a filter is resolved');
    const met = filterSql(condition, (index) => sql`${sql.placeholder(placeholders.filterValue(index))}`);
    const order = [sortKeyOf(fieldNamed(name)), sortKeyOf(productionTimes.key)];
    const keys = order.map((key) => sql`${key} ${sql.raw(direction)}`);
    const build = () =>
      sql`SELECT FROM takt.product_structure_versions AS listed WHERE company_id = ${sql.placeholder(placeholders.company)}::integer AND changed_at IS NOT NULL AND ${met} ORDER BY ${sql.join(keys, sql`, `)} LIMIT 81`;
    const statement = createStatementCache()({ key: '', isPlannedOnce: false, build });
    const company = { key: api.keys.get(COMPANY) ?? '' };
    const top = await withCompany(api.reader, company, (client) =>
      explainStatement(client, statement.text, statement.bind(plan.values)),
    );
    return stepsOf(top);
  };

  for (const [$filter, name, asked] of [
    ['not (RunTime gt 1)', 'RunTime', "<= '1000000'"],
    ['not (RunTime ge 1)', 'RunTime', "< '1000000'"],
    ['not (RunTime gt -5)', 'RunTime', "<= '-1'"],
    ['not (-1.5 le RunTime)', 'RunTime', "< '0'"],
    ['not (RunTimeHoursOverPlan gt -1e300)', 'RunTimeHoursOverPlan', "<= '-9223372036854775807'"],
    ['not (not (RunTime lt 1 or RunTime eq null))', 'RunTime', undefined],
    ['RunTime lt 1', 'RunTime', "< '1000000'.* > '-1'"],
    ['RunTime gt -5', 'RunTime', "> '-5000000'.* > '-1'"],
    ['RunTime eq null', 'RunTime', "= '-1'"],
    ['RunTime ne null', 'RunTime', "> '-1'"],
    ['RunTimeHoursOverPlan eq null', 'RunTimeHoursOverPlan', "= '-9223372036854775808'"],
    ['RunTimeHoursOverPlan ne null', 'RunTimeHoursOverPlan', "> '-9223372036854775808'"],
    ['SetupTime in (null)', 'SetupTime', "= '-1'"],
    ['not (SetupTime ne null or RunTime lt 0)', 'SetupTime', "= '-1'"],
    ['not (NumberOfCompletedProductionWorkOrders gt 5)', 'NumberOfCompletedProductionWorkOrders', "<= '5'"],
    ['NumberOfCompletedProductionWorkOrders lt 2.5 mul 3', 'NumberOfCompletedProductionWorkOrders', "< '8'"],
    ["startswith(ProductName, 'FRAME 77')", 'ProductName', ">= 'frame 77'.* < 'frame 78'"],
    ["startswith(ProductName, 'Frame 9ø')", 'ProductName', ">= 'frame 9'.* < 'frame a'"],
  ] as const) {
    for (const direction of ['asc', 'desc']) {
      const text =
        asked === undefined ? 'reads its index in order' : 'reads the rows of one stretch of its index';
      it(`${text} and no other rows for ${$filter}, ${direction}`, async () => {
        const steps = await planFor(name, direction, $filter);
        const scan = steps.at(-1);
        expect(steps.map((step) => step['Node Type'])).not.to.include.members(['Sort']);
        expect(scan?.['Index Name']).to.equal(`by_${columnOf(name)}`);
        if (asked !== undefined) expect(scan?.['Index Cond']).to.match(new RegExp(asked));
        if (!/,| or /.test($filter) && asked !== undefined) expect(scan?.Filter).to.equal(undefined);
      });
    }
  }

  it('estimates the number of rows realistically', async () => {
    for (const [$filter, found] of [
      ['RunTime eq null', ROWS / 3],
      ['not (RunTime gt 10)', ROWS * (1 / 3 + (2 / 3) * 0.1)],
      ['not (RunTime le 10)', ROWS * (1 / 3 + (2 / 3) * 0.9)],
      ["startswith(ProductName, 'Frame 7')", ROWS / 9],
    ] as const) {
      const steps = await planFor('RunTimeHoursOverPlan', 'asc', $filter);
      const read = steps.find((step) => step['Relation Name'] !== undefined);
      expect(read?.['Plan Rows'], $filter).to.be.within(found / 3, found * 3);
    }
  });
});

const columnOf = (name: string): string =>
  name === 'NumberOfCompletedProductionWorkOrders'
    ? 'number_of_completed_operations'
    : name.replace(/\B[A-Z]/g, '_$&').toLowerCase();

function stepsOf(top: PlanNode): readonly PlanNode[] {
  const below = (top.Plans ?? []).find(({ Plans, ...step }) => Plans !== undefined || 'Index Name' in step);
  return below === undefined ? [top] : [top, ...stepsOf(below)];
}
