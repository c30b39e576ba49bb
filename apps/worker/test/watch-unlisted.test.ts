import { openDatabase } from '@takt/database';
import { createTestDatabase } from '@takt/database/testing';
import type { UnlistedStructureVersion } from '@takt/figures';
import { addCompany } from '@takt/figures/master-data';
import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import { createUnlistedWatch } from '../src/upkeep.js';

describe('the watch for structure versions without master data', () => {
  const test = opened(createTestDatabase);
  const heard: UnlistedStructureVersion[] = [];
  const onUnlisted = (version: UnlistedStructureVersion) => void heard.push(version);
  const registry = new Registry();

  before(async () => {
    for (const code of ['TEM-NO', 'TEM-SE']) await addCompany(test.database, code, code);
  });

  const add = (company: string, id: number, operations: number) =>
    test.database.pool.query(
      `INSERT INTO product_structure_versions (company_id, product_structure_version_id, number_of_completed_operations)
       SELECT company_id, $2, $3 FROM companies WHERE code = $1`,
      [company, id, operations],
    );
  const said = () =>
    heard
      .splice(0)
      .map(({ productStructureVersionId, operations }) => [productStructureVersionId, operations]);

  it('counts these structure versions by company, and reports each of them once after a wait', async () => {
    // The database is opened as in the worker, with the rights of the worker only.
    const database = openDatabase({ url: test.appUrl('worker'), applicationName: 'takt worker' });
    try {
      const look = createUnlistedWatch({ pool: database.pool, registry, onUnlisted });
      await add('TEM-NO', 7, 3);
      await add('TEM-NO', 8, 0);
      await look();
      expect(said()).to.deep.equal([]);
      await add('TEM-NO', 9, 5);
      await look();
      expect(said()).to.deep.equal([[7, 3]]);
      await look();
      expect(said()).to.deep.equal([[9, 5]]);
      await look();
      expect(said()).to.deep.equal([]);
      const metrics = await registry.metrics();
      expect(metrics).to.include('takt_unlisted_operations{database="TEM-NO"} 8');
      expect(metrics).to.include('takt_unlisted_structure_versions{database="TEM-NO"} 2');
      expect(metrics).to.include('takt_unlisted_operations{database="TEM-SE"} 0');
    } finally {
      await database.close();
    }
  });

  it('reports 50 structure versions at a time, and the rest later', async () => {
    const look = createUnlistedWatch({ pool: test.database.pool, registry: new Registry(), onUnlisted });
    for (let id = 100; id < 170; id++) await add('TEM-SE', id, 1);
    const counts: number[] = [];
    for (let turn = 0; turn < 4; turn++) {
      await look();
      counts.push(said().length);
    }
    expect(counts).to.deep.equal([0, 50, 22, 0]);
  });

  it('treats the same id in two companies as two structure versions', async () => {
    const look = createUnlistedWatch({ pool: test.database.pool, registry: new Registry(), onUnlisted });
    await add('TEM-NO', 500, 1);
    await add('TEM-SE', 500, 2);
    for (let turn = 0; turn < 4; turn++) await look();
    expect(said().filter(([id]) => id === 500)).to.have.deep.members([
      [500, 1],
      [500, 2],
    ]);
  });
});
