import type { Database } from '@takt/database';

export interface Company {
  readonly companyId: number;
  /** What events and $db call it, e.g. TEM-NO. */
  readonly code: string;
  readonly name: string;
  /** Made for the demo data of takt start. */
  readonly isDemo: boolean;
}

const CODE = /^[A-Z0-9][A-Z0-9-]{0,19}$/;

export class CompanyCodeError extends Error {
  override readonly name = 'CompanyCodeError';
}

/**
 * Registers a company; events that name it are taken from then on. Safe to repeat: an existing code keeps its
 * company and name. Gives false where the company was there already. Throws a CompanyCodeError for a code that is
 * not 1 to 20 capital letters, digits and hyphens. `isDemo`: it is made for the demo data of takt start.
 */
export async function addCompany(
  database: Database,
  code: string,
  name: string,
  { isDemo = false }: { readonly isDemo?: boolean } = {},
): Promise<boolean> {
  if (!CODE.test(code)) {
    throw new CompanyCodeError(
      `a company code is 1 to 20 capital letters, digits and hyphens, as in TEM-NO, not ${JSON.stringify(code)}`,
    );
  }
  const { rowCount } = await database.pool.query(
    'INSERT INTO takt.companies (code, name, is_demo) VALUES ($1, $2, $3) ON CONFLICT (code) DO NOTHING',
    [code, name, isDemo],
  );
  return rowCount === 1;
}

/** All companies by code. */
export async function listCompanies({ pool }: Database): Promise<readonly Company[]> {
  const { rows } = await pool.query<Company>(
    'SELECT company_id AS "companyId", code, name, is_demo AS "isDemo" FROM takt.companies ORDER BY code',
  );
  return rows;
}
