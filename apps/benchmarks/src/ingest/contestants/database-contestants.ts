import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyWorkOrderOperationEvents, type WorkOrderOperationEvent } from '@takt/figures';
import { type Contestant, measure, type RunContext } from '../measure.js';

/** As many events as a worker puts into one transaction. */
const EVENTS_PER_STATEMENT = 1_000;

/** The database's ceiling: the worker's own statement, fed from memory by as many connections. */
export function sqlOnly(connections: number): Contestant {
  return {
    name: `SQL alone, ${connections} ${connections === 1 ? 'connection' : 'connections'}`,
    about: "the same statement without a queue: the database's ceiling",
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

/** The physical limit: the newest states copied into the ledger, the figures computed by one grouped upsert. */
export const copyAndGroup: Contestant = {
  name: 'COPY and one upsert',
  about: 'everything known beforehand, one COPY and one GROUP BY: the physical limit',
  share: 1,
  figures: 'without months',
  run: async (context) => {
    const folder = await mkdtemp(join(tmpdir(), 'takt-bench-copy-'));
    try {
      await chmod(folder, 0o755);
      const file = join(folder, 'ledger.tsv');
      await writeFile(file, newestStates(context).map(toLine).join(''), { mode: 0o644 });
      return await measure(context, {}, () => copyAndUpsert(context, file));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
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

function newestStates({ workload }: RunContext): readonly WorkOrderOperationEvent[] {
  const newest = new Map<number, WorkOrderOperationEvent>();
  for (const event of workload.parsed) {
    const known = newest.get(event.workOrderOperationId);
    if (known === undefined || known.revision < event.revision) newest.set(event.workOrderOperationId, event);
  }
  return [...newest.values()];
}

/** One line of COPY's text format; company 1 is the only one of the benchmark. */
function toLine(event: WorkOrderOperationEvent): string {
  const state =
    event.type === 'work-order-operation.reopened.v1'
      ? [null, null, event.reopenedAt, null, null, null]
      : [
          ...[event.productStructureVersionId, event.workOrderId, event.completedAt],
          ...[event.runTime, event.setupTime, event.cleanupTime],
        ];
  const columns = [1, event.workOrderOperationId, event.revision, ...state];
  return `${columns.map((value) => value ?? '\\N').join('\t')}\n`;
}
