import { askAboutCompanies, type Database } from '@takt/database';
import type { TimeUnit } from '@takt/texts';
import { readCompanies } from '../production-times/read-pages.js';
import { changeCompany } from './change-company.js';
import { findTimeZone, rebuildMonths } from './time-zones.js';

export interface Company {
  readonly companyId: number;
  /** Code of the company in events and in $db, e.g. TEM-NO. */
  readonly code: string;
  readonly name: string;
  readonly timeZone: string;
  /** In which pages show the time of an operation, unless the reader chooses another unit. */
  readonly timeUnit: TimeUnit;
  /** True if the company was created for the demo data of takt start. */
  readonly isDemo: boolean;
  readonly disabledAt: Date | null;
}

const CODE = /^[A-Z0-9][A-Z0-9-]{0,19}$/;

/** Returns true for 1 to 20 capital letters, digits and hyphens. */
export const isCompanyCode = (code: string): boolean => CODE.test(code);

export class CompanyCodeError extends Error {
  override readonly name = 'CompanyCodeError';
}

/**
 * Registers a company, so that its events are accepted from then on. Safe to repeat: an existing company keeps its name
 * and its time zone. Returns false if the company existed already. Throws a CompanyCodeError unless the code is 1 to 20
 * capital letters, digits and hyphens, and a TimeZoneError if the time zone is unknown.
 * @param isDemo true if the company is for the demo data of takt start
 */
export async function addCompany(
  database: Database,
  code: string,
  name: string,
  { isDemo = false, timeZone = 'UTC' }: { readonly isDemo?: boolean; readonly timeZone?: string } = {},
): Promise<boolean> {
  if (!isCompanyCode(code)) {
    throw new CompanyCodeError(
      `a company code is 1 to 20 capital letters, digits and hyphens, as in TEM-NO, not ${JSON.stringify(code)}`,
    );
  }
  const { pool } = database;
  const zone = timeZone === 'UTC' ? timeZone : await findTimeZone(pool, timeZone);
  const { rows } = await pool.query<{ companyId: number }>(
    `WITH added AS (
       INSERT INTO takt.companies (code, name, is_demo, time_zone) VALUES ($1, $2, $3, $4)
       ON CONFLICT (code) DO NOTHING RETURNING company_id, code, name, time_zone
     )
     SELECT company_id AS "companyId",
       takt.note_audit('company-added', 'company ' || code, jsonb_build_object('name', name, 'time_zone', time_zone))
     FROM added`,
    [code, name, isDemo, zone],
  );
  const [added] = rows;
  if (added !== undefined) await rebuildMonths(pool, added.companyId);
  return added !== undefined;
}

/** Renames a company. Pages show the new name at once. Throws if no company with the code is registered. */
export async function renameCompany(database: Database, code: string, name: string): Promise<void> {
  await changeCompany(database.pool, code, { name });
}

/** Sets the unit in which pages show times to readers who have chosen none. Throws if no company with the code is registered. */
export async function setTimeUnit(
  { pool }: Pick<Database, 'pool'>,
  code: string,
  timeUnit: TimeUnit,
): Promise<void> {
  await changeCompany(pool, code, { timeUnit });
}

/**
 * Disables or enables a company. Within 5 s after a company was disabled, no token can read it and its events are
 * rejected. Its figures stay as they are. Throws if no company with the code is registered.
 */
export async function disableCompany(
  { pool }: Pick<Database, 'pool'>,
  code: string,
  isDisabled: boolean,
): Promise<void> {
  await changeCompany(pool, code, { isDisabled });
}

export interface CompanyContents {
  readonly operations: number;
  readonly structureVersions: number;
  readonly people: number;
  readonly clients: number;
  readonly tokens: number;
}

/** Counts what goes with a company. Throws if no company with the code is registered. */
export async function countContents(
  { pool }: Pick<Database, 'pool'>,
  code: string,
): Promise<CompanyContents> {
  const [company] = await readCompanies(pool, code);
  const count = (table: string, more = '') =>
    `(SELECT count(*)::float8 FROM takt.${table} WHERE company_id = $1 ${more})`;
  const { rows } = await pool.query<CompanyContents>(
    `SELECT ${count('work_order_operations')} AS operations,
       ${count('product_structure_versions', 'AND changed_at IS NOT NULL')} AS "structureVersions",
       ${count('user_companies')} AS people, ${count('api_client_companies')} AS clients,
       ${count('access_token_companies')} AS tokens`,
    [company?.companyId],
  );
  return rows[0] ?? { operations: 0, structureVersions: 0, people: 0, clients: 0, tokens: 0 };
}

/**
 * Removes a company with everything that belongs to it. Its events are rejected from then on. Throws if no company with the
 * code is registered.
 */
export async function removeCompany({ pool }: Pick<Database, 'pool'>, code: string): Promise<void> {
  const [company] = await readCompanies(pool, code);
  await pool.query('SELECT takt.remove_company($1)', [company?.companyId]);
}

/** Returns all companies, sorted by code. */
export async function listCompanies({ pool }: Database): Promise<readonly Company[]> {
  const { rows } = await pool.query<Company>(
    `SELECT company_id AS "companyId", code, name, is_demo AS "isDemo", disabled_at AS "disabledAt", time_zone AS "timeZone",
       time_unit AS "timeUnit"
     FROM takt.companies ORDER BY code`,
  );
  return rows;
}

/**
 * Returns for each company, by its code, whether all its monthly figures use its time zone. A company is missing if its node in
 * a cluster is away.
 */
export async function findMonthsInTimeZone({ pool }: Database): Promise<ReadonlyMap<string, boolean>> {
  const { rows } = await askAboutCompanies<{ code: string; isDone: boolean }>(
    pool,
    `SELECT code, companies.time_zone = coalesce(months.time_zone, 'UTC') AND rebuilt_to IS NULL AS "isDone"
     FROM takt.companies LEFT JOIN takt.month_zones AS months
       ON months.company_id = companies.company_id AND months.company_id = ANY ($1)
     WHERE companies.company_id = ANY ($1)`,
  );
  return new Map(rows.map(({ code, isDone }) => [code, isDone]));
}
