import { expect } from 'chai';
import { disableCompany } from '../../src/master-data/index.js';
import { useApplyFixture } from './apply-fixture.js';

describe('an event', () => {
  const { completed, reopened, apply, allFigures, figuresOf, database, pool } = useApplyFixture();

  it('is ignored as a duplicate if it repeats the revision and the content of a counted event', async () => {
    const full = { workOrderId: 7, setupTime: '0.500000', cleanupTime: '0.000000' };
    await apply(completed(full), reopened({ workOrderOperationId: 2 }));
    const before = await figuresOf(100);
    expect(await apply(reopened({ workOrderOperationId: 2 }), completed(full))).to.deep.equal({
      0: 'duplicate',
      1: 'duplicate',
    });
    expect(await figuresOf(100)).to.deep.equal(before);
  });

  const otherContents: Readonly<Record<string, Partial<ReturnType<typeof completed>>>> = {
    'another run time': { runTime: '1.000001' },
    'another setup time': { setupTime: '0.500001' },
    'a cleanup time that is zero instead of not reported': { cleanupTime: '0.000000' },
    'no setup time': { setupTime: null },
    'another structure version': { productStructureVersionId: 101 },
    'another work order': { workOrderId: 8 },
    'no work order': { workOrderId: null },
    'another time of completion': { completedAt: '2024-03-01T06:00:00.000001Z' },
  };
  for (const [name, other] of Object.entries(otherContents)) {
    it(`is rejected as a conflict if it has the revision of a counted event with ${name}`, async () => {
      const known = completed({ workOrderId: 7, setupTime: '0.500000' });
      await apply(known);
      const before = await allFigures();
      expect(await apply({ ...known, ...other })).to.deep.equal({ 0: 'conflict' });
      expect(await allFigures()).to.deep.equal(before);
    });
  }

  it('is ignored as a duplicate if it repeats a correction, whatever the correction changed', async () => {
    const known = completed({ workOrderId: 7, setupTime: '0.500000' });
    for (const [index, [name, other]] of Object.entries(otherContents).entries()) {
      const workOrderOperationId = 10 + index;
      const correction = { ...known, ...other, workOrderOperationId, revision: 2 };
      await apply({ ...known, workOrderOperationId });
      expect(await apply(correction), name).to.deep.equal({});
      expect(await apply(correction), name).to.deep.equal({ 0: 'duplicate' });
    }
    const reopening = reopened({ workOrderOperationId: 10, revision: 3 });
    expect(await apply(reopening)).to.deep.equal({});
    expect(await apply(reopening)).to.deep.equal({ 0: 'duplicate' });
  });

  it('is rejected as a conflict if it reopens a completed revision or completes a reopened revision', async () => {
    await apply(completed({ revision: 5 }), reopened({ workOrderOperationId: 2, revision: 5 }));
    expect(
      await apply(reopened({ revision: 5 }), completed({ workOrderOperationId: 2, revision: 5 })),
    ).to.deep.equal({ 0: 'conflict', 1: 'conflict' });
    expect(await figuresOf(100)).to.include({ operations: 1 });
  });

  it('is ignored if its revision is older than the counted one', async () => {
    await apply(completed({ revision: 5 }));
    const before = await figuresOf(100);
    expect(
      await apply(
        completed({ revision: 4, runTime: '8.000000' }),
        reopened({ revision: 3 }),
        completed({ revision: 2 }),
      ),
    ).to.deep.equal({ 0: 'stale', 1: 'stale', 2: 'stale' });
    expect(await figuresOf(100)).to.deep.equal(before);
  });

  it('is rejected if its company is unknown, without affecting the other events of the batch', async () => {
    expect(
      await apply(
        completed({ database: 'NOBODY', workOrderOperationId: 1 }),
        completed({ workOrderOperationId: 1 }),
        reopened({ database: 'NOBODY', workOrderOperationId: 2 }),
        completed({ workOrderOperationId: 2 }),
      ),
    ).to.deep.equal({ 0: 'unknown-company', 2: 'unknown-company' });
    expect(await figuresOf(100)).to.include({ operations: 2 });
  });

  it('is rejected while its company is disabled, and counts after the company was enabled again', async () => {
    await disableCompany({ pool: pool() }, database(), true);
    expect(await apply(completed({ workOrderOperationId: 1 }))).to.deep.equal({ 0: 'unknown-company' });
    await disableCompany({ pool: pool() }, database(), false);
    expect(await apply(completed({ workOrderOperationId: 1 }))).to.deep.equal({});
  });
});
