import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '@takt/database';
import { createTestDatabase, needsSingleServer, type TestDatabase } from '@takt/database/testing';
import { randomFrom, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import {
  applyWorkOrderOperationEvents,
  auditProductionTimes,
  pruneOperations,
  rebuildProductionTimes,
} from '../../src/production-times/index.js';
import { registerCompany } from './companies.js';
import { contend } from './contended-batches.js';
import { completed } from './events.js';
import { readServedFigures } from './served-figures.js';

const GUIDE = fileURLToPath(new URL('../../../../../docs/operating/scale.md', import.meta.url));
const BATCHES = 300;

describe('a ledger that was partitioned with the SQL statements from the guide', () => {
  let test: TestDatabase;
  let databases: readonly string[];
  let servedBefore: readonly unknown[];

  const figures = () =>
    Promise.all(databases.map((database) => readServedFigures(test.database.pool, database)));
  const contendIn = (pool: TestDatabase['database']['pool'], seed: number) =>
    Promise.all(
      databases.map((database, index) =>
        contend(pool, {
          ...{ database, seed: seed + index, connections: 2, batches: BATCHES, batchesPerAudit: BATCHES / 2 },
          auditOn: test.database.pool,
        }),
      ),
    );

  before(async function () {
    needsSingleServer(this);
    test = await createTestDatabase();
    const { pool } = test.database;
    databases = [await registerCompany(pool), await registerCompany(pool), await registerCompany(pool)];
    await contendIn(pool, testSeed());
    servedBefore = await figures();
    const guide = await readFile(GUIDE, 'utf8');
    const statements = /<!-- partition\.sql.*-->\n+```sql\n([\s\S]*?)```/.exec(guide)?.[1] ?? '';
    expect(statements).to.include('PARTITION BY HASH (company_id)');
    await pool.query(statements);
  });
  after(() => test?.close());

  it('keeps its rows, and stores each company in only one partition', async () => {
    const { pool } = test.database;
    const { rows } = await pool.query<{ companies: number; partitions: number }>(
      `SELECT count(DISTINCT company_id)::integer AS companies, count(DISTINCT (company_id, tableoid))::integer AS partitions
       FROM takt.work_order_operations`,
    );
    expect(rows[0]).to.deep.equal({ companies: 3, partitions: 3 });
    expect(await figures()).to.deep.equal(servedBefore);
    expect((await auditProductionTimes(pool)).differences).to.deep.equal([]);
  });

  it('keeps exact figures when several workers apply batches with events of several companies', async () => {
    const worker = openDatabase({ url: test.appUrl('worker'), applicationName: 'worker', maxConnections: 6 });
    try {
      for (const { differences } of await contendIn(worker.pool, testSeed() + 100)) {
        expect(differences).to.deep.equal([]);
      }
      const random = randomFrom(testSeed());
      const mixed = Array.from({ length: 300 }, (_, index) =>
        completed({ database: random.pick(databases), workOrderOperationId: 1_000 + index }),
      );
      expect((await applyWorkOrderOperationEvents(worker.pool, mixed)).size).to.equal(0);
      const again = await applyWorkOrderOperationEvents(worker.pool, mixed);
      expect([...again.values()]).to.deep.equal(mixed.map(() => 'duplicate'));
    } finally {
      await worker.close();
    }
    expect((await auditProductionTimes(test.database.pool)).differences).to.deep.equal([]);
  });

  it('can be pruned, and can be used to rebuild figures', async () => {
    const { pool } = test.database;
    const [database = ''] = databases;
    const served = await figures();
    expect((await pruneOperations(pool, { database, before: '2024-06-01' })).operations).to.be.above(10);
    await pool.query(
      'UPDATE takt.product_structure_versions SET longest_run_time = NULL, setup_time_count = 0',
    );
    expect((await rebuildProductionTimes(pool)).repaired).not.to.deep.equal([]);
    expect(await figures()).to.deep.equal(served);
    expect((await auditProductionTimes(pool)).differences).to.deep.equal([]);
  });
});
