import type { Database } from '@takt/database';
import { COMPANY } from './open-test-api.js';

type Pool = Database['pool'];

/** Hours by kind of time: either the planned hours, or a list with the hours of each completed operation. */
export interface ByKind<Hours> {
  readonly run?: Hours;
  readonly setup?: Hours;
  readonly cleanup?: Hours;
}

/** A structure version to insert. Missing values get plain defaults, but missing times stay missing in the row. */
export interface StructureVersion {
  readonly id: number;
  /** The key of the structure version. Either all structure versions of a company have keys or none; products are alike. */
  readonly key?: string;
  readonly productKey?: string;
  readonly companyId?: number;
  readonly isListed?: boolean;
  readonly status?: number;
  readonly name?: string;
  readonly version?: number;
  readonly revision?: string;
  /** Defaults to the identifier of the structure version. */
  readonly productId?: number;
  readonly productName?: string;
  readonly productStatus?: number;
  readonly productType?: string;
  readonly productDescription?: string;
  readonly planned?: ByKind<string | null>;
  readonly actual?: ByKind<readonly string[]>;
  /** The number of completed operations. Defaults to the number of run times. */
  readonly completed?: number;
}

/**
 * Inserts structure versions, and their products if these do not exist yet. Tests without searches can leave out the
 * texts for `search`, because writing thousands of long texts takes half a minute.
 */
export async function insertStructureVersions(
  pool: Pool,
  versions: readonly StructureVersion[],
  { areSearched = true } = {},
): Promise<void> {
  await insert(pool, 'products', versions.map(productRow));
  await insert(pool, 'product_structure_versions', versions.map(structureVersionRow));
  await writeKeys(pool);
  if (areSearched) await writeSearchedTexts(pool);
}

/** Registers the keys of products and structure versions. */
async function writeKeys(pool: Pool): Promise<void> {
  for (const [kind, object] of [
    ['product', 'product'],
    ['version', 'product_structure_version'],
  ]) {
    const keyed = `FROM takt.${object}s WHERE ${object}_key IS NOT NULL`;
    await pool.query(`INSERT INTO takt.object_keys (company_id, kind, key, number)
      SELECT company_id, '${kind}', ${object}_key, ${object}_id ${keyed} ON CONFLICT DO NOTHING`);
    await pool.query(`INSERT INTO takt.key_counters (company_id, kind, last_number)
      SELECT company_id, '${kind}', max(${object}_id) ${keyed} GROUP BY company_id ON CONFLICT DO NOTHING`);
  }
}

/** Writes the texts for `search` as the database function apply_product_structure_version_changes does. */
async function writeSearchedTexts(pool: Pool): Promise<void> {
  await pool.query(
    `INSERT INTO takt.structure_version_texts (company_id, product_structure_version_id, folded)
     SELECT company_id, product_structure_version_id,
       takt.searched_text(product_name, name, product_id, product_structure_version_id, product_key,
         product_structure_version_key)
     FROM takt.product_structure_versions WHERE changed_at IS NOT NULL
     ON CONFLICT (company_id, product_structure_version_id) DO UPDATE SET folded = excluded.folded`,
  );
}

/** Inserts rows with the same columns. All other columns of the table get their defaults. */
async function insert(
  pool: Pool,
  table: string,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).join(', ');
  await pool.query(
    `INSERT INTO takt.${table} (${columns})
     SELECT ${columns} FROM json_populate_recordset(NULL::takt.${table}, $1) ON CONFLICT DO NOTHING`,
    [JSON.stringify(rows)],
  );
  await noteChangesByHand(pool);
}

/** Updates counted list sizes after a test has changed rows, and invalidates cached answers. */
export async function noteChangesByHand(pool: Pool): Promise<void> {
  await pool.query('SELECT takt.note_changes_by_hand()');
}

const CHANGED_AT = '2026-03-02T12:00:00Z';

