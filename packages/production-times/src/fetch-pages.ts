import type pg from 'pg';

const ROWS_PER_PAGE = 5_000;

/**
 * The rows of a query page by page, through a cursor: more rows than fit into memory, all of one snapshot. To be
 * called inside a transaction; several may be open in it, under different names.
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
