import type { TimeUnit } from '@takt/texts';
import type pg from 'pg';
import { readCompanies } from '../production-times/read-pages.js';

type CompanyChange =
  | { readonly name: string }
  | { readonly timeZone: string }
  | { readonly timeUnit: TimeUnit }
  | { readonly isDisabled: boolean };

/**
 * Changes a company and writes the audit log. Returns the id of the company. Throws if no company with the code is
 * registered.
 */
export async function changeCompany(pool: pg.Pool, code: string, change: CompanyChange): Promise<number> {
  const [company] = await readCompanies(pool, code);
  const companyId = company?.companyId ?? 0;
  const { column, sql, values } = assignmentOf(change);
  await pool.query(
    `WITH changed AS (
       UPDATE takt.companies SET ${column} = ${sql} WHERE company_id = $1
       RETURNING company_id, code, old.${column} AS before, new.${column} AS after
     )
     SELECT takt.note_changes(ARRAY[company_id]), takt.note_audit('company-changed', 'company ' || code,
       jsonb_build_object('${column}', jsonb_build_object('from', before, 'to', after)))
     FROM changed WHERE before IS DISTINCT FROM after`,
    [companyId, ...values],
  );
  return companyId;
}

function assignmentOf(change: CompanyChange) {
  if ('name' in change) return { column: 'name', sql: '$2', values: [change.name] };
  if ('timeUnit' in change) return { column: 'time_unit', sql: '$2', values: [change.timeUnit] };
  if ('timeZone' in change) return { column: 'time_zone', sql: '$2', values: [change.timeZone] };
  // A repeated call keeps the time of the first call. The time comes from the clock of this process, because on a
  // cluster now() is not allowed in an expression.
  if (change.isDisabled) {
    return { column: 'disabled_at', sql: 'coalesce(disabled_at, $2)', values: [new Date()] };
  }
  return { column: 'disabled_at', sql: 'NULL', values: [] };
}