function productRow(version: StructureVersion): Readonly<Record<string, unknown>> {
  return {
    company_id: version.companyId ?? COMPANY,
    product_id: version.productId ?? version.id,
    product_key: version.productKey ?? null,
    status: version.productStatus ?? 4,
    name: version.productName ?? `Product ${version.id}`,
    type: version.productType ?? 'K',
    description: version.productDescription ?? '',
    changed_at: CHANGED_AT,
  };
}

function structureVersionRow(version: StructureVersion): Readonly<Record<string, unknown>> {
  const isListed = version.isListed ?? true;
  const run = figuresOf('run', version.actual?.run ?? []);
  const setup = figuresOf('setup', version.actual?.setup ?? []);
  const cleanup = figuresOf('cleanup', version.actual?.cleanup ?? []);
  return {
    company_id: version.companyId ?? COMPANY,
    product_structure_version_id: version.id,
    product_structure_version_key: version.key ?? null,
    product_key: isListed ? (version.productKey ?? null) : null,
    changed_at: isListed ? CHANGED_AT : null,
    status: version.status ?? 4,
    name: version.name ?? `Structure ${version.id}`,
    version: version.version ?? 1,
    revision: version.revision ?? 'A',
    product_id: isListed ? (version.productId ?? version.id) : null,
    product_name: version.productName ?? `Product ${version.id}`,
    run_time: plannedOf(version.planned?.run),
    setup_time: plannedOf(version.planned?.setup),
    cleanup_time: plannedOf(version.planned?.cleanup),
    number_of_completed_operations: version.completed ?? version.actual?.run?.length ?? 0,
    ...run,
    ...setup,
    ...cleanup,
  };
}

/** Returns 20 times, in turn the one and the other, of which the average is in the middle. */
export const inTurn = (one: string, other: string): readonly string[] =>
  Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? one : other));

/** A month of a structure version. Each of its operations took one hour. */
export interface Month {
  readonly structureVersionId: number;
  readonly companyId?: number;
  /** In the form yyyy-MM. */
  readonly month: string;
  readonly completed: number;
  readonly lastCompletedAt?: string;
}

/** Inserts saved views that their owners share with their company. */
export async function insertSavedViews(
  pool: Pool,
  views: readonly { readonly companyId?: number; readonly name: string; readonly pid?: number }[],
): Promise<void> {
  const rows = views.map(({ companyId = COMPANY, name, pid = 7 }) => ({
    ...{ company_id: companyId, name, pid, is_shared: true },
    ...{ path: '/product/products', query: '$top=3', saved_at: '2026-03-02T12:00:00Z' },
  }));
  await insert(pool, 'saved_views', rows);
}

export async function insertMonths(pool: Pool, months: readonly Month[]): Promise<void> {
  const rows = months.map((month) => ({
    company_id: month.companyId ?? COMPANY,
    product_structure_version_id: month.structureVersionId,
    month: `${month.month}-01`,
    number_of_completed_operations: month.completed,
    run_time_sum: month.completed,
    run_time_sum_of_squares: month.completed,
    shortest_run_time: 1_000_000,
    longest_run_time: 1_000_000,
    last_completed_at: month.lastCompletedAt ?? `${month.month}-15T12:00:00Z`,
  }));
  await insert(pool, 'monthly_figures', rows);
}

/**
 * A completed operation. By default, the operation with the highest identifier is the newest. Hours are decimal text.
 */
export interface Operation {
  readonly id: number;
  readonly structureVersionId: number | null;
  readonly key?: string;
  readonly workOrderKey?: string;
  readonly companyId?: number;
  readonly revision?: number;
  readonly workOrderId?: number;
  readonly completedAt?: string;
  readonly run?: string | null;
  readonly setup?: string;
  readonly cleanup?: string;
}

