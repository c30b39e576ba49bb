import * as schema from '@takt/catalogue/schema';
import { createTestDatabase } from '@takt/database/testing';
import { openedForEach } from '@takt/test-support';
import { expect } from 'chai';
import { getTableColumns } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import {
  type ApplicationVersionChange,
  applicationVersionChange,
  applyApplicationVersionChanges,
  findApplicationVersion,
} from './application-version-changes.js';
import { minute } from './structure-version-changes.js';

describe('takt.apply_application_version_changes', () => {
  const test = openedForEach(createTestDatabase);

  beforeEach(async () => {
    await drizzle(test.database.pool)
      .insert(schema.companies)
      .values([
        { code: 'TEM-NO', name: 'Tem Norway' },
        { code: 'TEM-SE', name: 'Tem Sweden' },
      ]);
  });

  const apply = (...changes: readonly ApplicationVersionChange[]) =>
    applyApplicationVersionChanges(test.database, changes);
  const find = (applicationVersion: number, database?: string) =>
    findApplicationVersion(test.database, applicationVersion, database);
  const names = async () =>
    (await drizzle(test.database.pool).select().from(schema.applicationVersions))
      .map(({ name }) => name)
      .sort();

  it('stores every field of a new version', async () => {
    const change = applicationVersionChange();
    expect(await apply(change)).to.deep.equal([]);
    expect(await findByColumn()).to.deep.equal(columnsOf(change));
  });

  it('replaces every field if a change is newer', async () => {
    const change = applicationVersionChange({
      application_id: 10_001,
      changed_at: minute(1),
      status: null,
      type: 'WIDGET',
      name: 'widget',
      descriptive_name: null,
      description: null,
      namespace: null,
      master_url: null,
      lookup_key: null,
      lookup_priority: null,
      content_type: null,
      change_description: null,
      created_at: null,
      created_by_user_id: null,
      created_by_first_name: null,
      created_by_name: null,
      restricted_to_company_id: null,
      restricted_to_database: null,
      permission_id: null,
      permission_name: null,
      scope: null,
      is_changed: null,
      changed_by_user_id: null,
      changed_by_first_name: null,
      changed_by_name: null,
      is_pending_deployment: null,
      field_order: null,
    });
    await apply(applicationVersionChange());
    expect(await apply(change)).to.deep.equal([]);
    expect(await findByColumn()).to.deep.equal(columnsOf(change));
  });

  it('keeps the newest change, whatever the order and the batches of the events', async () => {
    const orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]]; // biome-ignore format: a table
    for (const [index, order] of orders.entries()) {
      for (const isOneBatch of [true, false]) {
        const application_version_id = 100 + 2 * index + Number(isOneBatch);
        const changes = order.map((at) =>
          applicationVersionChange({ application_version_id, changed_at: minute(at), name: `name ${at}` }),
        );
        if (isOneBatch) {
          await apply(...changes);
        } else {
          for (const change of changes) await apply(change);
        }
        expect(await find(application_version_id)).to.include({ changedAt: minute(2), name: 'name 2' });
      }
    }
  });

  it('keeps the first of two changes with the same instant, and reports other content as a conflict', async () => {
    const [first, second] = ['first', 'second'].map((name) => applicationVersionChange({ name }));
    if (first === undefined || second === undefined) throw new Error('two changes were made');
    expect(await apply(first, second, first)).to.deep.equal([
      { position: 1, outcome: 'conflict' },
      { position: 2, outcome: 'duplicate' },
    ]);
    expect(await apply(first)).to.deep.equal([{ position: 0, outcome: 'duplicate' }]);
    const { database: _, application_version_id: __, changed_at: ___, ...content } = first;
    const others = {
      ...Object.fromEntries(Object.keys(content).map((field) => [field, null])),
      application_id: 10_001,
      name: 'x',
      type: 'x',
    };
    for (const [field, value] of Object.entries(others)) {
      expect(await apply({ ...first, [field]: value }), field).to.deep.equal([
        { position: 0, outcome: 'conflict' },
      ]);
    }
    expect(Object.keys(others)).to.have.lengthOf(27);
    expect(await names()).to.deep.equal(['first']);
  });

  it('replaces a state of the far future, which versions before 1.1.0 accepted', async () => {
    await apply(applicationVersionChange({ name: 'frozen' }));
    await test.database.pool.query("UPDATE takt.application_versions SET changed_at = '2999-01-01'");
    expect(await apply(applicationVersionChange({ name: 'thawed' }))).to.deep.equal([]);
    expect(await names()).to.deep.equal(['thawed']);
  });

  it('reports stale changes and unknown companies by position, and applies the other changes', async () => {
    await apply(applicationVersionChange({ changed_at: minute(5), name: 'known' }));
    const outcome = await apply(
      applicationVersionChange({ database: 'NO-SUCH', application_version_id: 101, name: 'unknown' }),
      applicationVersionChange({ application_version_id: 102, name: 'third' }),
      applicationVersionChange({ changed_at: minute(4), name: 'older' }),
      applicationVersionChange({ application_version_id: 103, name: 'fourth' }),
    );
    expect(outcome).to.deep.equal([
      { position: 0, outcome: 'unknown-company' },
      { position: 2, outcome: 'stale' },
    ]);
    expect(await names()).to.deep.equal(['fourth', 'known', 'third']);
  });

  it('changes nothing for an empty batch', async () => {
    expect(await apply()).to.deep.equal([]);
    expect(await names()).to.deep.equal([]);
  });

  it('takes the company only from the field database, not from a company_id in the event', async () => {
    const { rows } = await test.database.pool.query<{ id: number }>(
      "SELECT company_id AS id FROM takt.companies WHERE code = 'TEM-SE'",
    );
    const forged = { ...applicationVersionChange(), company_id: rows[0]?.id };
    await apply(forged);
    expect(await find(100, 'TEM-SE')).to.equal(undefined);
    expect(await find(100)).not.to.equal(undefined);
  });

  it('changes no version of another company, even if both companies use the same numbers', async () => {
    await apply(applicationVersionChange(), applicationVersionChange({ database: 'TEM-SE' }));
    await apply(applicationVersionChange({ database: 'TEM-SE', changed_at: minute(1), name: 'other' }));
    expect((await find(100))?.name).to.equal('planner');
    expect((await find(100, 'TEM-SE'))?.name).to.equal('other');
  });

  /** Returns the only row of the table, without its company, as column names and values. */
  async function findByColumn(): Promise<Readonly<Record<string, unknown>>> {
    const row: Readonly<Record<string, unknown>> = (await find(100)) ?? {};
    const columns = Object.entries(getTableColumns(schema.applicationVersions));
    return Object.fromEntries(
      columns.filter(([key]) => key !== 'companyId').map(([key, column]) => [column.name, row[key]]),
    );
  }
});

function columnsOf({ database: _, ...columns }: ApplicationVersionChange): Readonly<Record<string, unknown>> {
  return columns;
}
