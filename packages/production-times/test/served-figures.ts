import type pg from 'pg';

/** Average, shortest, longest and deviation in hours with 6 decimals. */
export type ServedTimes = readonly [
  average: string | null,
  shortest: string | null,
  longest: string | null,
  deviation: string | null,
];

export interface ServedFigures {
  readonly operations: number;
  readonly run: ServedTimes;
  readonly setup: ServedTimes;
  readonly cleanup: ServedTimes;
}

export const NONE: ServedTimes = [null, null, null, null];

/** The 13 figures of the structure versions of a company, of all or of a range, as text by their identifiers. */
export async function readServedFigures(
  pool: pg.Pool,
  database: string,
  { first = 1, last = Number.MAX_SAFE_INTEGER } = {},
): Promise<Map<number, ServedFigures>> {
  const { rows } = await pool.query<{ id: number } & ServedFigures>(
    `SELECT product_structure_version_id::float8 AS id, number_of_completed_operations::float8 AS operations,
       ARRAY[average_run_time, shortest_run_time, longest_run_time, deviation_run_time]::text[] AS run,
       ARRAY[average_setup_time, shortest_setup_time, longest_setup_time, deviation_setup_time]::text[] AS setup,
       ARRAY[average_cleanup_time, shortest_cleanup_time, longest_cleanup_time, deviation_cleanup_time]::text[] AS cleanup
     FROM takt.product_structure_versions JOIN takt.companies USING (company_id)
     WHERE code = $1 AND product_structure_version_id BETWEEN $2 AND $3 ORDER BY id`,
    [database, first, last],
  );
  return new Map(rows.map(({ id, ...figures }) => [id, figures]));
}
