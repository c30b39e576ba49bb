import * as schema from '@takt/catalogue/schema';
import { createTestDatabase } from '@takt/database/testing';
import { openedForEach } from '@takt/test-support';
import { expect } from 'chai';
import { drizzle } from 'drizzle-orm/node-postgres';
import {
  applyStructureVersionChanges,
  findStructureVersion,
  minute,
  type StructureVersionChange,
  structureVersionChange,
} from './structure-version-changes.js';

describe('the copy of the product name in a structure version', () => {
  const test = openedForEach(createTestDatabase);

  beforeEach(async () => {
    await drizzle(test.database.pool).insert(schema.companies).values({ code: 'TEM-NO', name: 'Tem Norway' });
  });

  const apply = (...changes: readonly StructureVersionChange[]) =>
    applyStructureVersionChanges(test.database, changes);
  const find = (productStructureVersionId: number) =>
    findStructureVersion(test.database, productStructureVersionId);
  const productName = async (productStructureVersionId: number) =>
    (await find(productStructureVersionId))?.productName;

  it('changes in all structure versions of a product that gets a new name', async () => {
    await apply(
      ...[1, 2, 3].map((productStructureVersionId) => structureVersionChange({ productStructureVersionId })),
    );
    await apply(
      structureVersionChange({ productStructureVersionId: 2, changedAt: minute(1), productName: 'Chassis' }),
    );
    for (const productStructureVersionId of [1, 2, 3])
      expect(await productName(productStructureVersionId)).to.equal('Chassis');
    expect((await find(1))?.changedAt).to.equal(minute(0));
  });

  it('is the newest name of the product, even if the structure version has an older event', async () => {
    await apply(
      structureVersionChange({ productStructureVersionId: 1, changedAt: minute(9), productName: 'Chassis' }),
    );
    await apply(
      structureVersionChange({ productStructureVersionId: 2, changedAt: minute(1), productName: 'Frame' }),
    );
    expect(await productName(2)).to.equal('Chassis');
  });

  it('changes even if the event is too old to change the structure version itself', async () => {
    await apply(structureVersionChange({ productId: 10, changedAt: minute(9), productName: 'Frame' }));
    await apply(
      structureVersionChange({
        productStructureVersionId: 2,
        productId: 11,
        changedAt: minute(1),
        productName: 'Bolt',
      }),
    );
    await apply(structureVersionChange({ productId: 11, changedAt: minute(2), productName: 'Screw' }));
    expect(await productName(1)).to.equal('Frame');
    expect(await productName(2)).to.equal('Screw');
  });

  it('is the name of the new product after a structure version has moved', async () => {
    await apply(structureVersionChange({ productStructureVersionId: 2, productId: 11, productName: 'Bolt' }));
    await apply(structureVersionChange());
    await apply(structureVersionChange({ changedAt: minute(1), productId: 11, productName: 'Screw' }));
    expect(await find(1)).to.include({ productId: 11, productName: 'Screw' });
    expect(await productName(2)).to.equal('Screw');
    await apply(
      structureVersionChange({
        productStructureVersionId: 3,
        changedAt: minute(2),
        productId: 10,
        productName: 'Chassis',
      }),
    );
    expect(await productName(1)).to.equal('Screw');
  });
});
