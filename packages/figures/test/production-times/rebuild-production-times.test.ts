import { createTestDatabase } from '@takt/database/testing';
import { openedForEach } from '@takt/test-support';
import { expect } from 'chai';
import {
  applyWorkOrderOperationEvents,
  auditProductionTimes,
  pruneOperations,
  rebuildProductionTimes,
  type WorkOrderOperationEvent,
} from '../../src/production-times/index.js';
import { MONTHLY_FIGURES } from '../../src/production-times/monthly-figures.js';
import { registerCompany } from './companies.js';
import { completed } from './events.js';

/** More structure versions than one transaction of a rebuild processes. */
const STRUCTURE_VERSIONS = 450;
/** The times of the operations of each structure version, in hours. They make all figures different from each other. */
const TIMES = [
  { runTime: '1.000000', setupTime: '4.000000', cleanupTime: null },
  { runTime: '2.000000', setupTime: '5.000000', cleanupTime: '7.000000' },
  { runTime: '3.000000', setupTime: null, cleanupTime: '8.500000' },
];
/**
 * Times between the extremes in TIMES. If a worker adds them, no extreme changes. So the worker cannot repair by chance
 * an extreme that the test has falsified.
 */
const BETWEEN = { runTime: '2.250000', setupTime: '4.250000', cleanupTime: '7.250000' };

/**
 * The columns of all figures that are stored for a structure version and for a month. The averages and deviations are
 * computed from these columns.
 */
const STORED_FIGURES = MONTHLY_FIGURES.map(({ column }) => column);

