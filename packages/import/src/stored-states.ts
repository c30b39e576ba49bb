import type pg from 'pg';
import type { ImportedKind } from './fields.js';

type Connection = pg.Pool | pg.ClientBase;

export type Data = Readonly<Record<string, unknown>>;

/** The stored state of an operation or a structure version. */
export interface StoredState {
  /** Data of the event that would lead to this state; null if the object is reopened, removed or not listed. */
  readonly data: Data | null;
  /** Newest revision of an operation; 0 for a structure version. */
  readonly revision: number;
  /** changedAt of a structure version, or completedAt or reopenedAt of an operation. */
  readonly changedAt: string | null;
  /** Source and id of the newest event of an operation; null if not recorded. */
  readonly source: string | null;
  readonly id: string | null;
  readonly isPruned: boolean;
  /** The average times of a structure version and the number of operations, in hours; null without operations. */
  readonly measured?: { readonly runTime: number | null; readonly setupTime: number | null } | null;
}

export const nameFieldsOf = (what: ImportedKind) =>
  what === 'operations' ? 'workOrderOperation' : 'productStructureVersion';

/** Returns how changes of a kind name their objects: by keys or by numbers, and the name in the data of an event. */
export function namingOf(what: ImportedKind, sample: Data | undefined) {
  const byKey = Object.hasOwn(sample ?? {}, `${nameFieldsOf(what)}Key`);
  const field = `${nameFieldsOf(what)}${byKey ? 'Key' : 'Id'}`;
  return { byKey, nameOf: (data: Data) => String(data[field]) };
}

/** Returns data without the fields that are null. */
export const withoutNulls = (data: Data): Data =>
  Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null));

/**
 * Reads the states of objects by their names. Unknown objects have none.
 * @param byKey true if the names are keys, false if they are numbers
 */
export async function readStates(
  connection: Connection,
  {
    companyId,
    what,
    byKey,
  }: { readonly companyId: number; readonly what: ImportedKind; readonly byKey: boolean },
  names: readonly string[],
): Promise<ReadonlyMap<string, StoredState>> {
  const numbers = byKey
    ? await readNumbers(connection, companyId, what, names)
    : new Map(names.map((name) => [name, name]));
  if (numbers.size === 0) return new Map();
  const nameOf = new Map([...numbers].map(([name, number]) => [number, name]));
  const { rows } = await connection.query<StoredState & { readonly number: string }>(
    what === 'operations' ? OPERATIONS : VERSIONS,
    [companyId, [...numbers.values()]],
  );
  return new Map(rows.map(({ number, ...state }) => [nameOf.get(number) ?? number, state]));
}

async function readNumbers(
  connection: Connection,
  companyId: number,
  what: ImportedKind,
  keys: readonly string[],
) {
  const { rows } = await connection.query<{ key: string; number: string }>(
    'SELECT key, number FROM takt.object_keys WHERE company_id = $1 AND kind = $2 AND key = ANY ($3)',
    [companyId, what === 'operations' ? 'operation' : 'version', keys],
  );
  return new Map(rows.map(({ key, number }) => [key, number]));
}

/** An instant as events have it, in UTC with microseconds. */
const instant = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

// The names are left out of the data, except for those of other objects: either the key or the number.
const OPERATIONS = `
  SELECT given.number::text AS number,
    CASE WHEN ledger.product_structure_version_id IS NOT NULL THEN jsonb_build_object(
      'productStructureVersionId', CASE WHEN version.product_structure_version_key IS NULL THEN ledger.product_structure_version_id END,
      'productStructureVersionKey', version.product_structure_version_key,
      'workOrderId', CASE WHEN ledger.work_order_key IS NULL THEN ledger.work_order_id END,
      'workOrderKey', ledger.work_order_key,
      'completedAt', ${instant('ledger.changed_at')},
      'runTime', ledger.run_time::text, 'setupTime', ledger.setup_time::text, 'cleanupTime', ledger.cleanup_time::text
    ) END AS data,
    coalesce(ledger.revision, pruned.revision)::float8 AS revision, ${instant('ledger.changed_at')} AS "changedAt",
    ledger.event_source AS source, ledger.event_id AS id, pruned.revision IS NOT NULL AS "isPruned"
  FROM unnest($2::bigint[]) AS given (number)
  LEFT JOIN takt.work_order_operations ledger
    ON ledger.company_id = $1 AND ledger.work_order_operation_id = given.number
  LEFT JOIN takt.product_structure_versions version
    ON version.company_id = $1 AND version.product_structure_version_id = ledger.product_structure_version_id
  LEFT JOIN LATERAL (
    SELECT block.revisions[1 + given.number % 1024] AS revision FROM takt.pruned_operations block
    WHERE block.company_id = $1 AND block.block = given.number / 1024
  ) AS pruned ON true
  WHERE ledger.revision IS NOT NULL OR pruned.revision IS NOT NULL`;

const hours = (column: string) => `trunc(${column} / 1000000.0, 6)::text`;
const mean = (time: string, count: string) => `(${time}_sum / nullif(${count}, 0))::float8`;
const PRODUCT = `
  'productId', CASE WHEN product.product_key IS NULL THEN product.product_id END, 'productKey', product.product_key,
  'status', product.status, 'name', product.name, 'type', product.type, 'description', product.description`;

const VERSIONS = `
  SELECT version.product_structure_version_id::text AS number,
    CASE WHEN version.changed_at IS NOT NULL THEN jsonb_build_object(
      'status', version.status, 'name', version.name, 'version', version.version, 'revision', version.revision,
      'product', jsonb_build_object(${PRODUCT}),
      'plannedProductionTimes', jsonb_build_object('runTime', ${hours('version.run_time')},
        'setupTime', ${hours('version.setup_time')}, 'cleanupTime', ${hours('version.cleanup_time')})
    ) END AS data,
    0 AS revision, ${instant('coalesce(version.changed_at, version.removed_at)')} AS "changedAt",
    NULL AS source, NULL AS id, false AS "isPruned",
    CASE WHEN number_of_completed_operations > 0 THEN jsonb_build_object(
      'runTime', ${mean('version.run_time', 'version.number_of_completed_operations')},
      'setupTime', ${mean('version.setup_time', 'version.setup_time_count')}) END AS measured
  FROM takt.product_structure_versions version
  LEFT JOIN takt.products product ON product.company_id = $1 AND product.product_id = version.product_id
  WHERE version.company_id = $1 AND version.product_structure_version_id = ANY ($2::bigint[])`;

/** A product as events have it, and its changedAt. */
export interface StoredProduct {
  readonly data: Data;
  readonly changedAt: string;
}

export async function readProducts(
  connection: Connection,
  { companyId, byKey }: { readonly companyId: number; readonly byKey: boolean },
  names: readonly string[],
): Promise<ReadonlyMap<string, StoredProduct>> {
  const column = byKey ? 'product_key' : 'product_id';
  const { rows } = await connection.query<StoredProduct & { readonly name: string }>(
    `SELECT product.${column}::text AS name, jsonb_build_object(${PRODUCT}) AS data, ${instant('changed_at')} AS "changedAt"
     FROM takt.products product WHERE company_id = $1 AND ${column} = ANY ($2::${byKey ? 'text' : 'bigint'}[])`,
    [companyId, names],
  );
  return new Map(rows.map(({ name, ...product }) => [name, product]));
}
