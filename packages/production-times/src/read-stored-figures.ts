import type pg from 'pg';
import { fetchPages } from './fetch-pages.js';
import type { Figures } from './figures.js';

export interface StoredFigures {
  readonly id: bigint;
  readonly figures: Figures;
}

/** The figures of a company as they are stored, by key of the structure version. */
export async function* readStoredFigures(
  connection: pg.ClientBase,
  companyId: number,
): AsyncGenerator<StoredFigures> {
  const pages = fetchPages<Figures & { readonly id: string }>(connection, {
    cursorName: 'audited_figures',
    text: `SELECT product_structure_version_id AS id,
        number_of_completed_operations AS "numberOfCompletedProductionWorkOrders",
        average_run_time AS "averageRunTime", shortest_run_time AS "shortestRunTime",
        longest_run_time AS "longestRunTime", deviation_run_time AS "deviationRunTime",
        average_setup_time AS "averageSetupTime", shortest_setup_time AS "shortestSetupTime",
        longest_setup_time AS "longestSetupTime", deviation_setup_time AS "deviationSetupTime",
        average_cleanup_time AS "averageCleanupTime", shortest_cleanup_time AS "shortestCleanupTime",
        longest_cleanup_time AS "longestCleanupTime", deviation_cleanup_time AS "deviationCleanupTime",
        run_time_sum AS "runTimeSum", run_time_sum_of_squares AS "runTimeSumOfSquares",
        setup_time_count AS "setupTimeCount", setup_time_sum AS "setupTimeSum",
        setup_time_sum_of_squares AS "setupTimeSumOfSquares",
        cleanup_time_count AS "cleanupTimeCount", cleanup_time_sum AS "cleanupTimeSum",
        cleanup_time_sum_of_squares AS "cleanupTimeSumOfSquares"
      FROM takt.product_structure_versions
      WHERE company_id = $1
      ORDER BY product_structure_version_id`,
    values: [companyId],
  });
  for await (const page of pages) {
    for (const { id, ...figures } of page) yield { id: BigInt(id), figures };
  }
}