describe('rebuildProductionTimes', () => {
  const test = openedForEach(createTestDatabase);
  let database: string;

  beforeEach(async () => {
    database = await registerCompany(test.database.pool);
    for (let version = 1; version <= STRUCTURE_VERSIONS; version += 50) {
      const some = Array.from({ length: 50 }, (_, index) => completionsOf(version + index)).flat();
      await applyWorkOrderOperationEvents(test.database.pool, some);
    }
  });

  function completionsOf(version: number): readonly WorkOrderOperationEvent[] {
    return TIMES.map((times, index) => completion(version, version * 1_000 + index, times));
  }
  function completion(
    version: number,
    operation: number,
    times: (typeof TIMES)[number],
  ): WorkOrderOperationEvent {
    return completed({
      database,
      productStructureVersionId: version,
      workOrderOperationId: operation,
      ...times,
    });
  }
  async function damage(sql: string, ...values: readonly unknown[]): Promise<void> {
    const { rowCount } = await test.database.pool.query(sql, [...values]);
    expect(rowCount, sql).to.equal(1);
  }
  async function audit() {
    return (await auditProductionTimes(test.database.pool, { database })).differences;
  }
  function repairedVersions(report: Awaited<ReturnType<typeof rebuildProductionTimes>>): readonly number[] {
    return report.repaired.map((one) => one.productStructureVersionId);
  }

  it('changes nothing if all figures are right', async () => {
    const { rows: before } = await test.database.pool.query(
      'SELECT xmin, * FROM takt.product_structure_versions',
    );
    const report = await rebuildProductionTimes(test.database.pool);
    expect(report).to.deep.equal({ structureVersions: STRUCTURE_VERSIONS, repaired: [] });
    const { rows: after } = await test.database.pool.query(
      'SELECT xmin, * FROM takt.product_structure_versions',
    );
    expect(after).to.deep.equal(before);
  });

  it('repairs every kind of wrong figure, and reports only the wrong ones', async () => {
    for (const [index, column] of STORED_FIGURES.entries()) {
      await damage(
        // If the sum were too high instead, the deviation would be the root of a negative number, and PostgreSQL would
        // refuse the row.
        `UPDATE takt.product_structure_versions SET ${column} = ${column} ${column.endsWith('_sum') ? '-' : '+'} 1
         WHERE product_structure_version_id = $1`,
        10 * (index + 1),
      );
    }
    // One structure version is inside a page, one at the boundary of a page, and one at the end.
    for (const lost of [199, 401, STRUCTURE_VERSIONS]) {
      await damage(
        'DELETE FROM takt.product_structure_versions WHERE product_structure_version_id = $1',
        lost,
      );
    }
    await damage(
      `INSERT INTO takt.product_structure_versions
         (company_id, product_structure_version_id, number_of_completed_operations, run_time_sum,
          run_time_sum_of_squares)
       SELECT company_id, 999, 1, 5, 25 FROM takt.companies WHERE code = $1`,
      database,
    );
    await damage(
      'UPDATE takt.product_structure_versions SET shortest_setup_time = NULL WHERE product_structure_version_id = $1',
      402,
    );
    const damaged = [
      ...STORED_FIGURES.map((_, index) => 10 * (index + 1)),
      199,
      401,
      402,
      STRUCTURE_VERSIONS,
      999,
    ];
    expect([...new Set((await audit()).map((one) => one.productStructureVersionId))]).to.deep.equal(damaged);

    const progress: number[] = [];
    const report = await rebuildProductionTimes(test.database.pool, {
      database,
      onProgress: (n) => progress.push(n),
    });
    expect(report.structureVersions).to.equal(STRUCTURE_VERSIONS + 1);
    expect(report.repaired).to.deep.equal(
      damaged.map((productStructureVersionId) => ({
        ...{ database, productStructureVersionId },
        productStructureVersionKey: null,
      })),
    );
    expect(progress.at(-1)).to.equal(STRUCTURE_VERSIONS + 1);
    expect(await audit()).to.deep.equal([]);
  });

  it('repairs every kind of wrong month', async () => {
    for (const [index, column] of [...STORED_FIGURES, 'last_completed_at'].entries()) {
      await damage(
        `UPDATE takt.monthly_figures SET ${column} = ${column === 'last_completed_at' ? "'2031-01-01'" : `${column} + 1`}
         WHERE product_structure_version_id = $1`,
        10 * (index + 1),
      );
    }
    await damage('DELETE FROM takt.monthly_figures WHERE product_structure_version_id = $1', 401);
    const add = `INSERT INTO takt.monthly_figures (company_id, product_structure_version_id, month, run_time_sum)
      SELECT company_id, $2, '2023-12-01', 1 FROM takt.companies WHERE code = $1`;
    await damage(add, database, 402);
    await damage(add, database, 999);
    const damaged = [...[...STORED_FIGURES, ''].map((_, index) => 10 * (index + 1)), 401, 402, 999];
    expect([...new Set((await audit()).map((one) => one.productStructureVersionId))]).to.deep.equal(damaged);
    expect(repairedVersions(await rebuildProductionTimes(test.database.pool, { database }))).to.deep.equal(
      damaged,
    );
    expect(await audit()).to.deep.equal([]);
  });

  it('repairs figures while workers continue and operations are pruned', async () => {
    const damaged = [3, 77, 200, 201, 333];
    for (const version of damaged) {
      await damage(
        `UPDATE takt.product_structure_versions
         SET number_of_completed_operations = 40, run_time_sum = 7, longest_cleanup_time = 9
         WHERE product_structure_version_id = $1`,
        version,
      );
    }
    await damage('DELETE FROM takt.product_structure_versions WHERE product_structure_version_id = $1', 402);
    await damage(
      'UPDATE takt.monthly_figures SET run_time_sum = 7, longest_cleanup_time = 9 WHERE product_structure_version_id = $1',
      403,
    );
    let operation = 1_000_000;
    let goesOn = true;
    async function work(): Promise<void> {
      while (goesOn) {
        const batch = Array.from({ length: 20 }, () => {
          operation += 1;
          return completion(1 + (operation % STRUCTURE_VERSIONS), operation, BETWEEN);
        });
        await applyWorkOrderOperationEvents(test.database.pool, batch);
      }
    }
    async function prune(): Promise<number> {
      let operations = 0;
      while (goesOn) {
        operations += (await pruneOperations(test.database.pool, { database, before: '2024-06-01' }))
          .operations;
      }
      return operations;
    }
    const workers = Promise.all([work(), work(), work()]);
    const pruned = prune();
    const reports = [];
    for (let round = 0; round < 5; round += 1) reports.push(await rebuildProductionTimes(test.database.pool));
    goesOn = false;
    await workers;
    expect(await pruned).to.be.at.least(STRUCTURE_VERSIONS * TIMES.length);
    expect(reports.map(repairedVersions)).to.deep.equal([[...damaged, 402, 403], [], [], [], []]);
    expect(await audit()).to.deep.equal([]);
  });

  it('processes fewer structure versions at once if they have many operations', async () => {
    for (const version of [10, 20, 21]) {
      await damage(
        'UPDATE takt.product_structure_versions SET number_of_completed_operations = $1 WHERE product_structure_version_id = $2',
        version === 21 ? 200_000 : 60_000,
        version,
      );
    }
    const progress: number[] = [];
    await rebuildProductionTimes(test.database.pool, { onProgress: (done) => progress.push(done) });
    expect(progress).to.deep.equal([19, 20, 21, 221, 421, STRUCTURE_VERSIONS]);
    expect(await audit()).to.deep.equal([]);
  });

  it('changes only the given company', async () => {
    const other = await registerCompany(test.database.pool);
    await damage(
      'UPDATE takt.product_structure_versions SET run_time_sum = 0 WHERE product_structure_version_id = $1',
      5,
    );
    expect(await rebuildProductionTimes(test.database.pool, { database: other })).to.deep.equal({
      structureVersions: 0,
      repaired: [],
    });
    expect(await audit()).not.to.deep.equal([]);
  });

  it('rejects a company that is not registered', async () => {
    const outcome = await rebuildProductionTimes(test.database.pool, { database: 'NOBODY' }).catch(String);
    expect(outcome).to.equal('Error: company NOBODY is not registered');
  });
});
