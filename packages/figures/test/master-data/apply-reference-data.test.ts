import { createTestDatabase } from '@takt/database/testing';
import { parseEvent } from '@takt/events';
import { openedForEach } from '@takt/test-support';
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

  it('does nothing for an empty batch', async () => {
    expect(await applyReferenceData(test.database.pool, [])).to.deep.equal(new Map());
  });
});
