import type pg from 'pg';
import {
  COMPARISON_FIGURES,
  FIGURES,
  PLAN_COLUMNS,
  type PrunedFigures,
  type ReportedTimes,
  type StoredFigures,
  TIMES,
} from './figures.js';
import {
  addUpMonths,
  MONTHLY_FIGURES,
  type MonthlySums,
  type PrunedMonth,
  type ReportedOperation,
  type StoredMonth,
} from './monthly-figures.js';
import { fetchPages } from './read-pages.js';

export interface StructureVersion {
  readonly id: bigint;
  readonly times: ReportedTimes;
  readonly pruned: PrunedFigures;
  /** The stored figures. Undefined if the structure version has no row of figures. */
  readonly stored: StoredFigures | undefined;
  readonly months: {
    readonly reported: ReadonlyMap<string, MonthlySums>;
    readonly pruned: readonly PrunedMonth[];
    readonly stored: readonly StoredMonth[];
  };
}

/**
 * Reads all structure versions of a company that have completed operations, pruned operations or figures, sorted by
 * key. Call it inside a transaction that reads one snapshot. Only a page of rows and the times of one structure version
 * are kept in memory.
 */
export async function* readStructureVersions(
  connection: pg.ClientBase,
  companyId: number,
): AsyncGenerator<StructureVersion> {
  const open = <Row extends object>(table: string, columns: readonly string[], condition = '') =>
    openReader<Row>(connection, {
      cursorName: `audited_${table}`,
      text: `SELECT product_structure_version_id AS id, ${columns.join(', ')} FROM takt.${table}
        WHERE company_id = $1 ${condition} ORDER BY product_structure_version_id`,
      values: [companyId],
    });
  const operations = await open<ReportedOperation & { readonly run: string }>(
    'work_order_operations',
    [...OPERATION_COLUMNS, await monthColumn(connection, companyId)],
    'AND product_structure_version_id IS NOT NULL',
  );
  const prunings = await open<PrunedMonth>('pruned_figures', PRUNED_COLUMNS);
  const figures = await open<StoredFigures>('product_structure_versions', FIGURE_COLUMNS);
  const months = await open<StoredMonth>('monthly_figures', MONTH_COLUMNS);
  for (;;) {
    const id = lowest([operations, prunings, figures, months].map(({ nextId }) => nextId()));
    if (id === undefined) return;
    const reported = await operations.take(id);
    const pruned = await prunings.take(id);
    const [stored] = await figures.take(id);
    const timesOf = (time: 'setup' | 'cleanup') =>
      reported.map((operation) => operation[time]).filter((hours) => hours !== null);
    const prunedOf = (time: (typeof TIMES)[number]) =>
      pruned.map((month) => month[time]).filter(({ count }) => count !== '0');
    yield {
      id,
      times: {
        run: reported.map(({ run }) => run),
        setup: timesOf('setup'),
        cleanup: timesOf('cleanup'),
      },
      pruned: { run: prunedOf('run'), setup: prunedOf('setup'), cleanup: prunedOf('cleanup') },
      stored,
      months: { reported: addUpMonths(reported), pruned, stored: await months.take(id) },
    };
  }
}

/** Returns SQL for an instant as text, such as `2024-01-31T23:59:59.999999Z`. */
function inUtc(column: string, name: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS "${name}"`;
}

const OPERATION_COLUMNS = [
  ...TIMES.map((time) => `${time}_time AS ${time}`),
  inUtc('changed_at', 'completedAt'),
];

/**
 * Returns SQL for the month of an operation, by PostgreSQL's rules, in the time zone that the months of its structure
 * version use.
 */
async function monthColumn(connection: pg.ClientBase, companyId: number): Promise<string> {
  const { rows } = await connection.query<{ zone: string; before: string | null; rebuiltTo: string | null }>(
    `SELECT time_zone AS zone, time_zone_before AS before, rebuilt_to AS "rebuiltTo"
     FROM takt.month_zones WHERE company_id = $1`,
    [companyId],
  );
  const { zone = 'UTC', before = null, rebuiltTo = null } = rows[0] ?? {};
  const inZone = (name: string) => `changed_at AT TIME ZONE ${connection.escapeLiteral(name)}`;
  const local =
    before === null || rebuiltTo === null
      ? inZone(zone)
      : `CASE WHEN product_structure_version_id > ${BigInt(rebuiltTo)} THEN ${inZone(before)} ELSE ${inZone(zone)} END`;
  return monthText(local);
}

/** Returns SQL for a month as text: `2024-01`, and `0001-12 BC` before the year 1, so that two months never look alike. */
const monthText = (column: string) => `replace(to_char(${column}, 'YYYY-MM BC'), ' AD', '') AS month`;

const MONTH = [monthText('month'), inUtc('last_completed_at', 'last')];

const PRUNED_COLUMNS = [
  ...MONTH,
  ...TIMES.map(
    (time) => `json_build_object('count', ${time}_time_count::text, 'sum', ${time}_time_sum::text,
      'sumOfSquares', ${time}_time_sum_of_squares::text,
      'shortest', shortest_${time}_time::text, 'longest', longest_${time}_time::text) AS ${time}`,
  ),
];

/** SQL columns for figures and plans, in hours and percent. */
const FIGURE_COLUMNS = [
  ...FIGURES.map(({ column, isInMicrohours }) =>
    isInMicrohours ? `${column} * 0.000001 AS ${column}` : column,
  ),
  ...PLAN_COLUMNS.map((column) => `${column} * 0.000001 AS ${column}`),
  ...COMPARISON_FIGURES.map(({ column, unit }) => `${column} * ${unit} AS ${column}`),
];

const MONTH_COLUMNS = [
  ...MONTH,
  `json_build_object(${MONTHLY_FIGURES.map(
    ({ column, isInMicrohours }) =>
      `'${column}', (${isInMicrohours ? `${column} * 0.000001` : column})::text`,
  ).join(', ')}) AS figures`,
];

/** Reads rows by ascending id. */
interface Reader<Row> {
  nextId(): bigint | undefined;
  /** Returns the next rows that have this id; the list is empty if there are none. */
  take(id: bigint): Promise<readonly Row[]>;
}

async function openReader<Row extends object>(
  connection: pg.ClientBase,
  query: Parameters<typeof fetchPages>[1],
): Promise<Reader<Row>> {
  type Identified = Row & { readonly id: string };
  const pages = fetchPages<Identified>(connection, query);
  let page: readonly Identified[] = [];
  let position = 0;
  const readMore = async () => {
    page = (await pages.next()).value ?? [];
    position = 0;
  };
  await readMore();
  return {
    nextId: () => {
      const next = page[position];
      return next === undefined ? undefined : BigInt(next.id);
    },
    take: async (id) => {
      const rows: Row[] = [];
      for (let row = page[position]; row?.id === String(id); row = page[position]) {
        rows.push(row);
        position += 1;
        if (position === page.length) await readMore();
      }
      return rows;
    },
  };
}

function lowest(ids: readonly (bigint | undefined)[]): bigint | undefined {
  const [first, ...others] = ids.filter((id) => id !== undefined);
  return others.reduce((least, id) => (least === undefined || id < least ? id : least), first);
}
