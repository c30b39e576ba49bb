import { migrate, readFunctions, readMigrations } from '@takt/database';
import { createTestDatabase, type TestDatabase } from '@takt/database/testing';
import { randomFrom, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import pg from 'pg';
import {
  applyWorkOrderOperationEvents,
  auditProductionTimes,
  pruneOperations,
  rebuildProductionTimes,
} from '../../src/production-times/index.js';
import { completed } from './events.js';
import { type FiguresByMonth, readMonthlyFigures } from './served-figures.js';

/** The number of the last migration before monthly figures. */
const LAST_WITHOUT_MONTHS = 14;
const WITH_MONTHS = 16;
/**
 * Functions that use tables or columns that the migration changes, or that write to tables that the migration locks.
 */
const CHANGED = [
  ...['apply_work_order_operation_events', 'write_to_ledger', 'lock_figures', 'add_to_figures'],
  ...['rebuild_production_times', 'prune_operations', 'find_companies'],
];
const COMPANY = 'TEM-NO';
const OPERATIONS = 2_000;
const VERSIONS = 20;
const seed = testSeed();

describe(`a migrated database that had no monthly figures before (seed ${seed})`, () => {
  let test: TestDatabase;
  let worker: pg.Client;
  let withoutFunctions: unknown;
  let months: Map<number, FiguresByMonth>;

  const readMonths = () => readMonthlyFigures(test.database.pool, COMPANY);
  const complete = (workOrderOperationId: number) =>
    applyWorkOrderOperationEvents(worker, [
      completed({ database: COMPANY, workOrderOperationId, productStructureVersionId: VERSIONS + 1 }),
    ]);

  before(async () => {
    test = await createTestDatabase({ migrated: false });
    const all = await readMigrations();
    const functions = (await readFunctions()).filter(({ name }) => CHANGED.includes(name));
    await migrate(test.url, { migrations: all.slice(0, LAST_WITHOUT_MONTHS), functions });
    await fillWithoutMonths(test.database.pool);
    worker = new pg.Client({ connectionString: test.url });
    await worker.connect();
    // Like migrate, this changes the tables before the functions. A batch that arrives between the two changes fails
    // and is retried.
    for (const { number, name, sql, checksum } of all.slice(LAST_WITHOUT_MONTHS, WITH_MONTHS)) {
      const record = `INSERT INTO takt.schema_migrations VALUES (${number}, '${name}', '${checksum}')`;
      await test.database.pool.query(`BEGIN; ${sql}; ${record}; COMMIT`);
    }
    withoutFunctions = await complete(1_000_001).catch((error: unknown) => error);
    await migrate(test.url);
    months = await readMonths();
  });
  after(async () => {
    await worker?.end();
    await test?.close();
  });

  it('has the months of all operations, even of pruned ones, as a full rebuild computes them', async () => {
    const { pool } = test.database;
    const { differences } = await auditProductionTimes(pool);
    expect(differences.filter(({ month }) => month !== undefined)).to.deep.equal([]);
    const counts = [...months.values()].flatMap((one) =>
      Object.values(one).map(({ operations }) => operations),
    );
    const { rows } = await pool.query<{ operations: number }>(
      `SELECT (SELECT count(*) FROM takt.work_order_operations WHERE run_time IS NOT NULL)::integer
         + (SELECT sum(run_time_count) FROM takt.pruned_figures)::integer AS operations`,
    );
    expect(counts.reduce((sum, count) => sum + count, 0)).to.equal(rows[0]?.operations);
    await pool.query('DELETE FROM takt.monthly_figures');
    await rebuildProductionTimes(pool);
    expect(await readMonths()).to.deep.equal(months);
    expect((await auditProductionTimes(pool)).differences).to.deep.equal([]);
  });

  it('has no last completion for months that were pruned before the migration', async () => {
    const { '2023-11': pruned, '2024-01': both } = months.get(1) ?? {};
    expect(pruned).to.include({ operations: 3, last: null });
    expect(both?.last).to.match(/^2024-01-/);
    await pruneOperations(test.database.pool, { database: COMPANY, before: '2024-03-01' });
    expect(await readMonths()).to.deep.equal(months);
    expect((await auditProductionTimes(test.database.pool)).differences).to.deep.equal([]);
  });

  it('rejects events with 42883 until the functions exist, and accepts the same events afterwards', async () => {
    expect(withoutFunctions).to.be.instanceOf(pg.DatabaseError).and.to.include({ code: '42883' });
    expect((await complete(1_000_001)).size).to.equal(0);
    expect((await auditProductionTimes(test.database.pool)).differences).to.deep.equal([]);
  });
});

/** Stores operations of several months and sums of pruned operations, as the previous version did. */
async function fillWithoutMonths(pool: pg.Pool): Promise<void> {
  const random = randomFrom(seed);
  const hours = () => `${random.below(9)}.${String(random.below(1_000_000)).padStart(6, '0')}`;
  await pool.query("INSERT INTO takt.companies (code, name) VALUES ($1, 'Tempus')", [COMPANY]);
  const operations = Array.from({ length: OPERATIONS }, (_, index) => {
    const day = `2024-0${1 + random.below(5)}-${String(1 + random.below(28)).padStart(2, '0')}`;
    const identity = {
      company_id: 1,
      work_order_operation_id: index + 1,
      revision: 1,
      changed_at: `${day}T23:59:59.5Z`,
    };
    if (index > 0 && random.below(10) === 0) return identity;
    return {
      ...{ ...identity, product_structure_version_id: 1 + (index % VERSIONS), run_time: hours() },
      ...{
        setup_time: random.below(2) === 0 ? null : hours(),
        cleanup_time: random.below(2) === 0 ? null : hours(),
      },
    };
  });
  await pool.query(
    'INSERT INTO takt.work_order_operations SELECT * FROM json_populate_recordset(NULL::takt.work_order_operations, $1)',
    [
      JSON.stringify(
        operations.map((one, index) => (index === 0 ? { ...one, changed_at: '2024-01-07T00:00:00Z' } : one)),
      ),
    ],
  );
  await pool.query(
    `INSERT INTO takt.pruned_figures
     SELECT 1, version, month, 3, 3.000003, 5.000003, 0, 2, 1, 0.5, 0.25, 0.5, 0.5, 0, 0, 0, NULL, NULL
     FROM generate_series(1, $1::integer, 2) AS version, unnest('{2023-11-01, 2024-01-01}'::date[]) AS month`,
    [VERSIONS],
  );
}
