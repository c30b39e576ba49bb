import { needsSingleServer } from '@takt/database/testing';
import { waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import {
  auditProductionTimes,
  planPruning,
  pruneOperations,
  rebuildProductionTimes,
} from '../../src/production-times/index.js';
import { useApplyFixture } from './apply-fixture.js';
import { registerCompany } from './companies.js';

const BEFORE = '2024-03-02';

// Some tests have statements of their own that Citus does not plan.
describe('the pruning of operations', () => {
  const { completed, reopened, apply, allFigures, figuresOf, pool, database } = useApplyFixture();
  const prune = (before = BEFORE) => pruneOperations(pool(), { database: database(), before });
  const ledgerIds = async () => {
    const { rows } = await pool().query<{ id: string }>(
      `SELECT work_order_operation_id AS id FROM takt.work_order_operations JOIN takt.companies USING (company_id)
       WHERE code = $1 ORDER BY work_order_operation_id`,
      [database()],
    );
    return rows.map(({ id }) => Number(id));
  };

  const months = async () => {
    const { rows } = await pool().query<{ sums: string }>(
      `SELECT concat_ws(' ', product_structure_version_id, month, 'of', run_time_count) AS sums
       FROM takt.pruned_figures JOIN takt.companies USING (company_id) WHERE code = $1
       ORDER BY product_structure_version_id, month`,
      [database()],
    );
    return rows.map(({ sums }) => sums);
  };

  it('deletes all operations whose newest state is older than the given day, and changes no figure', async () => {
    await apply(
      completed({ workOrderOperationId: 1, runTime: '0.000003', setupTime: '7.000000' }),
      completed({ workOrderOperationId: 2, completedAt: '2024-03-01T23:59:59.999999Z', runTime: '9.000000' }),
      completed({ workOrderOperationId: 3, completedAt: '2024-03-02T00:00:00.000000Z', runTime: '2.000000' }),
      completed({ workOrderOperationId: 4, revision: 2, completedAt: '2024-05-01T00:00:00.000000Z' }),
      completed({
        workOrderOperationId: 5,
        productStructureVersionId: 101,
        completedAt: '2023-01-01T00:00:00.000000Z',
      }),
    );
    const before = await allFigures();
    expect(await planPruning(pool(), { database: database(), before: BEFORE })).to.deep.equal({
      ...{ operations: 3, structureVersions: 2, sums: 2 },
    });
    expect(await ledgerIds()).to.deep.equal([1, 2, 3, 4, 5]);
    expect(await prune()).to.deep.equal({ operations: 3, structureVersions: 2 });
    expect(await ledgerIds()).to.deep.equal([3, 4]);
    expect(await months()).to.deep.equal(['100 2024-03-01 of 2', '101 2023-01-01 of 1']);
    expect(await allFigures()).to.deep.equal(before);
    expect(await prune()).to.deep.equal({ operations: 0, structureVersions: 0 });
    expect((await rebuildProductionTimes(pool(), { database: database() })).repaired).to.deep.equal([]);
  });

  it('keeps pruned operations counted once, and rejects later events that would change them', async () => {
    await apply(
      completed({ revision: 5 }),
      completed({ workOrderOperationId: 1_024, revision: 2 ** 53 - 1 }),
    );
    await prune('2024-03-02');
    await prune('2024-02-02');
    const before = await allFigures();
    expect(
      await apply(
        completed({ revision: 5 }),
        completed({ revision: 4, runTime: '8.000000' }),
        completed({ revision: 6, runTime: '8.000000' }),
        reopened({ revision: 7 }),
        completed({ workOrderOperationId: 1_024, revision: 2 ** 53 - 1 }),
        completed({ workOrderOperationId: 1_024, revision: 1 }),
        completed({ database: 'NOBODY' }),
      ),
    ).to.deep.equal({
      0: 'duplicate',
      1: 'stale',
      2: { prunedBefore: '2024-03-02' },
      3: { prunedBefore: '2024-03-02' },
      4: 'duplicate',
      5: 'stale',
      6: 'unknown-company',
    });
    expect(await allFigures()).to.deep.equal(before);
    // This operation is old, but has never been in the ledger.
    expect(
      await apply(completed({ workOrderOperationId: 2 }), completed({ workOrderOperationId: 1_025 })),
    ).to.deep.equal({});
    expect(await figuresOf(100)).to.include({ operations: 4 });
  });

  it('causes a conflict in a worker of an older version, so that its event is not lost', async function () {
    needsSingleServer(this);
    await apply(completed());
    await prune();
    const { rows } = await pool().query(
      'SELECT position, outcome FROM takt.apply_work_order_operation_events($1, $2)',
      [
        [database()],
        JSON.stringify([{ work_order_operation_id: 1, revision: 2, changed_at: '2024-03-01T06:00:00Z' }]),
      ],
    );
    expect(rows).to.deep.equal([{ position: 0, outcome: 'conflict' }]);
  });

  it('never deletes a reopened operation, because that operation will be completed again', async () => {
    await apply(completed(), reopened({ revision: 2 }));
    expect(await prune()).to.deep.equal({ operations: 0, structureVersions: 0 });
    expect(await apply(completed({ revision: 3 }))).to.deep.equal({});
    expect(await figuresOf(100)).to.include({ operations: 1 });
  });

  it('affects only the given company', async () => {
    await apply(completed());
    const other = await registerCompany(pool());
    expect(await pruneOperations(pool(), { database: other, before: BEFORE })).to.include({ operations: 0 });
    expect(await ledgerIds()).to.deep.equal([1]);
    expect(await apply(completed({ revision: 2 }))).to.deep.equal({});
  });

  it('allows a rebuild of the figures, even if the row of a structure version was lost', async () => {
    await apply(completed(), completed({ workOrderOperationId: 2, setupTime: '0.300000' }));
    await prune();
    const before = await allFigures();
    for (const damage of [
      'UPDATE takt.product_structure_versions SET run_time_sum = 1, shortest_setup_time = NULL',
      'DELETE FROM takt.product_structure_versions',
    ]) {
      await pool().query(
        `${damage} WHERE company_id = (SELECT company_id FROM takt.companies WHERE code = $1)`,
        [database()],
      );
      const { differences } = await auditProductionTimes(pool(), { database: database() });
      expect(differences, damage).not.to.deep.equal([]);
      const { repaired } = await rebuildProductionTimes(pool(), { database: database() });
      expect(repaired).to.have.length(1);
      expect(await allFigures()).to.deep.equal(before);
    }
  });

  it('refuses a day that is in the future or too recent, because operations may still be corrected', async () => {
    const { rows } = await pool().query<{ latest: string; day: string; tomorrow: string }>(
      `SELECT (today - 90)::text AS latest, (today - 89)::text AS day, (today + 1)::text AS tomorrow
       FROM (SELECT (now() AT TIME ZONE 'UTC')::date AS today) AS clock`,
    );
    const { latest = '', day = '', tomorrow = '' } = rows[0] ?? {};
    await apply(completed());
    for (const young of [day, tomorrow]) {
      const refusal =
        `Error: operations from before ${young} cannot be pruned: what was changed in the last 90 days may still be ` +
        `corrected, so ${latest} is the latest day`;
      expect(await prune(young).catch(String)).to.equal(refusal);
      const planned = planPruning(pool(), { database: database(), before: young });
      expect(await planned.catch(String)).to.equal(refusal);
    }
    expect(await ledgerIds()).to.deep.equal([1]);
    expect(await prune(latest)).to.include({ operations: 1 });
  });

  it('continues in the next call if a step was interrupted', async function () {
    needsSingleServer(this);
    const ids = Array.from({ length: 5_000 }, (_, index) => 1 + index * 2);
    await apply(
      ...ids.map((workOrderOperationId) =>
        completed({ workOrderOperationId, productStructureVersionId: 1 + (workOrderOperationId % 7) }),
      ),
    );
    const before = await allFigures();
    const blocker = await pool().connect();
    await blocker.query('BEGIN');
    await blocker.query(
      'SELECT FROM takt.work_order_operations WHERE work_order_operation_id = 6001 FOR UPDATE',
    );
    const progress: number[] = [];
    const pruning = pruneOperations(pool(), {
      ...{ database: database(), before: BEFORE, onProgress: (done) => progress.push(done) },
    }).catch(String);
    const waiting =
      "SELECT pid FROM pg_stat_activity WHERE query LIKE '%prune_operations%' AND wait_event_type = 'Lock'";
    await waitUntil(
      'pruning waits for the operation',
      async () => (await pool().query(waiting)).rowCount === 1,
    );
    await pool().query(`SELECT pg_terminate_backend(pid) FROM (${waiting}) AS waiting`);
    expect(await pruning).to.match(/terminating connection|Connection terminated/);
    await blocker.query('ROLLBACK');
    blocker.release();
    const done = progress.at(-1) ?? 0;
    expect(done).to.be.within(1_000, 3_000);
    expect(await ledgerIds()).to.have.length(5_000 - done);
    expect(await allFigures()).to.deep.equal(before);
    expect(await prune()).to.deep.equal({ operations: 5_000 - done, structureVersions: 7 });
    expect(await allFigures()).to.deep.equal(before);
    expect(
      await apply(
        ...ids.map((workOrderOperationId) =>
          completed({ workOrderOperationId, productStructureVersionId: 1 + (workOrderOperationId % 7) }),
        ),
      ),
    ).to.deep.equal(Object.fromEntries(ids.map((_, index) => [index, 'duplicate'])));
  });

  it('is not undone by an event that waited during the deletion', async function () {
    needsSingleServer(this);
    await apply(completed(), completed({ workOrderOperationId: 2 }));
    const pruner = await pool().connect();
    await pruner.query('BEGIN');
    await pruner.query(
      'SELECT takt.prune_operations(company_id, $2, 0) FROM takt.companies WHERE code = $1',
      [database(), BEFORE],
    );
    const correction = completed({ revision: 2, runTime: '4.000000' });
    const waited = apply(correction);
    const waiting =
      "SELECT FROM pg_stat_activity WHERE query LIKE '%apply_work_order%' AND wait_event_type = 'Lock'";
    await waitUntil('the event waits', async () => (await pool().query(waiting)).rowCount === 1);
    await pruner.query('COMMIT');
    pruner.release();
    expect(await waited).to.deep.equal({ 0: { prunedBefore: BEFORE } });
    expect(await figuresOf(100)).to.include({ operations: 2 });
  });
});
