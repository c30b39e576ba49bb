import { createAccessToken } from '@takt/access';
import { synchroniseServedTexts } from '@takt/catalogue/served-texts';
import { migrate, readFunctions, readMigrations } from '@takt/database';
import { type AppProcess, createTestDatabase, startApp, type TestDatabase } from '@takt/database/testing';
import {
  applyWorkOrderOperationEvents,
  auditProductionTimes,
  rebuildProductionTimes,
  type WorkOrderOperationEvent,
} from '@takt/figures';
import { randomFrom, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import { LIST } from './support/production-times.js';
import { plain, type ServedFigures, servedFiguresOf } from './support/served-figures.js';
import { type ApiClient, openApiClient, TOKEN_LIFETIME_MS } from './support/test-api.js';

/** Number of the last migration that stores times in hours. The next migration converts them to whole microhours. */
const LAST_IN_HOURS = 7;
const COMPANY = 'TEM-NO';
/** Number of structure versions. All of them fit on one page of the list. */
const VERSIONS = 60;
const OPERATIONS = 400;
const KINDS = ['run', 'setup', 'cleanup'] as const;
const HOURS = [
  '0',
  '0.000001',
  '0.000002',
  '0.333333',
  '1.5',
  '1.500001',
  '12.25',
  '999999.999999',
  '1000000',
];
/**
 * Functions that wrote hours. The old tables need these functions before the migration. Functions for later tables
 * cannot be created yet.
 */
const WRITE_HOURS = ['apply_product_structure_version_changes', 'rebuild_production_times'];
const WRITE_FIGURES = [...WRITE_HOURS, 'count_listed'];
const seed = testSeed();

describe(`a database after the migration from hours to microhours (seed ${seed})`, function () {
  this.timeout(180_000);
  let test: TestDatabase;
  let api: AppProcess;
  let client: ApiClient;
  let inHours: Readonly<Record<string, StoredTimes>>;
  let changed: readonly string[];

  before(async () => {
    test = await createTestDatabase({ migrated: false });
    const migrations = (await readMigrations()).slice(0, LAST_IN_HOURS);
    const functions = (await readFunctions()).filter(({ name }) => WRITE_FIGURES.includes(name));
    await migrate(test.url, { migrations, functions });
    await fillInHours(test);
    inHours = await readTimes(test, (column) => column);
    changed = (await migrate(test.url, { synchronise: synchroniseServedTexts })).functions;
    const { token } = await createAccessToken(test.database, {
      companyCodes: [COMPANY],
      expiresInMs: TOKEN_LIFETIME_MS,
    });
    api = await startApp('api', { databaseUrl: test.url });
    client = openApiClient(api, token);
  });
  after(async () => {
    client?.close();
    await api?.stop();
    await test?.close();
  });

  it('has all its previous planned and actual times, and no other times', async () => {
    expect(Object.keys(inHours)).to.have.lengthOf(VERSIONS);
    expect(await readTimes(test, (column) => `${column} * 0.000001`)).to.deep.equal(inHours);
    const stored = await readTimes(test, (column) => column);
    expect(JSON.stringify(stored), 'whole numbers').not.to.include('.');
  });

  it('has new versions of the functions that wrote times in hours', () => {
    expect(changed).to.include.members(WRITE_HOURS);
  });

  it('returns the same figures as before, in JSON and XML', async () => {
    const figures = Object.fromEntries(
      Object.entries(inHours).map(([id, { figures }]) => [id, plain(figures)]),
    );
    for (const format of ['json', 'xml'] as const) {
      const { text } = await client.get(`${LIST}?$format=${format}&$top=80`);
      const served = servedFiguresOf(format, text);
      expect(Object.fromEntries(served)).to.deep.equal(figures);
    }
    const { text } = await client.get(
      `${LIST}?$select=PlannedProductionTimes,ProductStructureVersionId&$top=80`,
    );
    const planned = [...text.matchAll(/"(?:run|setup|cleanup)Time":([^,}]+)/g)].map(([, hours]) => hours);
    expect(planned).to.deep.equal(
      Object.values(inHours).flatMap((times) => times.planned.map((hours) => trimmed(hours) ?? 'null')),
    );
  });

  it('can be filtered and ordered by hours, as before', async () => {
    for (const [filter, holds] of [
      ['RunTime gt 1.5', (hours: number) => hours > 1.5],
      ['RunTime le 0.0000015', (hours: number) => hours <= 0.0000015],
      ['RunTime in (12.25,0.333333)', (hours: number) => [12.25, 0.333333].includes(hours)],
    ] as const) {
      const target = `${LIST}?$select=RunTime&$top=80&$orderby=RunTime&$filter=${encodeURIComponent(filter)}`;
      const { text } = await client.get(target);
      const found = [...text.matchAll(/"runTime":([^,}]+)/g)].map(([, hours]) => Number(hours));
      const expected = Object.values(inHours).flatMap(({ planned: [run] }) =>
        run === null ? [] : [Number(run)],
      );
      expect(found, filter).to.deep.equal(expected.filter(holds).sort((one, other) => one - other));
    }
  });

  it('passes the audit, even after operations are added and reopened', async () => {
    const { pool } = test.database;
    const audit = async () => (await auditProductionTimes(pool)).differences;
    expect(await audit()).to.deep.equal([]);
    expect((await rebuildProductionTimes(pool)).repaired).to.deep.equal([]);
    const changes = Array.from({ length: OPERATIONS }, (_, index): WorkOrderOperationEvent => {
      const identity = { database: COMPANY, workOrderOperationId: index + 1, revision: 2 };
      const at = '2026-03-02T12:00:00Z';
      if (index % 3 === 0) return { ...identity, type: 'work-order-operation.reopened.v1', reopenedAt: at };
      return {
        ...{ ...identity, type: 'work-order-operation.completed.v1', completedAt: at },
        ...{ productStructureVersionId: 1 + (index % VERSIONS), workOrderId: null },
        ...{ runTime: '0.000001', setupTime: '1000000.000000', cleanupTime: null },
      };
    });
    await applyWorkOrderOperationEvents(pool, changes);
    expect(await audit()).to.deep.equal([]);
    expect((await rebuildProductionTimes(pool)).repaired).to.deep.equal([]);
  });
});

