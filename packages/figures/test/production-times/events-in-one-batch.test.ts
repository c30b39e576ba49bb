import { expect } from 'chai';
import { rebuildProductionTimes } from '../../src/production-times/index.js';
import { useApplyFixture } from './apply-fixture.js';

describe('a batch with several events of one operation', () => {
  const { pool, database, completed, apply, figuresOf } = useApplyFixture();

  it('counts only the newest revision, in any order of the events', async () => {
    expect(
      await apply(
        completed({ revision: 2, runTime: '2.000000' }),
        completed({ revision: 3, runTime: '3.000000', productStructureVersionId: 200 }),
        completed({ revision: 3, runTime: '3.000000', productStructureVersionId: 200 }),
        completed({ revision: 1, runTime: '1.000000' }),
      ),
    ).to.deep.equal({ 0: 'stale', 2: 'duplicate', 3: 'stale' });
    expect(await figuresOf(100)).to.equal(undefined);
    expect((await figuresOf(200))?.run[0]).to.equal('3.000000');
  });

  it('counts the first event of the newest revision, and rejects a later one with other content', async () => {
    expect(
      await apply(
        completed({ revision: 1, runTime: '9.000000' }),
        completed({ revision: 2, runTime: '5.000000' }),
        completed({ revision: 2, runTime: '6.000000' }),
        completed({ revision: 2, runTime: '5.000000' }),
      ),
    ).to.deep.equal({ 0: 'stale', 2: 'conflict', 3: 'duplicate' });
    expect((await figuresOf(100))?.run[0]).to.equal('5.000000');
  });

  it('compares every event with the stored content, even after a conflict in the batch', async () => {
    await apply(completed({ revision: 2, runTime: '5.000000' }));
    expect(
      await apply(
        completed({ revision: 2, runTime: '6.000000' }),
        completed({ revision: 2, runTime: '5.000000' }),
      ),
    ).to.deep.equal({ 0: 'conflict', 1: 'duplicate' });
    expect((await figuresOf(100))?.run[0]).to.equal('5.000000');
  });

  it('reports events without effect, and counts the other events', async () => {
    await apply(completed({ workOrderOperationId: 1, revision: 5 }));
    expect(
      await apply(
        completed({ workOrderOperationId: 9 }),
        completed({ workOrderOperationId: 1, revision: 5 }),
        completed({ workOrderOperationId: 1, revision: 4 }),
        completed({ workOrderOperationId: 1, revision: 5, runTime: '2.000000' }),
        completed({ database: 'NOBODY' }),
        completed({ workOrderOperationId: 8 }),
      ),
    ).to.deep.equal({ 1: 'duplicate', 2: 'stale', 3: 'conflict', 4: 'unknown-company' });
    expect(await figuresOf(100)).to.include({ operations: 3 });
  });

  it('locks the rows of figures in the order of their keys, so that batches never deadlock', async () => {
    const versions = Array.from({ length: 500 }, (_, index) => 1 + ((index * 7_919) % 500));
    const rows = versions.map((version, index) => ({
      work_order_operation_id: index + 1,
      revision: 1,
      product_structure_version_id: version,
      changed_at: '2024-05-31T16:20:00Z',
      run_time: 1,
    }));
    const { rows: asked } = await pool().query<{ version: number }>(
      `SELECT (change).product_structure_version_id::integer AS version
       FROM takt.write_to_ledger(takt.find_companies($1), $2, NULL, NULL, 'UTC') AS written, unnest(written.changes) AS change`,
      [versions.map(database), JSON.stringify(rows)],
    );
    expect(asked.map(({ version }) => version)).to.deep.equal(versions.toSorted((one, other) => one - other));
    await rebuildProductionTimes(pool(), { database: database() });
  });
});
