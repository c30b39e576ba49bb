import { opened } from '@takt/test-support';
import { expect } from 'chai';
import type { ListPlan } from '../../src/plan/plan.js';
import { withCompany } from '../../src/sql/run-statement.js';
import { mayTakeLong, statementShapeOf } from '../../src/sql/statement-cache.js';
import { listPlanOf, planOf, startingBeside } from '../support/ask.js';
import { explainStatement, type PlanNode } from '../support/explain.js';
import { COMPANY, openTestApi, type TestApi } from '../support/open-test-api.js';
import { fieldNamed, productionTimeFields } from '../support/queried-fields.js';
import { productionTimes } from '../support/resources.js';

/** The number of rows. It is so high that reading all rows costs more than using any index. */
const ROWS = 20_000;
/**
 * The hours of a row are below this number of hundredths. It is a prime number, so that each kind of time has another
 * order.
 */
const HUNDREDTHS = 10_007;

const isUnindexed = (name: string) => fieldNamed(name).isUnindexed === true;
const columns = Object.entries(productionTimeFields).filter(([name]) => !isUnindexed(name));
const unindexed = Object.keys(productionTimeFields).filter(isUnindexed);
const times = columns.filter(([name]) => name.endsWith('Time'));

describe('the query plan of the role of the API', () => {
  const api = opened(openTestApi);
  before(async () => {
    await fill(api);
  });

  // In a session of the company, because the order of keys depends on it.
  const explain = (...asked: [text: string, values?: readonly unknown[]]) =>
    withCompany(api.reader, { key: api.keys.get(COMPANY) ?? '' }, (client) =>
      explainStatement(client, ...asked),
    );

  it('is made with row-level security', async () => {
    const text = "SELECT row_security_active('takt.product_structure_versions') AS active";
    const { rows } = await api.pool.query({ text, values: [] });
    expect(rows).to.deep.equal([{ active: true }]);
  });

  for (const [name, column] of columns) {
    for (const direction of ['asc', 'desc']) {
      it(`reads the rows after the boundary from one index in order, for a page by ${name} ${direction}`, async () => {
        for (const kind of ['after', 'before'] as const) {
          const { text } = api.statementOf(statementShapeOf(pageBeside(kind, `${name} ${direction}`)));
          const steps = stepsToRows(await explain(text));
          const scan = steps.at(-1);
          expect(scan?.['Index Name'], text).to.equal(`by_${column}`);
          expect(scan?.['Index Cond']).to.match(/^\(\(company_id = .*\) AND \(ROW\(.*\) [<>] ROW\(.*\)\)\)$/);
          expect(scan?.Filter).to.equal(undefined);
          expect(steps.map((step) => step['Node Type'])).not.to.include.members(['Sort']);
        }
      });
    }
  }

  for (const [name, column] of columns) {
    for (const continues of [false, true]) {
      it(`reads only its index in order, and sorts only equal values, for a walk by ${name} (${continues ? 'behind the last' : 'the first'})`, async () => {
        for (const kind of ['after', 'before'] as const) {
          for (const direction of ['asc', 'desc']) {
            const tied = name === 'SetupTime' ? 'CleanupTime' : 'SetupTime';
            const page = pageBeside(kind, `${name} ${direction},${tied}`, 'RunTime ge AverageRunTime');
            const reading = { kind: 'walk', continues, length: 1_000 } as const;
            const { text } = api.statementOf(
              statementShapeOf({ ...page, shape: { ...page.shape, reading } }),
            );
            const steps = stepsToRows(await explain(text));
            const scan = steps.at(-1);
            expect(scan?.['Index Name'], text).to.equal(`by_${column}`);
            expect(scan?.['Index Cond']).to.match(/[<>]=? \$/);
            expect(scan?.Filter).to.equal(undefined);
            expect(steps.map((step) => step['Node Type'])).not.to.include.members(['Sort']);
          }
        }
      });
    }
  }

  it('reads and sorts all rows for a page in an order without an index, and the page is marked as possibly slow', async () => {
    expect(unindexed).to.have.lengthOf(17);
    for (const name of unindexed) {
      const page = pageBeside('after', `${name} desc`);
      expect(mayTakeLong(page), name).to.equal(true);
      const { text } = api.statementOf(statementShapeOf(page));
      const steps = stepsToRows(await explain(text));
      expect(steps.filter((step) => step['Node Type'] === 'Sort').length, name).to.be.at.least(1);
      expect(steps.at(-1)?.['Relation Name'], name).to.equal('product_structure_versions');
    }
  });

  it('starts at the boundary in the index of the first field for a page in mixed directions', async () => {
    const { text } = api.statementOf(statementShapeOf(pageBeside('after', 'RunTime,ProductName desc')));
    const scan = stepsToRows(await explain(text)).at(-1);
    expect(scan?.['Index Name']).to.equal('by_run_time');
    expect(scan?.['Index Cond']).to.match(/ AND \(GREATEST\(run_time, '-1'::bigint\) >= \$/);
  });

  for (const [name, column] of times) {
    for (const [operator, bound] of [
      ['gt', '100.000000'],
      ['ge', '100.0000005'],
      ['in', '(0.5, 7.25, 100.0000001)'],
      ['eq', '50.005 mul 2'],
    ]) {
      it(`uses the index of the field for ${name} ${operator} ${bound}, and estimates the number of rows realistically`, async () => {
        const plan = planOf(productionTimes, { $filter: `${name} ${operator} ${bound}` });
        const { text, bind } = api.statementOf(statementShapeOf(plan));
        const scan = stepsToRows(await explain(text, bind(plan.values))).at(-1);
        expect(scan?.['Index Name']).to.equal(`by_${column}`);
        expect(scan?.['Index Cond']).to.match(/^\(\(company_id = 1\) AND \(GREATEST\(\w+, '-1'::bigint\) /);
        const found = ROWS * share(operator);
        expect(scan?.['Plan Rows']).to.be.within(found / 5, found * 5);
      });
    }
  }
});

/**
 * Returns the share of rows that match one of the filters above. Of the HUNDREDTHS possible values, six are above 100,
 * two are in the list, and one is equal to the product.
 */
function share(operator: string | undefined): number {
  const values = operator === 'in' ? 2 : operator === 'eq' ? 1 : 6;
  return values / HUNDREDTHS;
}

function pageBeside(kind: 'after' | 'before', $orderby: string, $filter?: string): ListPlan {
  return startingBeside(listPlanOf(productionTimes, { $orderby, $filter }), kind);
}

/** Returns the steps of a plan from the limit of the page down to the scan of its rows. */
function stepsToRows(top: PlanNode): readonly PlanNode[] {
  const paths = pathsTo(top).filter(
    (path) => path.at(-1)?.['Relation Name'] === 'product_structure_versions',
  );
  const [path, another] = paths;
  if (path === undefined || another !== undefined) throw new Error(`${paths.length} places read the rows`);
  return path.slice(path.findIndex((step) => step['Node Type'] === 'Limit'));
}

function pathsTo(node: PlanNode): readonly (readonly PlanNode[])[] {
  const { Plans: below = [] } = node;
  return below.length === 0 ? [[node]] : below.flatMap(pathsTo).map((path) => [node, ...path]);
}

async function fill({ owner }: TestApi): Promise<void> {
  const kinds = ['run', 'setup', 'cleanup'].map((kind, index) => {
    const of = (figure: number) => hours(5 * index + figure);
    const count = kind === 'run' ? 'number_of_completed_operations' : `${kind}_time_count`;
    // The two values 3 and 4 give the average and the deviation through their sum and their sum of squares.
    const squares = `2 * (${of(3)} * ${of(3)} + ${of(4)} * ${of(4)})`;
    return {
      into: [count, `${kind}_time`, `shortest_${kind}_time`, `longest_${kind}_time`].concat(
        ...[`${kind}_time_sum`, `${kind}_time_sum_of_squares`],
      ),
      values: ['2', ...[0, 1, 2].map((figure) => `${of(figure)} * 1000000`), `2 * ${of(3)}`, squares],
    };
  });
  await owner.query(`
    INSERT INTO takt.products (company_id, product_id, status, name, type, description, changed_at)
    VALUES (1, 1, 4, 'Frame', 'K', '', now())`);
  await owner.query(`
    INSERT INTO takt.product_structure_versions (company_id, product_structure_version_id, changed_at, product_id,
      product_name, product_structure_version_key, ${kinds.flatMap(({ into }) => into).join(', ')})
    SELECT 1, id, now(), 1, 'Frame ' || id, 'WL-' || id, ${kinds.flatMap(({ values }) => values).join(', ')}
    FROM generate_series(1, ${ROWS}) AS id`);
  await owner.query(`INSERT INTO takt.key_counters VALUES (1, 'version', ${ROWS})`);
  await owner.query('ANALYZE');
}

function hours(factor: number): string {
  return `(id * ${1_009 + 2 * factor} % ${HUNDREDTHS} * 0.01)`;
}
