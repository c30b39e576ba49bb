import { QUEUE_NAMES } from '@takt/events';
import { completion } from '@takt/test-support';
import { expect } from 'chai';
import type pg from 'pg';
import { GOOD_COMPANY, type Poison } from './corpus.js';
import type { PlainJob } from './plain-client.js';

/** Valid completions of different operations, and the operations that must be in the ledger afterwards. */
export interface GoodEvents {
  /** Creates the next completion and returns its JSON text. */
  next(data?: Parameters<typeof completion>[1]): string;
  /** Identifiers of the operations that must be in the ledger, in ascending order. */
  operations(): readonly number[];
}

export function createGoodEvents(): GoodEvents {
  const operations: number[] = [];
  return {
    next: (data = {}) => {
      const operation = Number(data['workOrderOperationId'] ?? 1_000_000 + operations.length);
      operations.push(operation);
      return JSON.stringify(completion(operation, data));
    },
    operations: () => [...operations].sort((a, b) => a - b),
  };
}

/**
 * Expects the ledger and the figures of the company to contain exactly the good events. All good events have the run
 * time of the sample.
 */
export async function expectOnlyGoodEvents(pool: pg.Pool, good: GoodEvents): Promise<void> {
  const operations = good.operations();
  const ledger = await pool.query<{ operation: number }>(
    `SELECT work_order_operation_id::float8 AS operation FROM takt.work_order_operations
     JOIN takt.companies USING (company_id) WHERE code = $1 ORDER BY operation`,
    [GOOD_COMPANY],
  );
  expect(ledger.rows.map(({ operation }) => operation)).to.deep.equal(operations);
  const figures = await pool.query<{ count: number; sum: number; average: string; longest: string }>(
    `SELECT number_of_completed_operations::int AS count, run_time_sum::float8 AS sum,
       average_run_time AS average, longest_run_time AS longest
     FROM takt.product_structure_versions JOIN takt.companies USING (company_id)
     WHERE code = $1 AND (number_of_completed_operations <> 0 OR run_time_sum <> 0)`,
    [GOOD_COMPANY],
  );
  const count = operations.length;
  const expected = { count, sum: 1.5 * count, average: '1500000', longest: '1500000' };
  expect(figures.rows).to.deep.equal(count === 0 ? [] : [expected]);
}

const BAD_EVENTS_A_BATCH = 10;

/** Returns one job for each bad event, and after each of them a job with a good event. */
export function asSingleJobs(poisons: readonly Poison[], good: GoodEvents): readonly PlainJob[] {
  const singles = poisons.filter(({ isArray }) => isArray !== true);
  return singles.flatMap(({ queue, json }, index) => [
    { queue, jobId: `single-${index}`, text: json },
    { queue: 'work-order-operations', jobId: `good-${index}`, text: good.next() },
  ]);
}

/** Returns the bad events in batches. In the queue of operations, a good event precedes every bad event of a batch. */
export function asBatches(poisons: readonly Poison[], good: GoodEvents): readonly PlainJob[] {
  return QUEUE_NAMES.flatMap((queue) => {
    const own = poisons.filter((poison) => poison.queue === queue).map(({ json }) => json);
    return Array.from({ length: Math.ceil(own.length / BAD_EVENTS_A_BATCH) }, (_, index) => {
      const bad = own.slice(index * BAD_EVENTS_A_BATCH, (index + 1) * BAD_EVENTS_A_BATCH);
      const members = queue === 'work-order-operations' ? bad.flatMap((json) => [good.next(), json]) : bad;
      return { queue, jobId: `batch-${queue}-${index}`, text: `[${members.join(',')}]` };
    });
  });
}
