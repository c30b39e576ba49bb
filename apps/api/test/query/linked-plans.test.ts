import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { statementShapeOf } from '../../src/sql/statement-cache.js';
import { planOf } from '../support/ask.js';
import { explainStatement, nodesOf } from '../support/explain.js';
import { openTestApi } from '../support/open-test-api.js';
import { detailOf, listOf } from '../support/resources.js';

/** The number of rows per table. It is so high that reading all rows costs more than using any index. */
const ROWS = 20_000;

/** Identifiers from the middle of the ranges in the tables. */
const IDENTIFIERS = {
  ...{ productId: '5000', productStructureVersionId: '5000', applicationId: '10500' },
  ...{ applicationVersionId: '5000', userId: '500', companyId: '500', permissionId: '500' },
};

const questions = [
  ...[9002, 9004, 9005, 9008, 9010, 9011, 9012, 2578].map((identifier) => ({
    resource: detailOf(identifier),
    parameters: {},
  })),
  ...[9001, 9003, 9006, 9007, 9009].map((identifier) => ({ resource: listOf(identifier), parameters: {} })),
  { resource: listOf(9001), parameters: { $orderby: 'Name desc' } },
  { resource: listOf(9003), parameters: { $orderby: 'ProductName' } },
];

describe('under row-level security, the query plan for a linked resource', () => {
  const api = opened(openTestApi);
  before(async () => {
    await api.owner.query(`
      INSERT INTO takt.products (company_id, product_id, status, name, type, description, changed_at)
      SELECT 1, id, 4, 'Frame ' || id, 'K', '', now() FROM generate_series(1, ${ROWS}) AS id`);
    await api.owner.query(`
      INSERT INTO takt.product_structure_versions
        (company_id, product_structure_version_id, changed_at, name, status, version, revision, product_id, product_name)
      SELECT 1, id, now(), 'Milling', 4, 1, 'A', id, 'Frame ' || id FROM generate_series(1, ${ROWS}) AS id`);
    await api.owner.query(`
      INSERT INTO takt.monthly_figures (company_id, product_structure_version_id, month, number_of_completed_operations)
      SELECT 1, id, '2026-01-01', 1 FROM generate_series(1, ${ROWS}) AS id`);
    await api.owner.query(`
      INSERT INTO takt.application_versions (company_id, application_version_id, application_id, changed_at, type, name,
        created_by_user_id, changed_by_user_id, restricted_to_company_id, permission_id)
      SELECT 1, id, 10000 + id % 2000, now(), 'WIDGET', 'Board', id % 2000, id % 1999, id % 2000, id % 2000
      FROM generate_series(100, ${ROWS}) AS id`);
    await api.owner.query('ANALYZE');
  });

  for (const { resource, parameters } of questions) {
    it(`reads no table sequentially: ${resource.path} ${JSON.stringify(parameters)}`, async () => {
      const { text } = api.statementOf(statementShapeOf(planOf(resource, parameters, IDENTIFIERS)));
      const nodes = nodesOf(await explainStatement(api.reader, text));
      expect(nodes.filter((node) => node['Relation Name'] !== undefined)).not.to.have.lengthOf(0);
      const whole = nodes
        .filter((node) => node['Node Type'] === 'Seq Scan')
        .map((node) => node['Relation Name']);
      expect(whole).to.deep.equal([]);
    });
  }
});
