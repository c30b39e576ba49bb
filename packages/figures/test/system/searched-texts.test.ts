import { createTestDatabase } from '@takt/database/testing';
import { opened } from '@takt/test-support';
import { expect } from 'chai';
import {
  applyWorkOrderOperationEvents,
  auditProductionTimes,
  rebuildProductionTimes,
} from '../../src/production-times/index.js';
import { registerCompany } from '../production-times/companies.js';
import { changeStructureVersions, completed } from '../production-times/events.js';

/** More structure versions than an audit or a rebuild processes at once. */
const STRUCTURE_VERSIONS = 5_200;

describe('the search texts of structure versions', function () {
  this.timeout(60_000);
  const test = opened(createTestDatabase);
  let database: string;

  before(async () => {
    database = await registerCompany(test.database.pool);
    const versions = Array.from({ length: STRUCTURE_VERSIONS }, (_, index) => ({
      ...{ product_structure_version_id: index + 1, name: 'WELDED Frame', product_name: 'Straße' },
    }));
    await changeStructureVersions(test.database.pool, database, versions);
    // This structure version is not listed, so no search may find it.
    await applyWorkOrderOperationEvents(test.database.pool, [
      completed({ database, productStructureVersionId: STRUCTURE_VERSIONS + 1 }),
    ]);
  });

  async function damage(sql: string, version: number): Promise<void> {
    const { rowCount } = await test.database.pool.query(`${sql} WHERE product_structure_version_id = $1`, [
      version,
    ]);
    expect(rowCount, sql).to.equal(1);
  }
  const audit = async () => (await auditProductionTimes(test.database.pool, { database })).differences;
  const rebuild = async () => (await rebuildProductionTimes(test.database.pool, { database })).repaired;
  const difference = (version: number, stored: string | null) => ({
    ...{
      database,
      productStructureVersionId: version,
      productStructureVersionKey: null,
      figure: 'searchedText',
      stored,
    },
    recomputed: `strasse\nwelded frame\n1\n${version}`,
  });

  it('pass the audit after changes of names', async () => {
    expect(await audit()).to.deep.equal([]);
    expect(await rebuild()).to.deep.equal([]);
  });

  it('are reported and rebuilt if they are wrong or missing', async () => {
    await damage("UPDATE takt.structure_version_texts SET folded = folded || 's'", 7);
    await damage("UPDATE takt.structure_version_texts SET folded = 'Straße'", 201);
    await damage('DELETE FROM takt.structure_version_texts', STRUCTURE_VERSIONS);
    expect(await audit()).to.deep.equal([
      difference(7, 'strasse\nwelded frame\n1\n7s'),
      difference(201, 'Straße'),
      difference(STRUCTURE_VERSIONS, null),
    ]);
    expect((await rebuild()).map((one) => one.productStructureVersionId)).to.deep.equal([
      ...[7, 201, STRUCTURE_VERSIONS],
    ]);
    expect(await audit()).to.deep.equal([]);
    expect(await rebuild()).to.deep.equal([]);
  });

  it('are reported if only the name has changed', async () => {
    await damage("UPDATE takt.product_structure_versions SET name = 'Bent Frame'", 8);
    expect((await audit()).map(({ recomputed }) => recomputed)).to.deep.equal(['strasse\nbent frame\n1\n8']);
    expect(await rebuild()).to.deep.equal([
      { database, productStructureVersionId: 8, productStructureVersionKey: null },
    ]);
    expect(await audit()).to.deep.equal([]);
  });
});
