import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { migrate, readMigrations } from '../src/index.js';
import { createTestDatabase, needsCluster } from '../testing/index.js';

describe('a migration of a cluster', () => {
  before(function () {
    needsCluster(this);
  });
  const test = opened(createTestDatabase);

  it('may have several statements about distributed tables', async () => {
    const known = await readMigrations();
    const sql = `-- Citus sends the whole text of a call to the nodes; so these are two calls.
      ALTER TABLE takt.products ADD COLUMN weight numeric;
      CREATE INDEX products_by_weight ON takt.products (company_id, weight);
      DO $$ BEGIN PERFORM 1; END $$;`;
    const added = { number: known.length + 1, name: '9999-weight', sql, checksum: 'x', breaksBefore: 0 };
    const { applied } = await migrate(test.url, { migrations: [...known, added] });
    expect(applied).to.deep.equal(['9999-weight']);
    const { rows } = await test.database.pool.query('SELECT weight FROM takt.products');
    expect(rows).to.deep.equal([]);
  });
});
