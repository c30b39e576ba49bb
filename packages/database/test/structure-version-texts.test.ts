import * as schema from '@takt/catalogue/schema';
import { createTestDatabase } from '@takt/database/testing';
import { openedForEach } from '@takt/test-support';
import { expect } from 'chai';
import { drizzle } from 'drizzle-orm/node-postgres';
import {
  applyStructureVersionChanges,
  minute,
  type StructureVersionChange,
  structureVersionChange,
} from './structure-version-changes.js';

describe('the search text of a structure version', () => {
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
  /** Reads the texts by company and structure version. The position of a row changes when the row is rewritten. */
  const read = async () => {
    const { rows } = await test.database.pool.query<{ key: string; folded: string; place: string }>(
      `SELECT code || ' ' || product_structure_version_id AS key, folded, text.ctid::text || text.xmin AS place
       FROM takt.structure_version_texts AS text JOIN takt.companies USING (company_id) ORDER BY key`,
    );
    return rows;
  };
  const texts = async () =>
    Object.fromEntries((await read()).map(({ key, folded }) => [key, folded.split('\n')]));

  it('contains the identifiers and all spellings of the names', async () => {
    await apply(
      structureVersionChange({ productName: 'Straße', name: 'Frame, WELDED' }),
      structureVersionChange({ database: 'TEM-SE', productName: 'Bolt', name: '' }),
      structureVersionChange({ productStructureVersionId: 2, productId: 11, productName: 'Ångström' }),
    );
    expect(await texts()).to.deep.equal({
      'TEM-NO 1': ['strasse', 'frame, welded', '10', '1'],
      'TEM-NO 2': ['ångström', 'angstrom', 'aangstroem', 'frame, welded', '11', '2'],
      'TEM-SE 1': ['bolt', '', '10', '1'],
    });
  });

  it('changes in all structure versions of a product that gets a new name', async () => {
    await apply(
      ...[1, 2, 3].map((productStructureVersionId) => structureVersionChange({ productStructureVersionId })),
    );
    await apply(structureVersionChange({ changedAt: minute(1), productName: 'Chassis', name: 'Bent' }));
    expect(await texts()).to.deep.equal({
      'TEM-NO 1': ['chassis', 'bent', '10', '1'],
      'TEM-NO 2': ['chassis', 'frame, welded', '10', '2'],
      'TEM-NO 3': ['chassis', 'frame, welded', '10', '3'],
    });
  });

  it('contains the name of the new product after the structure version has moved', async () => {
    await apply(
      structureVersionChange({
        productStructureVersionId: 2,
        productId: 11,
        changedAt: minute(9),
        productName: 'Bolt',
      }),
      structureVersionChange(),
    );
    await apply(structureVersionChange({ changedAt: minute(1), productId: 11, productName: 'Screw' }));
    expect(await texts()).to.deep.equal({
      'TEM-NO 1': ['bolt', 'frame, welded', '11', '1'],
      'TEM-NO 2': ['bolt', 'frame, welded', '11', '2'],
    });
  });

  it('gets a new product name even if the event is too old to change the structure version', async () => {
    await apply(structureVersionChange({ productId: 10, changedAt: minute(9) }));
    await apply(structureVersionChange({ productStructureVersionId: 2, productId: 11, productName: 'Bolt' }));
    await apply(structureVersionChange({ productId: 11, changedAt: minute(2), productName: 'Screw' }));
    expect((await texts())['TEM-NO 2']).to.deep.equal(['screw', 'frame, welded', '11', '2']);
    expect((await texts())['TEM-NO 1']).to.deep.equal(['frame', 'frame, welded', '10', '1']);
  });

  it('is not rewritten by an event that changes none of the names', async () => {
    await apply(structureVersionChange());
    const before = await read();
    await apply(structureVersionChange({ changedAt: minute(1), status: 9, runTime: '7.000000' }));
    expect(await read()).to.deep.equal(before);
  });

  it('does not exist if the structure version has only figures', async () => {
    await test.database.pool.query('INSERT INTO takt.product_structure_versions VALUES (1, 5)');
    await apply(structureVersionChange({ database: 'NOBODY' }));
    expect(await read()).to.deep.equal([]);
  });
});
