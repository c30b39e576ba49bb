import { isCarriedBy, parseEvent } from '@takt/events';
import { applyReferenceData, type ReferenceDataEvent } from '@takt/figures/master-data';
import type { TestApi } from './test-api.js';

const FIRST_VERSION_ID = 1_001;

type Fields = Readonly<Record<string, unknown>>;

const CHANGED_AT = '2026-03-02T12:00:00Z';

function eventOf(type: string, data: Fields): object {
  return { specversion: '1.0', id: '1', source: '/acceptance', type, time: CHANGED_AT, data };
}

/** A structure version as the ERP tells of it. */
export function structureVersion(database: string, identifier: number, fields: Fields = {}): object {
  return eventOf('product-structure-version.changed.v1', {
    database,
    changedAt: CHANGED_AT,
    productStructureVersionId: identifier,
    status: 4,
    name: `Bracket ${identifier} - Milling`,
    version: 2,
    revision: 'B',
    product: {
      productId: 1_000 + identifier,
      status: 4,
      name: `Bracket ${identifier}`,
      type: 'K',
      description: 'Welded',
    },
    plannedProductionTimes: { runTime: '1.25', setupTime: '0.5', cleanupTime: null },
    ...fields,
  });
}

export const APPLICATION_ID = 10_001;
/** What the application versions below name. */
export const [USER_ID, COMPANY_ID, PERMISSION_ID] = [7, 1, 12];

/** An application version as the ERP tells of it, with every field. */
export function applicationVersion(database: string, identifier: number, fields: Fields = {}): object {
  return eventOf('application-version.changed.v1', {
    database,
    changedAt: CHANGED_AT,
    applicationVersionId: identifier,
    applicationId: APPLICATION_ID,
    status: 4,
    type: 'WIDGET',
    name: 'Work order board',
    descriptiveName: 'Board of work orders',
    description: 'Shows what is under way',
    namespace: 'production',
    masterUrl: 'https://apps.example/board',
    lookupKey: 'board',
    lookupPriority: 1,
    contentType: 'HTML5',
    changeDescription: 'First version',
    createdAt: '2026-01-02T03:04:05Z',
    createdBy: { userId: USER_ID, firstName: 'Kari', name: 'Nordmann' },
    restrictedToCompany: { companyId: COMPANY_ID, database },
    permission: { permissionId: PERMISSION_ID, name: 'Production' },
    scope: 'GLOBAL',
    isChanged: false,
    changedBy: { userId: 8, firstName: 'Ola', name: 'Nordmann' },
    isPendingDeployment: true,
    customFieldOrder: { fieldOrder: '{"fields":["name","status"]}' },
    ...fields,
  });
}

/** Reads the events as a worker does and takes their effect; throws where one is refused or has none. */
export async function storeMasterData(
  { database }: Pick<TestApi, 'database'>,
  events: readonly object[],
): Promise<void> {
  const outcomes = await applyReferenceData(database.pool, events.map(parseMasterData));
  if (outcomes.size > 0) throw new Error(`without effect: ${[...outcomes.values()].join()}`);
}

function parseMasterData(value: object): ReferenceDataEvent {
  const result = parseEvent(value);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const { event } = result;
  if (isCarriedBy('reference-data', event)) return event;
  throw new Error(`no master data: ${event.type}`);
}

const [SAMPLES, MONTHS, OPERATIONS] = [12, 14, 20];

/** More than a page of everything that is served of a company: the smallest identifiers are 1, 1,001 and those above. */
export async function storeSamples(service: Pick<TestApi, 'database'>, companies: readonly string[]) {
  const numbers = Array.from({ length: SAMPLES }, (_, index) => index);
  await storeMasterData(
    service,
    companies.flatMap((company) => [
      ...numbers.map((number) => structureVersion(company, 1 + number)),
      ...numbers.map((number) => applicationVersion(company, FIRST_VERSION_ID + number)),
      ...numbers
        .slice(1)
        .map((number) =>
          applicationVersion(company, 2_000 + number, { applicationId: APPLICATION_ID + number }),
        ),
    ]),
  );
  await service.database.pool.query(
    `INSERT INTO takt.monthly_figures (company_id, product_structure_version_id, month, number_of_completed_operations,
       run_time_sum, run_time_sum_of_squares, shortest_run_time, longest_run_time, last_completed_at)
     SELECT company_id, 1, month, 2, 3, 5, 1000000, 2000000, month + interval '20 days'
     FROM takt.companies, generate_series(date '2025-01-01', date '2025-01-01' + $1 * interval '1 month', '1 month') AS month
     WHERE code = ANY ($2)`,
    [MONTHS - 1, companies],
  );
  await service.database.pool.query(
    `INSERT INTO takt.work_order_operations (company_id, work_order_operation_id, revision, product_structure_version_id,
       work_order_id, changed_at, run_time, setup_time, cleanup_time)
     SELECT company_id, number, 1, 1, 100 + number, date '2025-01-01' + number * interval '1 day', 2 + number * 0.05, 0.5, 0.25
     FROM takt.companies, generate_series(1, $1) AS number WHERE code = ANY ($2)`,
    [OPERATIONS, companies],
  );
  await service.database.pool.query(
    `INSERT INTO takt.saved_views (company_id, pid, name, path, query, is_shared)
     SELECT company_id, 1, 'View ' || number, '/product/products', '$top=3', true
     FROM takt.companies, generate_series(1, $1) AS number WHERE code = ANY ($2)`,
    [SAMPLES, companies],
  );
  // Twenty operations of 2 h each, where 1.25 h are planned.
  await service.database.pool.query(
    `UPDATE takt.product_structure_versions SET number_of_completed_operations = 20, run_time_sum = 40,
       run_time_sum_of_squares = 80, shortest_run_time = 2000000, longest_run_time = 2000000
     FROM takt.companies WHERE companies.company_id = product_structure_versions.company_id AND code = ANY ($1)`,
    [companies],
  );
  await service.database.pool.query('SELECT takt.note_changes_by_hand()');
}
