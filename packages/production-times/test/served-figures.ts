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

const TIMES = ['run', 'setup', 'cleanup'].map((time) => {
  const figures = ['average', 'shortest', 'longest', 'deviation'].map(
    (figure) => `${figure}_${time}_time * 0.000001`,
  );
  return `ARRAY[${figures.join(', ')}]::text[] AS ${time}`;
});

export const NONE: ServedTimes = [null, null, null, null];

/** The 13 figures of the structure versions of a company, of all or of a range, as text by their identifiers. */
export async function readServedFigures(
  pool: pg.Pool,
  database: string,
  { first = 1, last = Number.MAX_SAFE_INTEGER } = {},
): Promise<Map<number, ServedFigures>> {
  const { rows } = await pool.query<{ id: number } & ServedFigures>(
    `SELECT product_structure_version_id::float8 AS id, number_of_completed_operations::float8 AS operations,
       ${TIMES.join(', ')}
     FROM takt.product_structure_versions JOIN takt.companies USING (company_id)
     WHERE code = $1 AND product_structure_version_id BETWEEN $2 AND $3 ORDER BY id`,
    [database, first, last],
  );
  return new Map(rows.map(({ id, ...figures }) => [id, figures]));
}
