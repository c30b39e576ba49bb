import { readFile } from 'node:fs/promises';
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

describe('the search text', () => {
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
  /** By company and structure version, with each row's place, which changes if it is rewritten. */
  const read = async () => {
    const { rows } = await test.database.pool.query<{ key: string; folded: string; place: string }>(
      `SELECT code || ' ' || product_structure_version_id AS key, folded, text.ctid::text || text.xmin AS place
       FROM takt.structure_version_texts AS text JOIN takt.companies USING (company_id) ORDER BY key`,
    );
    return rows;
  };
  const texts = async () =>
    Object.fromEntries((await read()).map(({ key, folded }) => [key, folded.split('\n')]));

  it('has the names, in all spellings, and the identifiers of each structure version', async () => {
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

  it('follows a new name of the product, in all its structure versions', async () => {
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

  it("follows a structure version to another product, with that product's newest name", async () => {
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

  it('follows a product name in an event that is stale for its structure version', async () => {
    await apply(structureVersionChange({ productId: 10, changedAt: minute(9) }));
    await apply(structureVersionChange({ productStructureVersionId: 2, productId: 11, productName: 'Bolt' }));
    await apply(structureVersionChange({ productId: 11, changedAt: minute(2), productName: 'Screw' }));
    expect((await texts())['TEM-NO 2']).to.deep.equal(['screw', 'frame, welded', '11', '2']);
    expect((await texts())['TEM-NO 1']).to.deep.equal(['frame', 'frame, welded', '10', '1']);
  });

  it('is not rewritten by an event that changes no text', async () => {
    await apply(structureVersionChange());
    const before = await read();
    await apply(structureVersionChange({ changedAt: minute(1), status: 9, runTime: '7.000000' }));
    expect(await read()).to.deep.equal(before);
  });

  it("equals the migration's result for names that were stored before", async () => {
    const names = [
      'Zahnräder',
      'Frame',
      'Støpe-Ålesund',
      'A\u0308rmel',
      'Łódź İ',
      'Œuvre þ',
      'がぎ',
      'Straße',
    ];
    await apply(
      ...names.map((name, index) =>
        structureVersionChange({
          ...{ productStructureVersionId: index + 1, productId: index + 1 },
          ...{ name, productName: names.at(-index) ?? '' },
        }),
      ),
    );
    const written = await texts();
    await test.database.pool.query(
      `UPDATE takt.structure_version_texts SET folded = concat_ws(E'\\n', casefold(product_name), casefold(name),
         product_id, listed.product_structure_version_id)
       FROM takt.product_structure_versions AS listed WHERE listed.company_id = structure_version_texts.company_id
         AND listed.product_structure_version_id = structure_version_texts.product_structure_version_id`,
    );
    expect(await texts()).not.to.deep.equal(written);
    const migration = new URL('../../../../migrations/0031-search-without-accents.sql', import.meta.url);
    await test.database.pool.query(await readFile(migration, 'utf8'));
    expect(await texts()).to.deep.equal(written);
  });

  it('is missing for a structure version with only figures', async () => {
    await test.database.pool.query('INSERT INTO takt.product_structure_versions VALUES (1, 5)');
    await apply(structureVersionChange({ database: 'NOBODY' }));
    expect(await read()).to.deep.equal([]);
  });
});
