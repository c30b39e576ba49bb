import { parseEvent } from '@takt/events';
import { isCarriedBy } from '@takt/events/internal';
import { applyReferenceData, type ReferenceDataEvent } from '@takt/figures/master-data';
import {
  applicationVersion as sampleApplicationVersion,
  structureVersion as sampleStructureVersion,
} from '@takt/test-support';
import type { TestApi } from './test-api.js';

const FIRST_VERSION_ID = 1_001;

type Fields = Readonly<Record<string, unknown>>;

const CHANGED_AT = '2026-03-02T12:00:00Z';

/** Returns an event about a structure version of a company, as the ERP sends it. */
export const structureVersion = (database: string, identifier: number, fields: Fields = {}) =>
  sampleStructureVersion(identifier, { database, changedAt: CHANGED_AT, ...fields });

/** Returns an event about an application version of a company. The event has every field. */
export const applicationVersion = (database: string, identifier: number, fields: Fields = {}) =>
  sampleApplicationVersion(identifier, { database, changedAt: CHANGED_AT, ...fields });

export const APPLICATION_ID = 10_001;
/** Identifiers of the user, the company and the permission in the events about application versions. */
export const [USER_ID, COMPANY_ID, PERMISSION_ID] = [7, 1, 12];

/** Parses and applies the events as a worker does. Throws if an event is rejected or has no effect. */
export async function storeMasterData(
  { database }: Pick<TestApi, 'database'>,
  events: readonly object[],
): Promise<void> {
  const outcomes = await applyReferenceData(database.pool, events.map(parseMasterData));
  if (outcomes.size > 0) throw new Error(`without effect: ${JSON.stringify([...outcomes.values()])}`);
}

function parseMasterData(value: object): ReferenceDataEvent {
  const result = parseEvent(value);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  const { event } = result;
  if (isCarriedBy('reference-data', event)) return event;
  throw new Error(`no master data: ${event.type}`);
}

/** Stores completed operations of structure version 1, with the numbers 1 to `count`, for each company. */
export async function storeOperations(
  service: Pick<TestApi, 'database'>,
  companies: readonly string[],
  count: number,
): Promise<void> {
  await service.database.pool.query(
    `INSERT INTO takt.work_order_operations (company_id, work_order_operation_id, revision, product_structure_version_id,
       work_order_id, changed_at, run_time, setup_time, cleanup_time)
     SELECT company_id, number, 1, 1, 100 + number, date '2025-01-01' + number * interval '1 day', 2 + number * 0.05, 0.5, 0.25
     FROM takt.companies, generate_series(1, $1) AS number WHERE code = ANY ($2)`,
    [count, companies],
  );
}

const [SAMPLES, MONTHS, OPERATIONS] = [12, 14, 20];

/**
 * Stores more than one page of every resource for each company. The smallest identifiers are 1 for structure versions
 * and 1,001 for application versions.
 */
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
  await storeOperations(service, companies, OPERATIONS);
  await service.database.pool.query(
    `INSERT INTO takt.saved_views (company_id, pid, name, path, query, is_shared)
     SELECT company_id, 1, 'View ' || number, '/product/products', '$top=3', true
     FROM takt.companies, generate_series(1, $1) AS number WHERE code = ANY ($2)`,
    [SAMPLES, companies],
  );
  // Stores the figures of twenty operations of 2 h each. The plan is 1.25 h.
  await service.database.pool.query(
    `UPDATE takt.product_structure_versions SET number_of_completed_operations = 20, run_time_sum = 40,
       run_time_sum_of_squares = 80, shortest_run_time = 2000000, longest_run_time = 2000000
     FROM takt.companies WHERE companies.company_id = product_structure_versions.company_id AND code = ANY ($1)`,
    [companies],
  );
  await service.database.pool.query('SELECT takt.note_changes_by_hand()');
}
