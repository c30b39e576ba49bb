import type { WorkOrderOperationEvent } from '@takt/figures';
import type pg from 'pg';

type Completed = Extract<WorkOrderOperationEvent, { readonly type: 'work-order-operation.completed.v1' }>;

/** The values of a row by column. Numbers are decimal text. */
type Row = Readonly<Record<string, string | null>>;

/**
 * Applies one event in a transaction of its own, in six or more round trips. It locks what it reads, so its figures are
 * right. It uses the same tables, indexes and generated columns as Takt.
 */
export async function applyNaively(pool: pg.Pool, event: WorkOrderOperationEvent): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await applyInTransaction(client, event);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

/** The events of a benchmark name objects by numbers. */
function numberOf(id: number | null): number {
  if (id === null) throw new Error('an event names an object by a key');
  return id;
}

async function applyInTransaction(client: pg.ClientBase, event: WorkOrderOperationEvent): Promise<void> {
  const { revision } = event;
  const operation = numberOf(event.workOrderOperationId);
  const completed = event.type === 'work-order-operation.completed.v1' ? event : undefined;
  const changedAt = event.type === 'work-order-operation.completed.v1' ? event.completedAt : event.reopenedAt;
  const companies = await client.query<Row>('SELECT company_id FROM companies WHERE code = $1', [
    event.database,
  ]);
  const company = Number(companies.rows[0]?.['company_id']);
  // Without this lock, two simultaneous first events of an operation would both find no row to lock.
  await client.query('SELECT pg_advisory_xact_lock($1, $2)', [company, operation % 2 ** 31]);
  const known = await client.query<Row>(
    `SELECT revision, product_structure_version_id AS version FROM work_order_operations
     WHERE company_id = $1 AND work_order_operation_id = $2 FOR UPDATE`,
    [company, operation],
  );
  const old = known.rows[0];
  if (Number(old?.['revision'] ?? -1) >= revision) return;
  const version = completed && numberOf(completed.productStructureVersionId);
  await client.query(
    `INSERT INTO work_order_operations VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (company_id, work_order_operation_id) DO UPDATE SET revision = excluded.revision,
       product_structure_version_id = excluded.product_structure_version_id, work_order_id = excluded.work_order_id,
       changed_at = excluded.changed_at, run_time = excluded.run_time, setup_time = excluded.setup_time,
       cleanup_time = excluded.cleanup_time`,
    [
      company,
      operation,
      revision,
      version,
      completed?.workOrderId,
      changedAt,
      completed?.runTime,
      completed?.setupTime,
      completed?.cleanupTime,
    ],
  );
  if (old === undefined && completed !== undefined) {
    await addFirstCompletion(client, company, completed);
    return;
  }
  const versions = new Set([Number(old?.['version'] ?? 0), version ?? 0]);
  for (const id of [...versions].filter((one) => one > 0).sort((one, other) => one - other)) {
    await lockFigures(client, company, id);
    await client.query('SELECT rebuild_production_times($1, $2)', [company, [id]]);
  }
}

async function addFirstCompletion(
  client: pg.ClientBase,
  company: number,
  { productStructureVersionId: version, runTime, setupTime, cleanupTime }: Completed,
): Promise<void> {
  const figures = await lockFigures(client, company, numberOf(version));
  const changed = {
    ...addTime(figures, 'run', 'number_of_completed_operations', runTime),
    ...addTime(figures, 'setup', 'setup_time_count', setupTime),
    ...addTime(figures, 'cleanup', 'cleanup_time_count', cleanupTime),
  };
  const assignments = Object.keys(changed).map((column, index) => `${column} = $${index + 3}`);
  await client.query(
    `UPDATE product_structure_versions SET ${assignments.join(', ')}
     WHERE company_id = $1 AND product_structure_version_id = $2`,
    [company, version, ...Object.values(changed)],
  );
}

async function lockFigures(client: pg.ClientBase, company: number, version: number): Promise<Row> {
  await client.query(
    `INSERT INTO product_structure_versions (company_id, product_structure_version_id) VALUES ($1, $2)
     ON CONFLICT DO NOTHING`,
    [company, version],
  );
  const { rows } = await client.query<Row>(
    'SELECT * FROM product_structure_versions WHERE company_id = $1 AND product_structure_version_id = $2 FOR UPDATE',
    [company, version],
  );
  return rows[0] ?? {};
}

/** Returns the columns that change when a time is added, with their new values. */
function addTime(figures: Row, kind: string, count: string, hours: string | null): Row {
  if (hours === null) return {};
  const name = `${kind}_time`;
  const value = toUnits(hours, 6);
  const shortest = BigInt(figures[`shortest_${name}`] ?? value);
  const longest = BigInt(figures[`longest_${name}`] ?? value);
  return {
    [count]: String(Number(figures[count]) + 1),
    [`${name}_sum`]: toDecimal(toUnits(figures[`${name}_sum`] ?? '0', 6) + value, 6),
    [`${name}_sum_of_squares`]: toDecimal(
      toUnits(figures[`${name}_sum_of_squares`] ?? '0', 12) + value * value,
      12,
    ),
    [`shortest_${name}`]: String(value < shortest ? value : shortest),
    [`longest_${name}`]: String(value > longest ? value : longest),
  };
}

/** Returns decimal text, which has `digits` decimals, as an integer in units of the last decimal. */
function toUnits(decimal: string, digits: number): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.padEnd(digits, '0').slice(0, digits));
}

function toDecimal(units: bigint, digits: number): string {
  const text = units.toString().padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
