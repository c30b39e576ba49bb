import type { Database } from '@takt/database';
import { type ModelRow, scaled } from './model-filter.js';
import { COMPANY } from './open-test-api.js';
import { errorMessageFields, filteredFields } from './queried-fields.js';

const TEXTS: ReadonlySet<string> = new Set([
  ...['ProductName', 'ProductStructureVersionName', 'Revision', 'ProductType'],
  ...['ProductKey', 'ProductStructureVersionKey'],
  ...['RunTimeVerdict', 'SetupTimeVerdict', 'CleanupTimeVerdict'],
  ...['Message', 'Namespace', 'Status'],
]);

/** Reads the listed structure versions of the company as plain values, independently of the pipeline. */
export function readProductionTimes(pool: Database['pool']): Promise<readonly ModelRow[]> {
  return readRows(pool, filteredFields, {
    key: 'product_structure_version_id',
    from: `takt.product_structure_versions WHERE changed_at IS NOT NULL AND company_id = ${COMPANY}`,
  });
}

export function readErrorMessages(pool: Database['pool']): Promise<readonly ModelRow[]> {
  return readRows(pool, errorMessageFields, { key: 'error_message_id', from: 'takt.error_messages' });
}

const MICROHOURS = /^(\w+_)?(run|setup|cleanup)_time$|_difference$|over_plan$|^takt\.mean_bound/;

/**
 * Returns the unit of the stored whole numbers of a column. Returns undefined if the API returns these numbers as
 * stored.
 */
function unitOf(column: string): string | undefined {
  if (MICROHOURS.test(column)) return '0.000001';
  return column.endsWith('_percent') ? '0.01' : undefined;
}

async function readRows(
  pool: Database['pool'],
  fields: Readonly<Record<string, string>>,
  { key, from }: { readonly key: string; readonly from: string },
): Promise<readonly ModelRow[]> {
  const columns = Object.entries(fields).map(([name, column]) => {
    const unit = unitOf(column);
    return `(${unit === undefined ? column : `${column} * ${unit}`})::text AS "${name}"`;
  });
  const { rows } = await pool.query<Readonly<Record<string, string | null>>>(
    `SELECT ${key}::text AS key, ${columns.join(', ')} FROM ${from} ORDER BY 1`,
  );
  return rows.map((row) => ({
    id: Number(row['key']),
    values: Object.fromEntries(
      Object.keys(fields).map((name) => {
        const text = row[name] ?? null;
        return [name, text === null || TEXTS.has(name) ? text : scaled(text)];
      }),
    ),
  }));
}
