import type pg from 'pg';

export interface Company {
  readonly companyId: number;
  readonly code: string;
}

/** All companies by code, or the one named. Throws when that one is not registered. */
export async function readCompanies(
  connection: pg.Pool | pg.ClientBase,
  code?: string,
): Promise<readonly Company[]> {
  const { rows } = await connection.query<Company>(
    'SELECT company_id AS "companyId", code FROM takt.companies WHERE code = coalesce($1, code) ORDER BY code',
    [code ?? null],
  );
  if (code !== undefined && rows.length === 0) throw new Error(`company ${code} is not registered`);
  return rows;
}
