import { createTestDatabase } from '@takt/database/testing';
import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { inTransaction } from '../src/apply-functions.js';
import { settlePolicies } from '../src/policies.js';

/** A table whose policy has more than one condition, and one whose policy has one. */
const TABLES = ['company_changes', 'products'];

describe('the policies of the tables with a company', () => {
  const test = opened(createTestDatabase);

  const conditions = async () => {
    const { rows } = await test.database.pool.query<{ name: string; condition: string }>(
      `SELECT tablename AS name, qual AS condition FROM pg_policies
       WHERE schemaname = 'takt' AND policyname = 'of_session_company' ORDER BY tablename`,
    );
    return rows;
  };
  const settle = async (kind: 'server' | 'cluster') => {
    const client = await test.database.pool.connect();
    try {
      await inTransaction(client, () => settlePolicies(client, kind));
    } finally {
      client.release();
    }
  };

  it('call the function once a statement on a single server, and without a subquery on a cluster', async () => {
    const onServer = await conditions();
    expect(onServer.filter(({ condition }) => !condition.includes('( SELECT'))).to.deep.equal([]);
    expect(onServer.map(({ name }) => name)).to.include.members(TABLES);
    await settle('cluster');
    const onCluster = await conditions();
    expect(onCluster.filter(({ name }) => TABLES.includes(name))).to.deep.equal([
      { name: 'company_changes', condition: '((company_id = 0) OR (company_id = session_company()))' },
      { name: 'products', condition: '(company_id = session_company())' },
    ]);
    expect(onCluster.filter(({ condition }) => condition.includes('SELECT'))).to.deep.equal([]);
    await settle('cluster');
    expect(await conditions()).to.deep.equal(onCluster);
    await settle('server');
    await settle('server');
    expect(await conditions()).to.deep.equal(onServer);
  });
});
