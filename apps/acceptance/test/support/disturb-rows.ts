import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '@takt/test-support';
import type pg from 'pg';

const COPIED = [
  ...['changed_at', 'status', 'name', 'version', 'revision', 'product_id', 'product_name'],
  ...['run_time', 'setup_time', 'cleanup_time', 'number_of_completed_operations'],
  ...['run_time_sum', 'run_time_sum_of_squares', 'shortest_run_time', 'longest_run_time'],
  ...['setup_time_count', 'setup_time_sum', 'setup_time_sum_of_squares'],
  ...['shortest_setup_time', 'longest_setup_time'],
].join(', ');

const FIRST_INSERTED = 900_000;
const BREATH_MS = 5;

export interface Disturbance {
  /** Returns the number of rounds of changes so far. Throws if a change failed. */
  rounds(): number;
  /** Stops the changes. Rejects if a change failed. */
  stop(): Promise<void>;
}

/**
 * Changes rows until it is stopped. Inserts copies of random rows with identifiers from 900,000, and deletes some of
 * these copies again. Moves the rows of `moved` to other positions in every order.
 */
export function disturbRows(pool: pg.Pool, moved: readonly number[], random: Random): Disturbance {
  let isStopped = false;
  let rounds = 0;
  const work = async () => {
    for (let next = FIRST_INSERTED; !isStopped; next += 1) {
      const model = moved[random.below(moved.length)];
      // Copies rows of all kinds. A copy of an unchanged row has the same position in an order as that row. A page
      // boundary between the two rows could go wrong.
      await pool.query(
        `INSERT INTO takt.product_structure_versions (company_id, product_structure_version_id, ${COPIED})
         SELECT company_id, $1::bigint, ${COPIED} FROM takt.product_structure_versions
         WHERE product_structure_version_id < ${FIRST_INSERTED} ORDER BY hashint8(product_structure_version_id + $1) LIMIT 1`,
        [next],
      );
      await pool.query(
        `UPDATE takt.product_structure_versions
         SET run_time = $2::float8 * 1000000, product_name = $3,
           run_time_sum = run_time_sum * $4::numeric, run_time_sum_of_squares = run_time_sum_of_squares * $4::numeric ^ 2
         WHERE product_structure_version_id = $1`,
        [model, random() * 100, `Moved ${random.below(1000)}`, random() < 0.5 ? '2' : '0.5'],
      );
      if (next % 2 === 0) {
        const victim = FIRST_INSERTED + random.below(next - FIRST_INSERTED + 1);
        await pool.query(
          'DELETE FROM takt.product_structure_versions WHERE product_structure_version_id = $1',
          [victim],
        );
      }
      await pool.query('SELECT takt.note_changes_by_hand()');
      rounds += 1;
      await delay(BREATH_MS);
    }
  };
  const working = work();
  let failure: unknown;
  working.catch((cause: unknown) => {
    failure = cause;
  });
  return {
    rounds: () => {
      if (failure !== undefined) throw failure;
      return rounds;
    },
    stop: async () => {
      isStopped = true;
      await working;
    },
  };
}
