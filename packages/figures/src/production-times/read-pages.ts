import type pg from 'pg';

interface Company {
  readonly companyId: number;
  readonly code: string;
}

/** Returns all companies sorted by code, or only the named company. Throws if the named company is not registered. */
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

const ROWS_PER_PAGE = 5_000;

/**
 * Fetches the rows of a query in pages, through a cursor. So the rows need not fit into memory, and they all come from
 * one snapshot. Call it inside a transaction. Several cursors may be open if their names differ.
 */
export async function* fetchPages<Row extends pg.QueryResultRow>(
  connection: pg.ClientBase,
  query: { readonly cursorName: string; readonly text: string; readonly values: readonly unknown[] },
): AsyncGenerator<readonly Row[]> {
  const cursor = connection.escapeIdentifier(query.cursorName);
  await connection.query(`DECLARE ${cursor} NO SCROLL CURSOR FOR ${query.text}`, [...query.values]);
  for (;;) {
    const { rows } = await connection.query<Row>(`FETCH ${ROWS_PER_PAGE} FROM ${cursor}`);
    if (rows.length > 0) yield rows;
    if (rows.length < ROWS_PER_PAGE) break;
  }
  await connection.query(`CLOSE ${cursor}`);
}
