import * as schema from '@takt/catalogue/schema';
import { createTestDatabase } from '@takt/database/testing';
import { openedForEach } from '@takt/test-support';
import { expect } from 'chai';
import { eq } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { batchArguments } from './concurrent-writers.js';
import {
  applyStructureVersionChanges,
  findStructureVersion,
  minute,
  readMasterData,
  type StructureVersionChange,
  structureVersionChange,
} from './structure-version-changes.js';

describe('takt.apply_product_structure_version_changes', () => {
  const test = openedForEach(createTestDatabase);

  beforeEach(async () => {
    await drizzle(test.database.pool)
      .insert(schema.companies)
      .values([
        { code: 'TEM-NO', name: 'Tem Norway' },
        { code: 'TEM-SE', name: 'Tem Sweden' },
      ]);
  });

  const apply = (...changes: readonly StructureVersionChange[]) =>
    applyStructureVersionChanges(test.database, changes);
  const find = (productStructureVersionId: number, database?: string) =>
    findStructureVersion(test.database, productStructureVersionId, database);

  it('stores every field of a new structure version', async () => {
    expect(await apply(structureVersionChange())).to.deep.equal([]);
    expect(await find(1)).to.include({
      changedAt: minute(0),
      status: 4,
      name: 'Frame, welded',
      version: 1,
      revision: 'A',
      productId: 10,
      productName: 'Frame',
      runTime: 1_500_000,
      setupTime: null,
      cleanupTime: 250_000,
      numberOfCompletedOperations: 0,
    });
    expect((await readMasterData(test.database)).products[0]).to.include({
      productId: 10,
      status: 4,
      name: 'Frame',
      type: 'K',
      description: 'Frame of the conveyor',
      changedAt: minute(0),
    });
  });

  it('replaces every field if a change is newer', async () => {
    const after = {
      changedAt: minute(1),
      status: 9,
      name: 'Frame, bolted',
      version: 2,
      revision: 'B',
      productId: 10,
      runTime: null,
      setupTime: '0.000001',
      cleanupTime: '1000000.000000',
    };
    const product = { status: 9, name: 'Chassis', type: 'P', description: '' };
    await apply(structureVersionChange());
    await apply(
      structureVersionChange({
        ...after,
        productStatus: product.status,
        productName: product.name,
        productType: product.type,
        productDescription: product.description,
      }),
    );
    const microhours = { setupTime: 1, cleanupTime: 1_000_000_000_000 };
    expect(await find(1)).to.include({ ...after, ...microhours, productName: 'Chassis' });
    const { products } = await readMasterData(test.database);
    expect(products[0]).to.include({ ...product, changedAt: minute(1) });
  });

  it('keeps the newest change, whatever the order and the batches of the events', async () => {
    const inTime = [0, 1, 2].map((at) =>
      structureVersionChange({ changedAt: minute(at), name: `name ${at}`, productName: `product ${at}` }),
    );
    let productStructureVersionId = 0;
    for (const order of permutationsOf(inTime)) {
      for (const isOneBatch of [true, false]) {
        productStructureVersionId += 1;
        const own = { productStructureVersionId, productId: 100 + productStructureVersionId };
        const changes = order.map((change) => ({ ...change, ...own }));
        if (isOneBatch) {
          await apply(...changes);
        } else {
          for (const change of changes) await apply(change);
        }
        const newest = { changedAt: minute(2), name: 'name 2', productName: 'product 2' };
        expect(await find(productStructureVersionId)).to.include(newest);
      }
    }
    expect(productStructureVersionId).to.equal(12);
  });

  it('distinguishes instants that differ by a microsecond, with any UTC offset', async () => {
    await apply(structureVersionChange({ changedAt: '2026-03-02T12:00:00.000002Z', name: 'newer' }));
    const older = structureVersionChange({ changedAt: '2026-03-02T14:00:00.000001+02:00', name: 'older' });
    expect(await apply(older)).to.deep.equal([{ position: 0, outcome: 'stale' }]);
    expect(await find(1)).to.include({ changedAt: '2026-03-02 12:00:00.000002+00', name: 'newer' });
  });

  const [conflict, duplicate] = ['conflict', 'duplicate'].map((outcome) => [{ position: 0, outcome }]);

  it('keeps the first of two changes with the same instant, and reports other content as a conflict', async () => {
    const first = structureVersionChange({ name: 'first' });
    expect(await apply(first, { ...first, name: 'second' }, first)).to.deep.equal([
      { position: 1, outcome: 'conflict' },
      { position: 2, outcome: 'duplicate' },
    ]);
    expect(await apply(first)).to.deep.equal(duplicate);
    const others = {
      ...{ status: 9, name: 'second', version: 9, revision: 'Z', productId: 11 },
      ...{ runTime: '9.000000', setupTime: '9.000000', cleanupTime: null },
    };
    for (const [field, value] of Object.entries(others)) {
      expect(await apply({ ...first, [field]: value }), field).to.deep.equal(conflict);
    }
    const older = { ...first, changedAt: '2026-03-01T12:00:00Z', name: 'older' };
    expect(await apply(older)).to.deep.equal([{ position: 0, outcome: 'stale' }]);
    expect(await find(1)).to.include({
      name: 'first',
      status: 4,
      revision: 'A',
      productId: 10,
      runTime: 1_500_000,
    });
  });

  it('reports a conflict of the product too, and then does not change the structure version', async () => {
    const first = structureVersionChange();
    const another = { ...first, productStructureVersionId: 2 };
    await apply(first);
    const others = { productStatus: 9, productName: 'x', productType: 'P', productDescription: 'x' };
    for (const [field, value] of Object.entries(others)) {
      const changed = { ...another, [field]: value };
      expect(await apply(changed), field).to.deep.equal(conflict);
      expect(await apply({ ...first, [field]: value }), field).to.deep.equal(conflict);
    }
    expect(await find(2)).to.equal(undefined);
    // The product is as known, or changed later: no conflict.
    expect(await apply(another, { ...another, productStructureVersionId: 3 })).to.deep.equal([]);
    await apply({ ...first, changedAt: minute(1), productName: 'newer' });
    expect(await apply({ ...another, productStructureVersionId: 4, productName: 'x' })).to.deep.equal([]);
    expect(await find(4)).to.include({ productName: 'newer' });
    // The same in one batch.
    const batch = [5, 6].map((id) => ({ ...first, productStructureVersionId: id, productId: 20 }));
    const [one, other] = batch;
    if (one === undefined || other === undefined) throw new Error('two are made');
    expect(await apply(one, { ...other, productName: 'x' })).to.deep.equal([
      { position: 1, outcome: 'conflict' },
    ]);
    expect(await find(6)).to.equal(undefined);
  });

  it('replaces a state of the far future, which versions before 1.1.0 accepted', async () => {
    await test.database.pool.query(`INSERT INTO takt.products SELECT company_id, 10, 4, 'frozen', 'K', '', '2999-01-01'
      FROM takt.companies WHERE code = 'TEM-NO'`);
    await apply(structureVersionChange());
    await test.database.pool.query(
      "UPDATE takt.product_structure_versions SET changed_at = '2999-01-01', name = 'frozen'",
    );
    expect(await apply(structureVersionChange({ changedAt: minute(1), name: 'thawed' }))).to.deep.equal([]);
    expect(await find(1)).to.include({ name: 'thawed', productName: 'Frame', changedAt: minute(1) });
  });

  it('reports stale changes and unknown companies by position, and applies the other changes', async () => {
    await apply(structureVersionChange({ changedAt: minute(5), name: 'known' }));
    const outcome = await apply(
      structureVersionChange({ database: 'NO-SUCH', productStructureVersionId: 2 }),
      structureVersionChange({ productStructureVersionId: 3 }),
      structureVersionChange({ changedAt: minute(4), name: 'older' }),
      structureVersionChange({ productStructureVersionId: 4 }),
      structureVersionChange({ database: 'tem-no', productStructureVersionId: 5 }),
    );
    expect(outcome).to.deep.equal([
      { position: 0, outcome: 'unknown-company' },
      { position: 2, outcome: 'stale' },
      { position: 4, outcome: 'unknown-company' },
    ]);
    const { structureVersions } = await readMasterData(test.database);
    expect(structureVersions.map((row) => row.productStructureVersionId)).to.deep.equal([1, 3, 4]);
    expect((await find(1))?.name).to.equal('known');
  });

  it('changes nothing for an empty batch or a batch with only unknown companies', async () => {
    expect(await apply()).to.deep.equal([]);
    const outcome = await apply(structureVersionChange({ database: 'NO-SUCH' }));
    expect(outcome).to.deep.equal([{ position: 0, outcome: 'unknown-company' }]);
    expect(await readMasterData(test.database)).to.deep.equal({ products: [], structureVersions: [] });
  });

  it('changes no structure version of another company, even if both companies use the same numbers', async () => {
    await apply(structureVersionChange(), structureVersionChange({ database: 'TEM-SE' }));
    await apply(
      structureVersionChange({ database: 'TEM-SE', changedAt: minute(1), name: 'Ram', productName: 'Ram' }),
    );
    expect(await find(1, 'TEM-SE')).to.include({ name: 'Ram', productName: 'Ram' });
    expect(await find(1)).to.include({ name: 'Frame, welded', productName: 'Frame' });
  });

  it('lists a structure version that had only figures, and keeps its figures', async () => {
    const completion = {
      ...{ database: 'TEM-NO', workOrderOperationId: 7, revision: 1, productStructureVersionId: 1 },
      ...{ workOrderId: 3, changedAt: minute(0), runTime: '2.5', setupTime: null, cleanupTime: null },
    };
    await test.database.pool.query(
      'SELECT takt.apply_work_order_operation_events($1, $2)',
      batchArguments([completion]),
    );
    const figures = { numberOfCompletedOperations: 1, averageRunTime: 2_500_000, averageSetupTime: null };
    expect(await find(1)).to.include({ ...figures, changedAt: null, productId: null, name: null });
    expect(await apply(structureVersionChange())).to.deep.equal([]);
    expect(await find(1)).to.include({
      ...figures,
      changedAt: minute(0),
      productId: 10,
      productName: 'Frame',
    });
  });

  it('accepts every id from 1 to 2^53-1', async () => {
    const largest = {
      productStructureVersionId: Number.MAX_SAFE_INTEGER,
      productId: Number.MAX_SAFE_INTEGER,
    };
    await apply(structureVersionChange(largest));
    const found = await drizzle(test.database.pool)
      .select()
      .from(schema.products)
      .where(eq(schema.products.productId, Number.MAX_SAFE_INTEGER));
    expect(found).to.have.length(1);
    expect(await find(Number.MAX_SAFE_INTEGER)).to.include({ productId: Number.MAX_SAFE_INTEGER });
  });
});

function permutationsOf<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length < 2) return [items];
  return items.flatMap((item, index) =>
    permutationsOf(items.toSpliced(index, 1)).map((others) => [item, ...others]),
  );
}
