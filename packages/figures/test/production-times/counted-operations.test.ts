import { expect } from 'chai';
import { useApplyFixture } from './apply-fixture.js';
import { registerCompany } from './companies.js';
import { changeStructureVersions } from './events.js';
import { NONE, readServedFigures } from './served-figures.js';

describe('the work order operations that the figures count', () => {
  const { pool, database, completed, reopened, apply, figuresOf } = useApplyFixture();

  it('are not changed by an empty batch', async () => {
    expect(await apply()).to.deep.equal({});
  });

  it('include every completion', async () => {
    const outcomes = await apply(
      completed({ workOrderOperationId: 1, runTime: '1.500000', setupTime: '0.250000' }),
      completed({ workOrderOperationId: 2, runTime: '2.500000', cleanupTime: '4.000000' }),
    );
    expect(outcomes).to.deep.equal({});
    expect(await figuresOf(100)).to.deep.equal({
      operations: 2,
      run: ['2.000000', '1.500000', '2.500000', '0.500000'],
      setup: ['0.250000', '0.250000', '0.250000', '0.000000'],
      cleanup: ['4.000000', '4.000000', '4.000000', '0.000000'],
    });
  });

  it('exclude a reopened operation until it is completed again', async () => {
    await apply(completed({ revision: 1, setupTime: '0.500000' }));
    expect(await apply(reopened({ revision: 2 }))).to.deep.equal({});
    expect(await figuresOf(100)).to.deep.equal({ operations: 0, run: NONE, setup: NONE, cleanup: NONE });
    await apply(completed({ revision: 3, runTime: '4.000000' }));
    expect(await figuresOf(100)).to.deep.equal({
      operations: 1,
      run: ['4.000000', '4.000000', '4.000000', '0.000000'],
      setup: NONE,
      cleanup: NONE,
    });
  });

  it('exclude an operation if its reopening arrives before its completion', async () => {
    expect(await apply(reopened({ revision: 2 }))).to.deep.equal({});
    expect(await apply(completed({ revision: 1 }))).to.deep.equal({ 0: 'stale' });
    expect(await figuresOf(100)).to.equal(undefined);
  });

  it('exclude an operation from the figures of a time that the operation lacks, but include a time of zero', async () => {
    await apply(
      completed({ workOrderOperationId: 1, setupTime: '0.000000', cleanupTime: null }),
      completed({ workOrderOperationId: 2, setupTime: '1.000000' }),
      completed({ workOrderOperationId: 3, setupTime: null }),
    );
    const figures = await figuresOf(100);
    expect(figures?.operations).to.equal(3);
    expect(figures?.setup).to.deep.equal(['0.500000', '0.000000', '1.000000', '0.500000']);
    expect(figures?.cleanup).to.deep.equal(NONE);
  });

  it('include the operations of a structure version whose master data have not arrived', async () => {
    await apply(completed({ productStructureVersionId: 300, runTime: '2.000000' }));
    expect(await isListed(300)).to.equal(false);
    await changeStructureVersions(pool(), database(), [{ product_structure_version_id: 300, run_time: 3 }]);
    expect(await isListed(300)).to.equal(true);
    expect((await figuresOf(300))?.run[0]).to.equal('2.000000');
  });

  async function isListed(version: number): Promise<boolean> {
    const { rows } = await pool().query<{ listed: boolean }>(
      `SELECT changed_at IS NOT NULL AS listed
       FROM takt.product_structure_versions JOIN takt.companies USING (company_id)
       WHERE code = $1 AND product_structure_version_id = $2`,
      [database(), version],
    );
    return rows[0]?.listed ?? false;
  }

  it('are separate for each company, even if companies use the same ids', async () => {
    const other = await registerCompany(pool());
    await apply(completed({ runTime: '1.000000' }), completed({ database: other, runTime: '2.000000' }));
    expect((await figuresOf(100))?.run[0]).to.equal('1.000000');
    expect((await readServedFigures(pool(), other)).get(100)?.run[0]).to.equal('2.000000');
  });
});
