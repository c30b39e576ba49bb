import { createTestDatabase } from '@takt/database/testing';
import { openedForEach } from '@takt/test-support';
import { expect } from 'chai';
import pg from 'pg';
import { describeTimes } from '../../src/production-times/describe-times.js';
import { FIGURES } from '../../src/production-times/figures.js';
import { applyWorkOrderOperationEvents, auditProductionTimes } from '../../src/production-times/index.js';
import { MONTHLY_FIGURES } from '../../src/production-times/monthly-figures.js';
import { registerCompany } from './companies.js';
import { completed } from './events.js';

describe('auditProductionTimes', () => {
  const test = openedForEach(createTestDatabase);
  let database: string;

  beforeEach(async () => {
    database = await registerCompany(test.database.pool);
    await applyWorkOrderOperationEvents(test.database.pool, [
      completed({ database, workOrderOperationId: 1, runTime: '1.000000', setupTime: '0.500000' }),
      completed({ database, workOrderOperationId: 2, runTime: '2.000000' }),
      completed({ database, workOrderOperationId: 3, productStructureVersionId: 200 }),
    ]);
  });

  const audit = (options: Parameters<typeof auditProductionTimes>[1] = {}) =>
    auditProductionTimes(test.database.pool, options);

  it('counts its comparisons and reports its progress', async () => {
    const progress: number[] = [];
    expect(await audit({ onProgress: (done) => progress.push(done) })).to.deep.equal({
      structureVersions: 2,
      operations: 3,
      differences: [],
    });
    expect(progress).to.deep.equal([1, 2]);
  });

  it('reports the company, the structure version, the figure and both values of each difference', async () => {
    await test.database.pool.query(
      `UPDATE takt.product_structure_versions SET run_time_sum = 2, longest_setup_time = 500001
       WHERE product_structure_version_id = 100`,
    );
    const ofVersion = { database, productStructureVersionId: 100, productStructureVersionKey: null };
    expect((await audit()).differences).to.have.deep.members([
      { ...ofVersion, figure: 'runTimeSum', stored: '2', recomputed: '3.000000' },
      { ...ofVersion, figure: 'averageRunTime', stored: '1.000000', recomputed: '1.500000' },
      { ...ofVersion, figure: 'deviationRunTime', stored: '1.224745', recomputed: '0.500000' },
      { ...ofVersion, figure: 'longestSetupTime', stored: '0.500001', recomputed: '0.500000' },
    ]);
  });

  it('detects the smallest error in each stored figure', async () => {
    await applyWorkOrderOperationEvents(test.database.pool, [
      completed({ database, workOrderOperationId: 4, setupTime: '0.700000', cleanupTime: '3.500000' }),
      completed({ database, workOrderOperationId: 5, setupTime: '0.900000', cleanupTime: '2.500000' }),
    ]);
    const columns = FIGURES.map(({ column }) => column).filter(
      (column) => !/^(average|deviation)/.test(column),
    );
    expect(columns).to.have.lengthOf(15);
    const damage = (column: string, by: string) =>
      test.database.pool.query(
        `UPDATE takt.product_structure_versions SET ${column} = ${column} + ${by}
         WHERE product_structure_version_id = 100`,
      );
    for (const column of columns) {
      const decimals = /squares$/.test(column) ? 12 : /time_sum$/.test(column) ? 6 : 0;
      await damage(column, `1e-${decimals}`);
      const figure = FIGURES.find((one) => one.column === column)?.name;
      expect((await audit()).differences.map((one) => one.figure)).to.include(figure);
      await damage(column, `-1e-${decimals}`);
    }
    expect((await audit()).differences).to.deep.equal([]);
  });

  it('detects the smallest error in each figure of a month, and reports the month', async () => {
    await applyWorkOrderOperationEvents(test.database.pool, [
      completed({ database, workOrderOperationId: 4, setupTime: '0.700000', cleanupTime: '3.500000' }),
      completed({ database, workOrderOperationId: 5, completedAt: '2024-04-01T00:00:00.000000Z' }),
    ]);
    expect(MONTHLY_FIGURES).to.have.lengthOf(15);
    const damage = (column: string, by: string) =>
      test.database.pool.query(
        `UPDATE takt.monthly_figures SET ${column} = ${by.replace('$', column)}
         WHERE product_structure_version_id = 100 AND month = '2024-03-01'`,
      );
    const damages = [
      ...MONTHLY_FIGURES.map(({ column, name, part }) => {
        const decimals = { sumOfSquares: 12, sum: 6 }[part as string] ?? 0;
        return { column, name, by: `$ + 1e-${decimals}`, back: `$ - 1e-${decimals}` };
      }),
      {
        ...{ column: 'last_completed_at', name: 'lastCompletedAt' },
        // Citus accepts only immutable functions here; that of an instant and an interval depends on the session.
        by: "($ AT TIME ZONE 'UTC' + interval '1 microsecond') AT TIME ZONE 'UTC'",
        back: "($ AT TIME ZONE 'UTC' - interval '1 microsecond') AT TIME ZONE 'UTC'",
      },
    ];
    for (const { column, name, by, back } of damages) {
      await damage(column, by);
      const { differences } = await audit();
      expect(differences, column).to.have.lengthOf(1);
      expect(differences[0]).to.include({ productStructureVersionId: 100, month: '2024-03', figure: name });
      await damage(column, back);
    }
    expect((await audit()).differences).to.deep.equal([]);
  });

  it('detects missing months, superfluous months, and months of structure versions that do not exist', async () => {
    const { pool } = test.database;
    await pool.query('DELETE FROM takt.monthly_figures WHERE product_structure_version_id = 200');
    await pool.query(
      `INSERT INTO takt.monthly_figures (company_id, product_structure_version_id, month, number_of_completed_operations)
       SELECT company_id, id, '2023-12-01', 1 FROM takt.companies, unnest('{100, 300}'::integer[]) AS id
       WHERE code = $1`,
      [database],
    );
    const { structureVersions, differences } = await audit();
    expect(structureVersions).to.equal(3);
    const counts = differences.filter(({ figure }) => figure === 'numberOfCompletedProductionWorkOrders');
    expect(
      counts.map(({ productStructureVersionId, month, stored, recomputed }) => [
        ...[productStructureVersionId, month, stored, recomputed],
      ]),
    ).to.deep.equal([
      [100, '2023-12', '1', '0'],
      [200, '2024-03', null, '1'],
      [300, undefined, null, '0'],
      [300, '2023-12', '1', '0'],
    ]);
  });

  it('detects operations whose structure version has no figures', async () => {
    await test.database.pool.query(
      'DELETE FROM takt.product_structure_versions WHERE product_structure_version_id = 200',
    );
    const { structureVersions, differences } = await audit();
    expect(structureVersions).to.equal(2);
    expect(differences[0]).to.deep.equal({
      database,
      productStructureVersionId: 200,
      productStructureVersionKey: null,
      figure: 'numberOfCompletedProductionWorkOrders',
      stored: null,
      recomputed: '1',
    });
  });

  it('detects figures without operations, unless the figures are empty', async () => {
    const insert = `INSERT INTO takt.product_structure_versions (company_id, product_structure_version_id, shortest_run_time)
      SELECT company_id, $2, $3 FROM takt.companies WHERE code = $1`;
    await test.database.pool.query(insert, [database, 150, null]);
    await test.database.pool.query(insert, [database, 300, '1000000']);
    const { structureVersions, differences } = await audit();
    expect(structureVersions).to.equal(4);
    expect(differences).to.deep.equal([
      {
        database,
        productStructureVersionId: 300,
        productStructureVersionKey: null,
        figure: 'shortestRunTime',
        stored: '1.000000',
        recomputed: null,
      },
    ]);
  });

  it('audits only the given company', async () => {
    const other = await registerCompany(test.database.pool);
    await applyWorkOrderOperationEvents(test.database.pool, [completed({ database: other })]);
    await test.database.pool.query('UPDATE takt.product_structure_versions SET run_time_sum = 0');
    const named = await audit({ database: other });
    expect(named).to.include({ structureVersions: 1, operations: 1 });
    expect(new Set(named.differences.map((one) => one.database))).to.deep.equal(new Set([other]));
    expect((await audit()).structureVersions).to.equal(3);
  });

  it('rejects a company that is not registered', async () => {
    expect(await audit({ database: 'NOBODY' }).catch(String)).to.equal(
      'Error: company NOBODY is not registered',
    );
  });

  it('reads the ledger and the figures at the same instant while workers write', async () => {
    let goesOn = true;
    async function work(firstId: number): Promise<void> {
      for (let id = firstId; goesOn; id += 1) {
        await applyWorkOrderOperationEvents(test.database.pool, [
          completed({ database, workOrderOperationId: id }),
        ]);
      }
    }
    const workers = Promise.all([work(1_000), work(1_000_000), work(2_000_000)]);
    const found: unknown[] = [];
    try {
      for (let round = 0; round < 60; round += 1) found.push(...(await audit()).differences);
    } finally {
      goesOn = false;
      await workers;
    }
    expect(found).to.deep.equal([]);
  });

  it('leaves its connection usable after a failure', async () => {
    const single = new pg.Pool({ connectionString: test.url, max: 1 });
    // The connection may still be open when the database is removed.
    single.on('error', () => undefined);
    single.on('connect', (client) => void client.on('error', () => undefined));
    const failure = await auditProductionTimes(single, {
      onProgress: () => {
        throw new Error('half-way');
      },
    }).catch(String);
    expect(failure).to.equal('Error: half-way');
    await single.query("UPDATE takt.companies SET name = 'written'");
    expect((await test.database.pool.query('SELECT DISTINCT name FROM takt.companies')).rows).to.deep.equal([
      { name: 'written' },
    ]);
    await single.end();
  });

  it('audits structure versions with more operations than one page contains', async () => {
    await test.database.pool.query(
      `INSERT INTO takt.work_order_operations
         (company_id, work_order_operation_id, revision, product_structure_version_id, changed_at, run_time)
       SELECT company_id, 1000 + i, 1, CASE WHEN i <= 5000 THEN 400 ELSE 1000 + i % 7000 END, now(), 1
       FROM takt.companies, generate_series(1, 30000) AS i WHERE code = $1`,
      [database],
    );
    const { structureVersions, operations, differences } = await audit();
    expect({ structureVersions, operations }).to.deep.equal({ structureVersions: 7_003, operations: 30_003 });
    expect(differences.find((one) => one.productStructureVersionId === 400)).to.include({
      recomputed: '5000',
    });
  });

  it('reports an error if its two computations have different results', () => {
    expect(() => describeTimes(['1.000000', '1e400'])).to.throw(/^audit contradicts itself: average is 5000/);
    expect(describeTimes(['1.000000', '3.000000'])).to.include({
      average: '2.000000',
      deviation: '1.000000',
    });
  });
});
