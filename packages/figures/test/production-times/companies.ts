import type pg from 'pg';

/** Registers a new company and returns its code, so that tests with different companies can share a database. */
export async function registerCompany(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ code: string }>(
    `INSERT INTO takt.companies (code, name)
     SELECT 'TEST-' || count(*) + 1, 'Test company' FROM takt.companies RETURNING code`,
  );
  const code = rows[0]?.code;
  if (code === undefined) throw new Error('no company was registered');
  return code;
}
