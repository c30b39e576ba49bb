import type pg from 'pg';

/** The average, the shortest time, the longest time and the deviation, in hours with 6 decimals. */
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

/**
 * Reads the 13 figures of each structure version of a company as text, by id. Without a range, it reads all structure
 * versions.
 */
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

/** The figures of a month as the API serves them. The instant of the last completion is in UTC, to the microsecond. */
export interface MonthlyFigures extends ServedFigures {
  readonly last: string | null;
}

/** The figures of each month, such as `2024-01`. A month without operations is missing. */
export type FiguresByMonth = Readonly<Record<string, MonthlyFigures>>;

const MONTHLY_TIMES = ['run', 'setup', 'cleanup'].map((time) => {
  const sums = `${time === 'run' ? 'number_of_completed_operations' : `${time}_time_count`}, ${time}_time_sum`;
  const figures = [
    `takt.average_microhours(${sums})`,
    `shortest_${time}_time`,
    `longest_${time}_time`,
    `takt.population_deviation_microhours(${sums}, ${time}_time_sum_of_squares)`,
  ];
  return `ARRAY[${figures.map((figure) => `${figure} * 0.000001`).join(', ')}]::text[] AS ${time}`;
});

/** Reads the months of each structure version of a company, by id. Without a range, it reads all structure versions. */
export async function readMonthlyFigures(
  pool: pg.Pool,
  database: string,
  { first = 1, last = Number.MAX_SAFE_INTEGER } = {},
): Promise<Map<number, FiguresByMonth>> {
  const { rows } = await pool.query<{ id: number; month: string } & MonthlyFigures>(
    `SELECT product_structure_version_id::float8 AS id, to_char(month, 'YYYY-MM') AS month,
       number_of_completed_operations::float8 AS operations, ${MONTHLY_TIMES.join(', ')},
       to_char(last_completed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS last
     FROM takt.monthly_figures JOIN takt.companies USING (company_id)
     WHERE code = $1 AND product_structure_version_id BETWEEN $2 AND $3 AND number_of_completed_operations <> 0`,
    [database, first, last],
  );
  const byVersion = new Map<number, FiguresByMonth>();
  for (const { id, month, ...figures } of rows) {
    byVersion.set(id, { ...byVersion.get(id), [month]: figures });
  }
  return byVersion;
}
