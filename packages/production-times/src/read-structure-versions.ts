import type pg from 'pg';
import type { PrunedTimes } from './describe-times.js';
import { FIGURES, type PrunedFigures, type ReportedTimes, type StoredFigures, TIMES } from './figures.js';

/** A structure version as ledger and figures know it. */
export interface StructureVersion {
  readonly id: bigint;
  readonly times: ReportedTimes;
  readonly pruned: PrunedFigures;
  /** Undefined where the figures' row is missing. */
  readonly stored: StoredFigures | undefined;
}

const NOTHING = { run: [], setup: [], cleanup: [] };

/**
 * All structure versions of a company that have completed operations, pruned ones or figures, by key. To be called inside
 * a transaction whose snapshot stays. Holds a page of rows and the times of one structure version at a time.
 */
export async function* readStructureVersions(
  connection: pg.ClientBase,
  companyId: number,
): AsyncGenerator<StructureVersion> {
  const groups = await openReader(readOperationGroups(connection, companyId));
  const prunings = await openReader(readPrunedFigures(connection, companyId));
  const rows = await openReader(readStoredFigures(connection, companyId));
  for (;;) {
    const id = lowest([groups.nextId(), prunings.nextId(), rows.nextId()]);
    if (id === undefined) return;
    const times = (await groups.take(id)) ?? NOTHING;
    const pruned = (await prunings.take(id)) ?? NOTHING;
    yield { id, times, pruned, stored: (await rows.take(id))?.figures };
  }
}

/** Items in the order of their ids, of which the next can be looked at. */
interface Reader<Item> {
  nextId(): bigint | undefined;
  /** The next, where it has this id. */
  take(id: bigint): Promise<Item | undefined>;
}

async function openReader<Item extends { readonly id: bigint }>(
  items: AsyncGenerator<Item, void>,
): Promise<Reader<Item>> {
  const read = async () => (await items.next()).value ?? undefined;
  let next = await read();
  return {
    nextId: () => next?.id,
    take: async (id) => {
      const first = next;
      if (first?.id !== id) return undefined;
      next = await read();
      return first;
    },
  };
}

function lowest(ids: readonly (bigint | undefined)[]): bigint | undefined {
  const [first, ...others] = ids.filter((id) => id !== undefined);
  return others.reduce((least, id) => (least === undefined || id < least ? id : least), first);
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
  for await (const rows of groupById(pages)) yield toGroup(rows);
}

/** Rows that come in the order of their ids, those of one id together. */
async function* groupById<Row extends { readonly id: string }>(
  pages: AsyncGenerator<readonly Row[]>,
): AsyncGenerator<readonly [Row, ...Row[]]> {
  let rowsOfOne: [Row, ...Row[]] | undefined;
  for await (const page of pages) {
    for (const row of page) {
      if (rowsOfOne?.[0].id === row.id) {
        rowsOfOne.push(row);
        continue;
      }
      if (rowsOfOne !== undefined) yield rowsOfOne;
      rowsOfOne = [row];
    }
  }
  if (rowsOfOne !== undefined) yield rowsOfOne;
}

function toGroup(rows: readonly [LedgerRow, ...LedgerRow[]]): OperationGroup {
  return {
    id: BigInt(rows[0].id),
    run: rows.map((row) => row.run),
    setup: rows.map((row) => row.setup).filter((time) => time !== null),
    cleanup: rows.map((row) => row.cleanup).filter((time) => time !== null),
  };
}

type PrunedRow = { readonly id: string } & Readonly<Record<(typeof TIMES)[number], PrunedTimes>>;

/** What is left of the pruned operations of a company, by key of the structure version. */
async function* readPrunedFigures(
  connection: pg.ClientBase,
  companyId: number,
): AsyncGenerator<PrunedFigures & { readonly id: bigint }> {
  const times = TIMES.map(
    (time) => `json_build_object('count', ${time}_time_count::text, 'sum', ${time}_time_sum::text,
      'sumOfSquares', ${time}_time_sum_of_squares::text,
      'shortest', shortest_${time}_time::text, 'longest', longest_${time}_time::text) AS ${time}`,
  );
  const pages = fetchPages<PrunedRow>(connection, {
    cursorName: 'audited_prunings',
    text: `SELECT product_structure_version_id AS id, ${times.join(', ')}
      FROM takt.pruned_figures
      WHERE company_id = $1
      ORDER BY product_structure_version_id`,
    values: [companyId],
  });
  for await (const months of groupById(pages)) {
    const reported = (time: (typeof TIMES)[number]) =>
      months.map((month) => month[time]).filter(({ count }) => count !== '0');
    yield {
      id: BigInt(months[0].id),
      ...{ run: reported('run'), setup: reported('setup'), cleanup: reported('cleanup') },
    };
  }
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
