import { createTestDatabase } from '@takt/database/testing';
import { maintainDatabase, measureIndexes } from '@takt/database/upkeep';
import { auditProductionTimes } from '@takt/figures';
import { opened, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import type pg from 'pg';
import { addStructureVersions, completeOperations } from './fill-database.js';

const STRUCTURE_VERSIONS = 3_000;
const BLOATED = 'takt.by_average_run_time';
/** Limits that even the small tables of this test exceed. */
const LIMITS = { factor: 2, bytes: 50_000 };

describe('maintenance', function () {
  this.timeout(180_000);
  const test = opened(createTestDatabase);
  let pool: pg.Pool;
  let operations = 0;
  const complete = async (count: number, signal?: AbortSignal) => {
    const from = operations + 1;
    operations += await completeOperations(
      pool,
      { structureVersions: STRUCTURE_VERSIONS, from, count },
      signal,
    );
  };
  const maintain = (lockTimeoutMs = 10_000, oldTransactionS?: number) =>
    maintainDatabase({
      ...{ url: test.url, limits: LIMITS, lockTimeoutMs },
      ...(oldTransactionS !== undefined && { oldTransactionS }),
    });
  const sizeOfIndexes = async () => {
    const { rows } = await pool.query<{ bytes: number }>(
      `SELECT pg_indexes_size('takt.product_structure_versions')::integer AS bytes`,
    );
    return rows[0]?.bytes ?? 0;
  };
  const findInvalid = async () =>
    (await pool.query('SELECT indexrelid::regclass::text AS name FROM pg_index WHERE NOT indisvalid')).rows;

  before(async () => {
    pool = test.database.pool;
    // Turns autovacuum off. Otherwise the work that is left for `maintain` would depend on when autovacuum runs.
    await pool.query('ALTER TABLE takt.product_structure_versions SET (autovacuum_enabled = off)');
    await addStructureVersions(pool, STRUCTURE_VERSIONS);
    await pool.query('REINDEX TABLE takt.product_structure_versions');
    await pool.query('VACUUM ANALYZE');
  });

  it('estimates the size of a rebuilt index to within a tenth', async () => {
    const sizes = await measureIndexes(pool);
    const large = sizes.filter(({ bytes, name }) => bytes > 80_000 && !name.endsWith('_of_product'));
    expect(large.length).to.be.above(15);
    for (const { name, bytes, expectedBytes } of large) {
      expect(bytes / expectedBytes, name).to.be.within(0.9, 1.1);
    }
  });

  it('shrinks indexes while events are applied, and keeps figures exact', async () => {
    const fresh = await sizeOfIndexes();
    await complete(24_000);
    const grown = await sizeOfIndexes();
    expect(grown).to.be.above(3 * fresh);
    const stop = new AbortController();
    const goesOn = complete(100_000, stop.signal);
    const { steps } = await maintain().finally(() => stop.abort());
    await goesOn;
    expect(steps.map(({ problem }) => problem).filter((problem) => problem !== null)).to.deep.equal([]);
    expect(steps.map(({ action }) => action)).to.include.members(['vacuumed', 'reindexed']);
    const rebuilt = steps.find(({ name }) => name === BLOATED);
    expect(rebuilt?.bytesAfter).to.be.below((rebuilt?.bytesBefore ?? 0) / 2);
    expect(await findInvalid()).to.deep.equal([]);
    const { differences, structureVersions } = await auditProductionTimes(pool, {});
    expect({ differences, structureVersions }).to.deep.equal({
      differences: [],
      structureVersions: STRUCTURE_VERSIONS,
    });
    // Rows that were written meanwhile are cleaned up too. Afterwards nothing is left to do.
    await maintain();
    expect(await sizeOfIndexes()).to.be.below(LIMITS.factor * fresh);
    expect((await maintain()).steps).to.deep.equal([]);
  });

  it('gives up if a transaction blocks it, and delays no writer', async () => {
    await complete(20_000);
    const blocker = await pool.connect();
    await blocker.query('BEGIN');
    await blocker.query('LOCK TABLE takt.product_structure_versions IN ROW EXCLUSIVE MODE');
    const given = maintain(300);
    // Other connections can write while the maintenance waits.
    await complete(500);
    const stuck = (await given).steps.filter(({ action }) => action === 'reindexed');
    expect(stuck).to.have.lengthOf(1);
    expect(stuck[0]?.problem).to.match(/^a transaction that has been open for longer/);
    await blocker.query('ROLLBACK');
    blocker.release();
    const { steps } = await maintain();
    expect(steps.filter(({ problem }) => problem !== null)).to.deep.equal([]);
    expect(await findInvalid()).to.deep.equal([]);
  });

  it('names transactions that are as old as the given age, and by default no young ones', async () => {
    const forgotten = await pool.connect();
    await forgotten.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    const { rows } = await forgotten.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const found = async (oldTransactionS?: number) =>
      (await maintain(300, oldTransactionS)).oldTransactions.map(({ pid }) => pid);
    expect(await found(0)).to.include(rows[0]?.pid);
    expect(await found()).to.deep.equal([]);
    await forgotten.query('ROLLBACK');
    forgotten.release();
  });

  it('removes the remains of an interrupted run', async () => {
    const blocker = await pool.connect();
    await blocker.query('BEGIN');
    await blocker.query('LOCK TABLE takt.product_structure_versions IN ROW EXCLUSIVE MODE');
    const interrupted = await pool.connect();
    await interrupted.query("SET lock_timeout = '100ms'");
    const failure = await interrupted
      .query(`REINDEX INDEX CONCURRENTLY ${BLOATED}`)
      .catch((error: Error) => error);
    expect(failure).to.be.an.instanceOf(Error);
    interrupted.release(true);
    await blocker.query('ROLLBACK');
    blocker.release();
    // PostgreSQL sends an error before it has ended the failed command.
    await waitUntil(
      'the interrupted session has ended its command',
      async () => (await pool.query('SELECT FROM pg_stat_progress_create_index')).rows.length === 0,
    );
    expect(await findInvalid()).to.deep.equal([{ name: 'by_average_run_time_ccnew' }]);
    const { steps } = await maintain();
    expect(steps.map(({ action, name }) => `${action} ${name}`)).to.include(`dropped ${BLOATED}_ccnew`);
    expect(await findInvalid()).to.deep.equal([]);
  });

  it('does not start while another run is active', async () => {
    const other = await pool.connect();
    await other.query(`SELECT pg_advisory_lock(hashtextextended('takt maintain', 0))`);
    const failure = await maintain().catch((error: Error) => error.message);
    expect(failure).to.equal('another takt maintain is running on this database: wait for its end');
    other.release(true);
    await waitUntil(
      'the other one has ended',
      () =>
        maintain().then(
          () => true,
          () => false,
        ),
      10_000,
    );
  });
});
