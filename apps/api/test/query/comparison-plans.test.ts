import { inRequestedPeriod } from '@takt/catalogue/resources';
import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { withCompany } from '../../src/sql/run-statement.js';
import { statementShapeOf } from '../../src/sql/statement-cache.js';
import { planOf } from '../support/ask.js';
import { explainAnalyzed, nodesOf } from '../support/explain.js';
import { COMPANY, openTestApi } from '../support/open-test-api.js';
import { productProductionTimes } from '../support/resources.js';

const VERSIONS = 120;
const PRODUCTS = 30;
/** Each structure version has operations in both months. */
const MONTHS = ['2026-01', '2026-02'];

/** Tables without statistics, as after an import or a restore: PostgreSQL then expects a single row of a company. */
const TABLES = ['products', 'product_structure_versions', 'monthly_figures'];

describe('a comparison of two periods in a database without statistics', () => {
  const api = opened(openTestApi);
  before(async () => {
    for (const table of TABLES) {
      await api.owner.query(`ALTER TABLE takt.${table} SET (autovacuum_enabled = off)`);
    }
    await api.owner.query(`
      INSERT INTO takt.products (company_id, product_id, status, name, type, description, changed_at)
      SELECT 1, id, 4, 'Frame ' || id, 'K', '', now() FROM generate_series(1, ${PRODUCTS}) AS id`);
    await api.owner.query(`
      INSERT INTO takt.product_structure_versions (company_id, product_structure_version_id, changed_at, name, status,
        version, revision, product_id, product_name, run_time)
      SELECT 1, id, now(), 'Milling', 4, 1, 'A', 1 + id % ${PRODUCTS}, 'Frame ' || 1 + id % ${PRODUCTS}, 500000
      FROM generate_series(1, ${VERSIONS}) AS id`);
    await api.owner.query(`
      INSERT INTO takt.monthly_figures (company_id, product_structure_version_id, month, number_of_completed_operations,
        run_time_sum, run_time_sum_of_squares)
      SELECT 1, id, (month || '-01')::date, 1, 1, 1
      FROM generate_series(1, ${VERSIONS}) AS id, unnest('{${MONTHS}}'::text[]) AS month`);
  });

  it('reads the second period once, not for each product', async () => {
    const [compareFrom = '', from = ''] = MONTHS;
    const periods = { from, to: from, compareFrom, compareTo: compareFrom };
    const compared = inRequestedPeriod(productProductionTimes, new Map(Object.entries(periods)));
    const plan = planOf(compared, { ...periods, $orderby: 'HoursOverPlan desc' });
    const { text, bind } = api.statementOf(statementShapeOf(plan));
    const top = await withCompany(api.reader, { key: api.keys.get(COMPANY) ?? '' }, (client) =>
      explainAnalyzed(client, text, bind(plan.values)),
    );
    const scans = nodesOf(top).filter(
      (node) =>
        node['Relation Name'] === 'monthly_figures' && node['Index Cond']?.includes(`${compareFrom}-01`),
    );
    const read = scans.map((node) => (node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 0));
    expect(read).not.to.deep.equal([]);
    for (const rows of read) expect(rows).to.be.at.most(VERSIONS);
  });
});