/** Stored times of a structure version as text, in hours or in the unit of the column. A missing time is null. */
interface StoredTimes {
  readonly planned: readonly (string | null)[];
  readonly figures: ServedFigures;
}

/**
 * Returns the stored times of each structure version by its key. `read` returns the SQL that converts a column of
 * times.
 */
async function readTimes(
  { database: { pool } }: TestDatabase,
  read: (column: string) => string,
): Promise<Readonly<Record<string, StoredTimes>>> {
  const text = (column: string) => `(${read(column)})::text`;
  const figures = KINDS.map((kind) => {
    const parts = ['average', 'shortest', 'longest', 'deviation'];
    return `'${kind}', json_build_object(${parts.map((part) => `'${part}', ${text(`${part}_${kind}_time`)}`).join(', ')})`;
  });
  const { rows } = await pool.query<StoredTimes & { readonly id: string }>(
    `SELECT product_structure_version_id AS id,
       json_build_array(${KINDS.map((kind) => text(`${kind}_time`)).join(', ')}) AS planned,
       json_build_object('numberOfCompletedProductionWorkOrders', number_of_completed_operations,
         ${figures.join(', ')}) AS figures
     FROM takt.product_structure_versions ORDER BY product_structure_version_id`,
  );
  return Object.fromEntries(rows.map(({ id, ...times }) => [id, times]));
}

const trimmed = (hours: string | null) => hours?.replace(/\.?0+$/, '') ?? null;

/**
 * Inserts operations and their sums as the previous version stored them. Some structure versions have no operations.
 */
async function fillInHours({ database: { pool } }: TestDatabase): Promise<void> {
  const random = randomFrom(seed);
  const anyHours = () => (random.below(4) === 0 ? null : random.pick(HOURS));
  await pool.query(`INSERT INTO takt.companies (code, name) VALUES ('${COMPANY}', 'Tempus')`);
  await pool.query(`
    INSERT INTO takt.products (company_id, product_id, status, name, type, description, changed_at)
    VALUES (1, 1, 4, 'Frame', 'K', '', now())`);
  const operations = Array.from({ length: OPERATIONS }, (_, index) => ({
    ...{ company_id: 1, work_order_operation_id: index + 1, revision: 1, changed_at: '2026-03-01T12:00:00Z' },
    ...{ product_structure_version_id: 1 + random.below(VERSIONS - 5), run_time: random.pick(HOURS) },
    ...{ setup_time: anyHours(), cleanup_time: anyHours() },
  }));
  await pool.query(
    `INSERT INTO takt.work_order_operations
     SELECT * FROM json_populate_recordset(NULL::takt.work_order_operations, $1)`,
    [JSON.stringify(operations)],
  );
  const planned = Array.from({ length: VERSIONS }, (_, index) => ({
    product_structure_version_id: index + 1,
    ...{
      run_time: anyHours(),
      setup_time: anyHours(),
      cleanup_time: index === 0 ? '9999999.999999' : anyHours(),
    },
  }));
  const sums = KINDS.map((kind) => {
    const time = `operation.${kind}_time`;
    return `coalesce(sum(${time}), 0), coalesce(sum(${time} * ${time}), 0), min(${time}), max(${time})`;
  });
  const columns = KINDS.map(
    (kind) => `${kind}_time_sum, ${kind}_time_sum_of_squares, shortest_${kind}_time, longest_${kind}_time`,
  );
  await pool.query(
    `INSERT INTO takt.product_structure_versions (company_id, product_structure_version_id, changed_at, name,
       product_id, product_name, run_time, setup_time, cleanup_time,
       number_of_completed_operations, setup_time_count, cleanup_time_count, ${columns.join(', ')})
     SELECT 1, product_structure_version_id, now(), 'Step', 1, 'Frame', planned.run_time, planned.setup_time, planned.cleanup_time,
       count(operation.run_time), count(operation.setup_time), count(operation.cleanup_time), ${sums.join(', ')}
     FROM json_populate_recordset(NULL::takt.product_structure_versions, $1) AS planned
     LEFT JOIN takt.work_order_operations operation USING (product_structure_version_id)
     GROUP BY product_structure_version_id, planned.run_time, planned.setup_time, planned.cleanup_time`,
    [JSON.stringify(planned)],
  );
}
