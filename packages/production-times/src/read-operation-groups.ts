import type pg from 'pg';
import { fetchPages } from './fetch-pages.js';
import type { ReportedTimes } from './figures.js';

/** What the completed operations of one structure version report; `run` has one value for each operation. */
export interface OperationGroup extends ReportedTimes {
  readonly id: bigint;
}

interface LedgerRow {
  readonly id: string;
  readonly run: string;
  readonly setup: string | null;
  readonly cleanup: string | null;
}

/** The completed operations of a company, grouped by structure version, by key. */
export async function* readOperationGroups(
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