/** Inserts operations only into the ledger, without updating any figures. */
export async function insertOperations(pool: Pool, operations: readonly Operation[]): Promise<void> {
  const rows = operations.map((operation) => ({
    company_id: operation.companyId ?? COMPANY,
    work_order_operation_id: operation.id,
    revision: operation.revision ?? 1,
    product_structure_version_id: operation.structureVersionId,
    work_order_id: operation.workOrderId ?? null,
    work_order_operation_key: operation.key ?? null,
    work_order_key: operation.workOrderKey ?? null,
    changed_at: operation.completedAt ?? new Date(Date.UTC(2026, 0, 1) + operation.id * 60_000).toISOString(),
    run_time: operation.run === undefined ? '1.000000' : operation.run,
    setup_time: operation.setup ?? null,
    cleanup_time: operation.cleanup ?? null,
  }));
  await insert(pool, 'work_order_operations', rows);
}

const DECIMALS = 6;

function plannedOf(hours: string | null | undefined): string | null {
  return hours == null ? null : String(microhoursOf(hours));
}

/**
 * Returns the figure columns for one kind of time. The sums are exact. The database computes average and deviation from
 * the sums.
 */
function figuresOf(kind: keyof ByKind<unknown>, hours: readonly string[]): Readonly<Record<string, unknown>> {
  const values = hours.map(microhoursOf).sort((one, other) => (one < other ? -1 : 1));
  const [shortest, longest] = [values[0], values.at(-1)];
  const sum = values.reduce((total, value) => total + value, 0n);
  const squares = values.reduce((total, value) => total + value * value, 0n);
  return {
    ...(kind === 'run' ? {} : { [`${kind}_time_count`]: hours.length }),
    [`${kind}_time_sum`]: decimalOf(sum, DECIMALS),
    [`${kind}_time_sum_of_squares`]: decimalOf(squares, 2 * DECIMALS),
    [`shortest_${kind}_time`]: shortest === undefined ? null : String(shortest),
    [`longest_${kind}_time`]: longest === undefined ? null : String(longest),
  };
}

function microhoursOf(hours: string): bigint {
  const [whole = '0', fraction = ''] = hours.split('.');
  return BigInt(whole + fraction.padEnd(DECIMALS, '0'));
}

function decimalOf(value: bigint, decimals: number): string {
  const digits = String(value).padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** Removes all rows that the functions of this file insert, except error messages and saved views. */
export async function clearRows(pool: Pool): Promise<void> {
  await pool.query(
    `TRUNCATE takt.product_structure_versions, takt.structure_version_texts, takt.monthly_figures, takt.products,
      takt.application_versions, takt.work_order_operations, takt.object_keys, takt.key_counters`,
  );
  await noteChangesByHand(pool);
}

export interface ErrorMessageRow {
  readonly id: number;
  readonly status?: string;
  readonly namespace?: string;
  readonly httpStatusCode?: 400 | 403 | 404 | 500;
  readonly message?: string;
  readonly createdBy?: number;
  readonly technicalDescription?: string;
  readonly translations?: Readonly<Record<string, string>>;
}

/** Replaces all error messages in the database. */
export async function replaceErrorMessages(pool: Pool, rows: readonly ErrorMessageRow[]): Promise<void> {
  await pool.query('DELETE FROM takt.error_messages');
  const written = rows.map((row) => ({
    error_message_id: row.id,
    status: row.status ?? '4',
    namespace: row.namespace ?? 'system',
    http_status_code: row.httpStatusCode ?? 400,
    message: row.message ?? `Message ${row.id}`,
    available_translations: 'eng',
    created_by: row.createdBy ?? 1,
    technical_description: row.technicalDescription ?? '',
    translations: row.translations ?? {},
  }));
  if (written.length > 0) await insert(pool, 'error_messages', written);
}

/** Inserts an application version. The keys of `columns` are column names. Required columns have plain defaults. */
export async function insertApplicationVersion(
  pool: Pool,
  columns: Readonly<Record<string, string | number | boolean | null>> & {
    readonly application_version_id: number;
    readonly application_id: number;
  },
): Promise<void> {
  const row = { company_id: COMPANY, changed_at: CHANGED_AT, type: 'WIDGET', name: 'Board', ...columns };
  await insert(pool, 'application_versions', [row]);
}
