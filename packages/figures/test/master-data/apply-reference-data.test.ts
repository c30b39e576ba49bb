import { createTestDatabase } from '@takt/database/testing';
import { parseEvent } from '@takt/events';
import { openedForEach, randomFrom, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import { addCompany, applyReferenceData, type ReferenceDataEvent } from '../../src/master-data/index.js';

const CHANGED_AT = '2024-05-01T08:00:00.000000Z';

/** A change of a structure version. Each of its fields has a different value. */
const STRUCTURE_VERSION = {
  productStructureVersionId: 100_240,
  status: 4,
  name: 'Adjusting nut, milling',
  version: 17,
  revision: 'B',
  product: { productId: 10_001, status: 9, name: 'Adjusting nut', type: 'KS', description: 'Brass' },
  plannedProductionTimes: { runTime: 8.25, setupTime: 0.5, cleanupTime: 0.75 },
};
const APPLICATION_VERSION = {
  applicationVersionId: 101,
  applicationId: 10_007,
  type: 'WIDGET',
  name: 'Production times',
  descriptiveName: 'Production times of a product',
  description: 'A list',
  namespace: 'product',
  masterUrl: '/product',
  lookupKey: 'P',
  lookupPriority: 3,
  contentType: 'HTML',
  status: 5,
  changeDescription: 'First',
  createdAt: '2024-04-30T12:00:00.500000Z',
  createdBy: { userId: 7, firstName: 'Kari', name: 'Nordmann' },
  restrictedToCompany: { companyId: 11, database: 'TEM-SE' },
  permission: { permissionId: 12, name: 'Planner' },
  scope: 'GLOBAL',
  isChanged: true,
  changedBy: { userId: 8, firstName: 'Ola', name: 'Hansen' },
  isPendingDeployment: false,
  customFieldOrder: { fieldOrder: '["a"]' },
};

function event(type: string, data: object): ReferenceDataEvent {
  const result = parseEvent({
    ...{ specversion: '1.0', id: 'one', source: '/erp', time: CHANGED_AT, type },
    data: { database: 'TEM-NO', changedAt: CHANGED_AT, ...data },
  });
  if (result.ok && 'changedAt' in result.event) return result.event;
  throw new Error(result.ok ? 'no reference data' : JSON.stringify(result.problems));
}
const structureVersion = (data: object = {}) =>
  event('product-structure-version.changed.v1', { ...STRUCTURE_VERSION, ...data });
const removal = (changedAt: string, data: object = {}) =>
  event('product-structure-version.removed.v1', {
    ...{ database: 'TEM-NO', productStructureVersionId: 100_240, changedAt },
    ...data,
  });
const applicationVersion = (data: object = {}) =>
  event('application-version.changed.v1', { ...APPLICATION_VERSION, ...data });

describe('applyReferenceData', () => {
  const test = openedForEach(createTestDatabase);

  beforeEach(async () => {
    await addCompany(test.database, 'TEM-NO', 'Tempus Norge');
  });

  async function rowOf(table: string): Promise<Readonly<Record<string, unknown>>> {
    const { rows } = await test.database.pool.query(`SELECT to_jsonb(stored) AS row FROM ${table} stored`);
    expect(rows).to.have.lengthOf(1);
    return rows[0].row;
  }

  it('stores every field of a structure version and of its product', async () => {
    expect(await applyReferenceData(test.database.pool, [structureVersion()])).to.deep.equal(new Map());
    expect(await rowOf('product_structure_versions')).to.include({
      product_structure_version_id: 100_240,
      changed_at: '2024-05-01T08:00:00+00:00',
      status: 4,
      name: 'Adjusting nut, milling',
      version: 17,
      revision: 'B',
      product_id: 10_001,
      product_name: 'Adjusting nut',
      run_time: 8_250_000,
      setup_time: 500_000,
      cleanup_time: 750_000,
    });
    expect(await rowOf('products')).to.include({
      product_id: 10_001,
      status: 9,
      name: 'Adjusting nut',
      type: 'KS',
      description: 'Brass',
      changed_at: '2024-05-01T08:00:00+00:00',
    });
  });

  it('stores every field of an application version', async () => {
    expect(await applyReferenceData(test.database.pool, [applicationVersion()])).to.deep.equal(new Map());
    const { company_id, ...row } = await rowOf('application_versions');
    expect(company_id).to.be.a('number');
    expect(row).to.deep.equal({
      application_version_id: 101,
      application_id: 10_007,
      changed_at: '2024-05-01T08:00:00+00:00',
      status: 5,
      type: 'WIDGET',
      name: 'Production times',
      descriptive_name: 'Production times of a product',
      description: 'A list',
      namespace: 'product',
      master_url: '/product',
      lookup_key: 'P',
      lookup_priority: 3,
      content_type: 'HTML',
      change_description: 'First',
      created_at: '2024-04-30T12:00:00.5+00:00',
      created_by_user_id: 7,
      created_by_first_name: 'Kari',
      created_by_name: 'Nordmann',
      restricted_to_company_id: 11,
      restricted_to_database: 'TEM-SE',
      permission_id: 12,
      permission_name: 'Planner',
      scope: 'GLOBAL',
      is_changed: true,
      changed_by_user_id: 8,
      changed_by_first_name: 'Ola',
      changed_by_name: 'Hansen',
      is_pending_deployment: false,
      field_order: '["a"]',
    });
  });

  it('reports the positions of events without effect, in a batch with events of all kinds', async () => {
    const outcomes = await applyReferenceData(test.database.pool, [
      applicationVersion(),
      structureVersion(),
      structureVersion({ database: 'NOBODY' }),
      applicationVersion({ changedAt: '2024-04-01T08:00:00Z', name: 'Old' }),
      structureVersion({ changedAt: '2024-04-01T08:00:00Z', name: 'Old' }),
      applicationVersion({ database: 'NOBODY' }),
    ]);
    expect(Object.fromEntries(outcomes)).to.deep.equal({
      2: 'unknown-company',
      3: 'stale',
      4: 'stale',
      5: 'unknown-company',
    });
    expect(await rowOf('application_versions')).to.include({ name: 'Production times' });
    expect(await rowOf('product_structure_versions')).to.include({ name: 'Adjusting nut, milling' });
  });

  const countListed = async () => {
    const { rows } = await test.database.pool.query(
      'SELECT coalesce(sum(product_structure_versions), 0)::integer AS count FROM takt.list_sizes',
    );
    return rows[0].count;
  };
  /** Returns the outcome of each event, each applied in a batch of its own. */
  const outcomesOf = async (...events: Parameters<typeof applyReferenceData>[1]) => {
    const outcomes: unknown[] = [];
    for (const one of events) outcomes.push((await applyReferenceData(test.database.pool, [one])).get(0));
    return outcomes;
  };

  it('lists a removed structure version no more, until a newer change', async () => {
    expect(await outcomesOf(structureVersion())).to.deep.equal([undefined]);
    const listed = await rowOf('product_structure_versions');
    expect(await countListed()).to.equal(1);
    expect(await outcomesOf(removal('2024-06-01T08:00:00Z'))).to.deep.equal([undefined]);
    const removed = await rowOf('product_structure_versions');
    const nothing = ['status', 'name', 'version', 'revision', 'product_id', 'product_name', 'run_time'];
    for (const column of [...nothing, 'changed_at']) expect(removed[column], column).to.equal(null);
    expect(removed).to.include({ removed_at: '2024-06-01T08:00:00+00:00' });
    expect(await countListed()).to.equal(0);
    expect((await test.database.pool.query('SELECT FROM takt.structure_version_texts')).rowCount).to.equal(0);
    expect(
      await outcomesOf(
        structureVersion({ changedAt: '2024-05-31T08:00:00Z' }),
        structureVersion({ changedAt: '2024-06-01T08:00:00Z' }),
        removal('2024-06-01T08:00:00Z'),
        removal('2024-05-01T08:00:00Z'),
        structureVersion({ changedAt: '2024-06-01T08:00:01Z' }),
        removal('2024-06-01T08:00:01Z'),
      ),
    ).to.deep.equal(['stale', 'conflict', 'duplicate', 'stale', undefined, 'conflict']);
    expect(await rowOf('product_structure_versions')).to.deep.equal({
      ...listed,
      changed_at: '2024-06-01T08:00:01+00:00',
    });
    expect(await countListed()).to.equal(1);
    expect(await outcomesOf(removal('2024-07-01T08:00:00Z', { database: 'NOBODY' }))).to.deep.equal([
      'unknown-company',
    ]);
  });

  it('remembers the removal of a structure version that it does not know', async () => {
    expect(await outcomesOf(removal('2024-06-01T08:00:00Z'), structureVersion())).to.deep.equal([
      undefined,
      'stale',
    ]);
    expect(await rowOf('product_structure_versions')).to.include({ changed_at: null, name: null });
    expect(await countListed()).to.equal(0);
  });

  const seed = testSeed();
  it(`reaches the same rows in any order and any batches (seed ${seed})`, async () => {
    const random = randomFrom(seed);
    const { pool } = test.database;
    const LENGTH = 60;
    const history = Array.from({ length: LENGTH }, (_, index) => {
      const data = {
        changedAt: `2024-05-01T08:00:${String(index).padStart(2, '0')}Z`,
        productStructureVersionId: 1 + random.below(4),
      };
      // The newest event is a removal, so that one version is removed in the end.
      if (random.below(2) === 0 || index === LENGTH - 1) return removal(data.changedAt, data);
      return structureVersion({
        ...{ ...data, name: `Name ${index}` },
        product: { ...STRUCTURE_VERSION.product, productId: 1 + random.below(3), name: `Product ${index}` },
      });
    });
    const stateAfter = async (events: typeof history) => {
      await pool.query(
        'TRUNCATE takt.product_structure_versions, takt.products, takt.structure_version_texts, takt.list_sizes',
      );
      for (let left = events; left.length > 0; ) {
        const size = 1 + random.below(10);
        await applyReferenceData(pool, left.slice(0, size));
        left = left.slice(size);
      }
      const { rows } = await pool.query(
        `SELECT (SELECT array_agg(to_jsonb(v) ORDER BY v.product_structure_version_id) FROM takt.product_structure_versions v)
             AS versions,
           (SELECT array_agg(to_jsonb(t) ORDER BY t.product_structure_version_id) FROM takt.structure_version_texts t) AS texts,
           (SELECT count(*) FROM takt.product_structure_versions WHERE changed_at IS NOT NULL)
             = (SELECT sum(product_structure_versions) FROM takt.list_sizes) AS "sizeIsRight"`,
      );
      return rows[0];
    };
    const first = await stateAfter(history);
    expect(first.versions.some((version: { removed_at: unknown }) => version.removed_at !== null)).to.equal(
      true,
    );
    expect(first.sizeIsRight).to.equal(true);
    for (let round = 0; round < 5; round++) {
      expect(await stateAfter(random.shuffle(history))).to.deep.equal(first);
    }
  });

  it('does nothing for an empty batch', async () => {
    expect(await applyReferenceData(test.database.pool, [])).to.deep.equal(new Map());
  });
});
