import { auditProductionTimes, type WorkOrderOperationEvent } from '@takt/production-times';
import type { Contestant, RunContext } from './contestant.js';

/**
 * Why the rows of a round are wrong, undefined where they are right: the ledger must hold every operation at its
 * newest revision, and every figure that the contestant keeps must equal the audit's recomputation.
 */
export async function findWrongRows(
  { workload, fresh }: RunContext,
  { figures }: Pick<Contestant, 'figures'>,
): Promise<string | undefined> {
  if (figures === 'none') return undefined;
  const { pool } = fresh.database;
  const { rows } = await pool.query<{ operation: string; revision: string }>(
    'SELECT work_order_operation_id AS operation, revision FROM work_order_operations',
  );
  const expected = newestRevisions(workload.parsed);
  if (rows.length !== expected.size) {
    return `${rows.length} operations in the ledger instead of ${expected.size}`;
  }
  const wrong = rows.find(({ operation, revision }) => expected.get(Number(operation)) !== Number(revision));
  if (wrong !== undefined) return `operation ${wrong.operation} is at revision ${wrong.revision}`;
  const audit = await auditProductionTimes(pool, {});
  const differences = audit.differences.filter(({ month }) => month === undefined || figures === 'all');
  return differences.length === 0 ? undefined : `${differences.length} figures differ from a recomputation`;
}

function newestRevisions(events: readonly WorkOrderOperationEvent[]): ReadonlyMap<number, number> {
  const newest = new Map<number, number>();
  for (const { workOrderOperationId, revision } of events) {
    newest.set(workOrderOperationId, Math.max(revision, newest.get(workOrderOperationId) ?? 0));
  }
  return newest;
}
