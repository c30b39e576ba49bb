import type { WorkOrderOperationCompleted } from '@takt/events';
import type { WorkOrderOperationEvent } from '@takt/figures';
import type pg from 'pg';

interface LedgerRow {
  readonly revision: string;
  readonly product_structure_version_id: string | null;
}

interface Operation {
  readonly companyId: number;
  readonly event: WorkOrderOperationEvent;
  readonly completed: WorkOrderOperationCompleted | undefined;
}

/** One transaction for one event, in six or more round trips. */
export async function applyNaively(pool: pg.Pool, event: WorkOrderOperationEvent): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const companies = await client.query<{ company_id: number }>(
      'SELECT company_id FROM companies WHERE code = $1',
      [event.database],
    );
    const completed = event.type === 'work-order-operation.completed.v1' ? event : undefined;
    await applyLocked(client, { companyId: companies.rows[0]?.company_id ?? 0, event, completed });
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

async function applyLocked(client: pg.ClientBase, operation: Operation): Promise<void> {
  const { companyId, event, completed } = operation;
  // Two first events of one operation would both find no row to lock.
  await client.query('SELECT pg_advisory_xact_lock($1, $2)', [
    companyId,
    event.workOrderOperationId % 2 ** 31,
  ]);
  const known = await client.query<LedgerRow>(
    `SELECT revision, product_structure_version_id FROM work_order_operations
     WHERE company_id = $1 AND work_order_operation_id = $2 FOR UPDATE`,
    [companyId, event.workOrderOperationId],
  );
  const old = known.rows[0];
  if (old !== undefined && Number(old.revision) >= event.revision) return;
  await writeLedger(client, operation);
  if (old === undefined && completed !== undefined) return addFirstCompletion(client, companyId, completed);
  const versions = [
    Number(old?.product_structure_version_id ?? 0),
    completed?.productStructureVersionId ?? 0,
  ];
  for (const version of [...new Set(versions)].filter((id) => id > 0).sort((one, other) => one - other)) {
    await lockFigures(client, companyId, version);
    await client.query('SELECT rebuild_production_times($1, $2)', [companyId, [version]]);
  }
}

async function writeLedger(client: pg.ClientBase, { companyId, event, completed }: Operation): Promise<void> {
  await client.query(
    `INSERT INTO work_order_operations VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (company_id, work_order_operation_id) DO UPDATE SET revision = excluded.revision,
       product_structure_version_id = excluded.product_structure_version_id, work_order_id = excluded.work_order_id,
       changed_at = excluded.changed_at, run_time = excluded.run_time, setup_time = excluded.setup_time,
       cleanup_time = excluded.cleanup_time`,
    [
      ...[companyId, event.workOrderOperationId, event.revision],
      ...[completed?.productStructureVersionId, completed?.workOrderId],
      event.type === 'work-order-operation.completed.v1' ? event.completedAt : event.reopenedAt,
      ...[completed?.runTime, completed?.setupTime, completed?.cleanupTime],
    ],
  );
}

async function addFirstCompletion(
  client: pg.ClientBase,
  companyId: number,
  completed: WorkOrderOperationCompleted,
): Promise<void> {
  const figures = await lockFigures(client, companyId, completed.productStructureVersionId);
  const changed = addToFigures(figures, completed);
  const assignments = Object.keys(changed).map((column, index) => `${column} = $${index + 3}`);
  await client.query(
    `UPDATE product_structure_versions SET ${assignments.join(', ')}
     WHERE company_id = $1 AND product_structure_version_id = $2`,
    [companyId, completed.productStructureVersionId, ...Object.values(changed)],
  );
}

async function lockFigures(client: pg.ClientBase, companyId: number, version: number): Promise<FiguresRow> {
  await client.query(
    `INSERT INTO product_structure_versions (company_id, product_structure_version_id) VALUES ($1, $2)
     ON CONFLICT DO NOTHING`,
    [companyId, version],
  );
  const { rows } = await client.query<FiguresRow>(
    'SELECT * FROM product_structure_versions WHERE company_id = $1 AND product_structure_version_id = $2 FOR UPDATE',
    [companyId, version],
  );
  return rows[0] ?? {};
}

/** A row of product_structure_versions by column, numbers as decimal text. */
type FiguresRow = Readonly<Record<string, string | null>>;

const COUNTS = {
  run: 'number_of_completed_operations',
  setup: 'setup_time_count',
  cleanup: 'cleanup_time_count',
};

/** The columns that a first completion changes, with their new values, computed in the application. */
function addToFigures(figures: FiguresRow, completed: WorkOrderOperationCompleted): FiguresRow {
  return {
    ...addTime(figures, 'run', completed.runTime),
    ...addTime(figures, 'setup', completed.setupTime),
    ...addTime(figures, 'cleanup', completed.cleanupTime),
  };
}

function addTime(figures: FiguresRow, time: keyof typeof COUNTS, hours: string | null): FiguresRow {
  if (hours === null) return {};
  const name = `${time}_time`;
  const value = toUnits(hours, 6);
  const sum = toUnits(figures[`${name}_sum`] ?? '0', 6) + value;
  const squares = toUnits(figures[`${name}_sum_of_squares`] ?? '0', 12) + value * value;
  const shortest = BigInt(figures[`shortest_${name}`] ?? value);
  const longest = BigInt(figures[`longest_${name}`] ?? value);
  return {
    [COUNTS[time]]: String(Number(figures[COUNTS[time]]) + 1),
    [`${name}_sum`]: toDecimal(sum, 6),
    [`${name}_sum_of_squares`]: toDecimal(squares, 12),
    [`shortest_${name}`]: String(value < shortest ? value : shortest),
    [`longest_${name}`]: String(value > longest ? value : longest),
  };
}

/** Decimal text as a whole number of units of its last of `digits` decimals. */
function toUnits(decimal: string, digits: number): bigint {
  const [whole = '0', fraction = ''] = decimal.split('.');
  return BigInt(whole + fraction.padEnd(digits, '0').slice(0, digits));
}

function toDecimal(units: bigint, digits: number): string {
  const text = units.toString().padStart(digits + 1, '0');
  return `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
