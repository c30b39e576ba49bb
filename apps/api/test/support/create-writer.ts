import fc from 'fast-check';
import { insertStructureVersions } from './insert-rows.js';
import type { TestApi } from './open-test-api.js';
import { variedStructureVersion } from './varied-rows.js';

/** The lowest identifier of rows that the writer changes. Rows with lower identifiers stay unchanged. */
export const FIRST_MOVING = 10_000;

/**
 * Returns a function that changes one row per call. It inserts a row, deletes a row, or moves a row in every order.
 * Some values occur only together in real rows, such as an average and a shortest time. They also occur only together
 * here, because walks rely on that.
 */
export function createWriter({ owner }: Pick<TestApi, 'owner'>, seed: number): () => Promise<void> {
  const choices = fc.sample(fc.tuple(fc.nat(2), fc.nat(60), fc.nat(1_000)), { seed, numRuns: 200 });
  let turn = 0;
  return async () => {
    const [kind = 0, index = 0, change = 0] = choices[turn++ % choices.length] ?? [];
    const id = FIRST_MOVING + index;
    if (kind === 2) {
      await owner.query(
        'DELETE FROM takt.product_structure_versions WHERE product_structure_version_id = $1',
        [id],
      );
      return;
    }
    const { rowCount } = await owner.query(
      `UPDATE takt.product_structure_versions
       SET run_time = CASE WHEN $2::integer % 3 > 0 THEN $2::integer % 13 * 1000000 END, product_name = 'Moving ' || $2::text,
         number_of_completed_operations = $2::integer % 5, run_time_sum = 0, run_time_sum_of_squares = 0,
         shortest_run_time = CASE WHEN $2::integer % 5 > 0 THEN 0 END,
         longest_run_time = CASE WHEN $2::integer % 5 > 0 THEN 0 END,
         setup_time_count = 1, setup_time_sum = $2, setup_time_sum_of_squares = $2::integer * $2::integer,
         shortest_setup_time = $2, longest_setup_time = $2
       WHERE product_structure_version_id = $1`,
      [id, change],
    );
    if (rowCount === 0) {
      await insertStructureVersions(owner, [{ ...variedStructureVersion(change % 101), id, productId: id }]);
    }
  };
}
