import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyWorkOrderOperationEvents, type WorkOrderOperationEvent } from '@takt/figures';
import { type IngestContestant, measure, newestEvents, type RunContext } from '../measure.js';

/** Number of events in one transaction. The worker uses the same number. */
const EVENTS_PER_STATEMENT = 1_000;

/**
 * Makes the contestant that shows the upper limit of the database: it runs the statement of the worker without a queue.
 */
export function sqlAlone(connections: number): IngestContestant {
  return {
    name: `SQL alone, ${connections} ${connections === 1 ? 'connection' : 'connections'}`,
    share: 1,
    figures: 'all',
    run: (context) => {
      const { parsed } = context.workload;
      let next = 0;
      const feed = async () => {
        while (next < parsed.length) {
          const batch = parsed.slice(next, next + EVENTS_PER_STATEMENT);
          next += batch.length;
          await applyWorkOrderOperationEvents(context.fresh.database.pool, batch);
        }
      };
      return measure(context, {}, async () => {
        const startedAt = performance.now();
        await Promise.all(Array.from({ length: connections }, feed));
        return (performance.now() - startedAt) / 1000;
      });
    },
  };
}

/**
 * The contestant that shows the physical limit. It knows all events in advance, and needs one COPY into the ledger and
 * one grouped upsert of the figures.
 */
export const copyAndGroup: IngestContestant = {
  name: 'COPY and one upsert',
  share: 1,
  figures: 'without months',
  run: async (context) => {
    const folder = await mkdtemp(join(tmpdir(), 'takt-bench-copy-'));
    context.defer(() => rm(folder, { recursive: true, force: true }));
    await chmod(folder, 0o755);
    const file = join(folder, 'ledger.tsv');
    const lines = newestEvents(context.workload.parsed).map(toLine);
    await writeFile(file, lines.join(''), { mode: 0o644 });
    return measure(context, {}, () => copyAndUpsert(context, file));
  },
};

async function copyAndUpsert({ fresh }: RunContext, file: string): Promise<number> {
  const client = await fresh.database.pool.connect();
  try {
    const startedAt = performance.now();
    await client.query('BEGIN');
    await client.query(`COPY work_order_operations FROM '${file}'`);
    await client.query(`
      INSERT INTO product_structure_versions AS figures (company_id, product_structure_version_id,
        number_of_completed_operations, run_time_sum, run_time_sum_of_squares, shortest_run_time, longest_run_time,
        setup_time_count, setup_time_sum, setup_time_sum_of_squares, shortest_setup_time, longest_setup_time,
        cleanup_time_count, cleanup_time_sum, cleanup_time_sum_of_squares, shortest_cleanup_time, longest_cleanup_time)
      SELECT company_id, product_structure_version_id,
        count(run_time), sum(run_time), sum(run_time * run_time), min(run_time) * 1000000, max(run_time) * 1000000,
        count(setup_time), coalesce(sum(setup_time), 0), coalesce(sum(setup_time * setup_time), 0),
        min(setup_time) * 1000000, max(setup_time) * 1000000,
        count(cleanup_time), coalesce(sum(cleanup_time), 0), coalesce(sum(cleanup_time * cleanup_time), 0),
        min(cleanup_time) * 1000000, max(cleanup_time) * 1000000
      FROM work_order_operations WHERE product_structure_version_id IS NOT NULL
      GROUP BY company_id, product_structure_version_id
      ON CONFLICT (company_id, product_structure_version_id) DO UPDATE SET
        number_of_completed_operations = excluded.number_of_completed_operations,
        run_time_sum = excluded.run_time_sum, run_time_sum_of_squares = excluded.run_time_sum_of_squares,
        shortest_run_time = excluded.shortest_run_time, longest_run_time = excluded.longest_run_time,
        setup_time_count = excluded.setup_time_count, setup_time_sum = excluded.setup_time_sum,
        setup_time_sum_of_squares = excluded.setup_time_sum_of_squares,
        shortest_setup_time = excluded.shortest_setup_time, longest_setup_time = excluded.longest_setup_time,
        cleanup_time_count = excluded.cleanup_time_count, cleanup_time_sum = excluded.cleanup_time_sum,
        cleanup_time_sum_of_squares = excluded.cleanup_time_sum_of_squares,
        shortest_cleanup_time = excluded.shortest_cleanup_time, longest_cleanup_time = excluded.longest_cleanup_time`);
    await client.query('COMMIT');
    return (performance.now() - startedAt) / 1000;
  } finally {
    client.release();
  }
}

/** Returns a line in the text format of COPY. The benchmark has only one company, whose id is 1. */
function toLine(event: WorkOrderOperationEvent): string {
  const state =
    event.type === 'work-order-operation.reopened.v1'
      ? [null, null, event.reopenedAt, null, null, null]
      : [
          event.productStructureVersionId,
          event.workOrderId,
          event.completedAt,
          event.runTime,
          event.setupTime,
          event.cleanupTime,
        ];
  const columns = [1, event.workOrderOperationId, event.revision, ...state];
  return `${columns.map((value) => value ?? '\\N').join('\t')}\n`;
}
