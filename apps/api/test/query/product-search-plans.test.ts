import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { statementShapeOf } from '../../src/query/statement-cache.js';
import { planOf } from '../harness/ask.js';
import { insertStructureVersions } from '../harness/insert-rows.js';
import { COMPANY, openTestApi } from '../harness/open-test-api.js';
import { productionTimes } from '../harness/resources.js';

const ROWS = 5_000;

describe('the plan of a search by product name, under row-level security,', () => {
  const api = opened(openTestApi);
  before(async () => {
    await insertStructureVersions(
      api.owner,
      Array.from({ length: ROWS }, (_, index) => ({
        id: index + 1,
        productName: index % 1_000 === 0 ? `Bolt ${index}` : `Frame ${index}`,
      })),
    );
    await api.owner.query('ANALYZE');
  });

  const explain = async ($filter: string, others = {}): Promise<string> => {
    const plan = planOf(productionTimes, { $filter, $orderby: 'ProductName', ...others });
    const { text, bind } = api.statementOf(statementShapeOf(plan));
    const client = await api.reader.connect();
    try {
      await client.query("SELECT set_config('takt.company_key', $1, false)", [api.keys.get(COMPANY)]);
      const { rows } = await client.query({ text: `EXPLAIN ${text}`, values: bind(plan.values) });
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    } finally {
      client.release(true);
    }
  };

  it('looks up the products where few match', async () => {
    for (const filter of ["contains(ProductName, 'bolt')", "ProductName eq 'bolt 1000'"]) {
      expect(await explain(filter), filter).to.match(/product_structure_versions_of_product/);
    }
  });

  it('counts by the products, however many match', async () => {
    for (const filter of ["contains(ProductName, 'bolt')", "contains(ProductName, 'rame')"]) {
      expect(await explain(filter, { $inlinecount: 'allpages' }), filter).to.match(/unnest\(find_products/);
    }
  });

  it('reads the list in its order where many match', async () => {
    for (const filter of ["contains(ProductName, 'rame')", "substringof('e', ProductName)"]) {
      expect(await explain(filter), filter)
        .to.match(/Index Scan using by_product_name/)
        .and.not.match(/find_products/);
    }
  });
});
