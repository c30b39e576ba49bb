import type pg from 'pg';
import { FIGURES, type PrunedFigures, type ReportedTimes, type StoredFigures, TIMES } from './figures.js';
import {
  addUpMonths,
  MONTHLY_FIGURES,
  type MonthlySums,
  type PrunedMonth,
  type StoredMonth,
} from './monthly-figures.js';
import { COMPARISON_FIGURES, PLAN_COLUMNS } from './plan-comparison.js';
import { fetchPages, groupById, lowest, openReader } from './read-pages.js';

/** A structure version as ledger and figures know it. */
export interface StructureVersion {
  readonly id: bigint;
  readonly times: ReportedTimes;
  readonly pruned: PrunedFigures;
  /** Undefined where the figures' row is missing. */
  readonly stored: StoredFigures | undefined;
  readonly months: {
    readonly reported: ReadonlyMap<string, MonthlySums>;
    readonly pruned: readonly PrunedMonth[];
    readonly stored: readonly StoredMonth[];
  };
}

const NOTHING = { run: [], setup: [], cleanup: [], months: [] };

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
  const monthly = await openReader(readStoredMonths(connection, companyId));
  for (;;) {
    const id = lowest([groups.nextId(), prunings.nextId(), rows.nextId(), monthly.nextId()]);
    if (id === undefined) return;
    const group = await groups.take(id);
    const pruned = (await prunings.take(id)) ?? NOTHING;
    yield {
      ...{ id, times: group ?? NOTHING, pruned, stored: (await rows.take(id))?.figures },
      months: {
        reported: group?.months ?? new Map(),
        pruned: pruned.months,
        stored: (await monthly.take(id))?.months ?? [],
      },
    };
  }
}

/** What the completed operations of one structure version report; `run` has one value for each operation. */
interface OperationGroup extends ReportedTimes {
  readonly id: bigint;
  readonly months: ReadonlyMap<string, MonthlySums>;
}

interface LedgerRow {
  readonly id: string;
  readonly completedAt: string;
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
    text: `SELECT product_structure_version_id AS id, run_time AS run, setup_time AS setup, cleanup_time AS cleanup,
        ${inUtc('changed_at')} AS "completedAt"
      FROM takt.work_order_operations
      WHERE company_id = $1 AND product_structure_version_id IS NOT NULL
      ORDER BY product_structure_version_id`,
    values: [companyId],
  });
  for await (const rows of groupById(pages)) yield toGroup(rows);
}

function toGroup(rows: readonly [LedgerRow, ...LedgerRow[]]): OperationGroup {
  return {
    id: BigInt(rows[0].id),
    run: rows.map((row) => row.run),
    setup: rows.map((row) => row.setup).filter((time) => time !== null),
    cleanup: rows.map((row) => row.cleanup).filter((time) => time !== null),
    months: addUpMonths(rows),
  };
}

/** An instant as text: `2024-01-31T23:59:59.999999Z`. */
function inUtc(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
}

type PrunedRow = { readonly id: string } & PrunedMonth;

/** What is left of the pruned operations of a company, by key of the structure version. */
async function* readPrunedFigures(
  connection: pg.ClientBase,
  companyId: number,
): AsyncGenerator<PrunedFigures & { readonly id: bigint; readonly months: readonly PrunedMonth[] }> {
  const times = TIMES.map(
    (time) => `json_build_object('count', ${time}_time_count::text, 'sum', ${time}_time_sum::text,
      'sumOfSquares', ${time}_time_sum_of_squares::text,
      'shortest', shortest_${time}_time::text, 'longest', longest_${time}_time::text) AS ${time}`,
  );
  const pages = fetchPages<PrunedRow>(connection, {
    cursorName: 'audited_prunings',
    text: `SELECT product_structure_version_id AS id, to_char(month, 'YYYY-MM') AS month,
        ${inUtc('last_completed_at')} AS last, ${times.join(', ')}
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
      ...{ run: reported('run'), setup: reported('setup'), cleanup: reported('cleanup'), months },
    };
  }
}

/** Figures and plans of a company as they are stored, but in hours and percent, by key of the structure version. */
async function* readStoredFigures(
  connection: pg.ClientBase,
  companyId: number,
): AsyncGenerator<{ readonly id: bigint; readonly figures: StoredFigures }> {
  const figures = [
    ...FIGURES.map(({ column, isInMicrohours }) =>
      isInMicrohours ? `${column} * 0.000001 AS ${column}` : column,
    ),
    ...PLAN_COLUMNS.map((column) => `${column} * 0.000001 AS ${column}`),
    ...COMPARISON_FIGURES.map(({ column, unit }) => `${column} * ${unit} AS ${column}`),
  ];
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

/** All months of a company that have figures, by key of the structure version. */
async function* readStoredMonths(
  connection: pg.ClientBase,
  companyId: number,
): AsyncGenerator<{ readonly id: bigint; readonly months: readonly StoredMonth[] }> {
  const figures = MONTHLY_FIGURES.map(({ column, isInMicrohours }) => {
    const stored = isInMicrohours ? `${column} * 0.000001` : column;
    return `'${column}', (${stored})::text`;
  });
  const pages = fetchPages<StoredMonth & { readonly id: string }>(connection, {
    cursorName: 'audited_months',
    text: `SELECT product_structure_version_id AS id, to_char(month, 'YYYY-MM') AS month,
        ${inUtc('last_completed_at')} AS last, json_build_object(${figures.join(', ')}) AS figures
      FROM takt.monthly_figures
      WHERE company_id = $1
      ORDER BY product_structure_version_id, month`,
    values: [companyId],
  });
  for await (const months of groupById(pages)) yield { id: BigInt(months[0].id), months };
}
