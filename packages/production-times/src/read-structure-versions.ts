import type pg from 'pg';
import { FIGURES, type ReportedTimes, type StoredFigures } from './figures.js';

/** A structure version as ledger and figures know it. */
export interface StructureVersion {
  readonly id: bigint;
  readonly times: ReportedTimes;
  /** Undefined where the figures' row is missing. */
  readonly stored: StoredFigures | undefined;
}

const NOTHING_REPORTED: ReportedTimes = { run: [], setup: [], cleanup: [] };

/**
 * All structure versions of a company that have completed operations, figures or both, by key. To be called inside
 * a transaction whose snapshot stays. Holds a page of rows and the times of one structure version at a time.
 */
export async function* readStructureVersions(
  connection: pg.ClientBase,
  companyId: number,
): AsyncGenerator<StructureVersion> {
  const groups = readOperationGroups(connection, companyId);
  const rows = readStoredFigures(connection, companyId);
  let group = await nextOf(groups);
  let row = await nextOf(rows);
  for (;;) {
    const id = lowest(group?.id, row?.id);
    if (id === undefined) return;
    const ofGroup = group?.id === id ? group : undefined;
    const ofRow = row?.id === id ? row : undefined;
    yield { id, times: ofGroup ?? NOTHING_REPORTED, stored: ofRow?.figures };
    if (ofGroup !== undefined) group = await nextOf(groups);
    if (ofRow !== undefined) row = await nextOf(rows);
  }
}

async function nextOf<Item>(items: AsyncGenerator<Item, void>): Promise<Item | undefined> {
  const result = await items.next();
  return result.done === true ? undefined : result.value;
}

function lowest(left: bigint | undefined, right: bigint | undefined): bigint | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return left < right ? left : right;
}

/** What the completed operations of one structure version report; `run` has one value for each operation. */
interface OperationGroup extends ReportedTimes {
  readonly id: bigint;
}

interface LedgerRow {
  readonly id: string;
  readonly run: string;
  readonly setup: string | null;
  readonly cleanup: string | null;
}

/** The completed operations of a company, grouped by structure version, by key. */
async function* readOperationGroups(
  connection: pg.ClientBase,
  companyId: number,
): AsyncGenerator<OperationGroup> {
  const pages = fetchPages<LedgerRow>(connection, {
    cursorName: 'audited_operations',
    text: `SELECT product_structure_version_id AS id, run_time AS run, setup_time AS setup, cleanup_time AS cleanup
      FROM takt.work_order_operations
      WHERE company_id = $1 AND product_structure_version_id IS NOT NULL
      ORDER BY product_structure_version_id`,
    values: [companyId],
  });
  let rowsOfOne: LedgerRow[] = [];
  for await (const page of pages) {
    for (const row of page) {
      if (rowsOfOne[0] !== undefined && rowsOfOne[0].id !== row.id) {
        yield toGroup(rowsOfOne[0].id, rowsOfOne);
        rowsOfOne = [];
      }
      rowsOfOne.push(row);
    }
  }
  if (rowsOfOne[0] !== undefined) yield toGroup(rowsOfOne[0].id, rowsOfOne);
}

function toGroup(id: string, rows: readonly LedgerRow[]): OperationGroup {
  return {
    id: BigInt(id),
    run: rows.map((row) => row.run),
    setup: rows.map((row) => row.setup).filter((time) => time !== null),
    cleanup: rows.map((row) => row.cleanup).filter((time) => time !== null),
  };
}

/** The figures of a company as they are stored, but in hours, by key of the structure version. */
async function* readStoredFigures(
  connection: pg.ClientBase,
  companyId: number,
): AsyncGenerator<{ readonly id: bigint; readonly figures: StoredFigures }> {
  const figures = FIGURES.map(({ column, isInMicrohours }) =>
    isInMicrohours ? `${column} * 0.000001 AS ${column}` : column,
  );
  const pages = fetchPages<StoredFigures & { readonly id: string }>(connection, {
    cursorName: 'audited_figures',
    text: `SELECT product_structure_version_id AS id, ${figures.join(', ')}
      FROM takt.product_structure_versions
      WHERE company_id = $1
      ORDER BY product_structure_version_id`,
    values: [companyId],
  });
  for await (const page of pages) {
    for (const { id, ...figures } of page) yield { id: BigInt(id), figures };
  }
}

const ROWS_PER_PAGE = 5_000;

/**
 * The rows of a query page by page, through a cursor: more rows than fit into memory, all of one snapshot. To be
 * called inside a transaction; several may be open in it, under different names.
 */
async function* fetchPages<Row extends pg.QueryResultRow>(
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
