import type pg from 'pg';

/** Hours with 6 decimals as text; null where no value was reported. */
export interface ServedTimes {
  readonly average: string | null;
  readonly shortest: string | null;
  readonly longest: string | null;
  readonly deviation: string | null;
}

export interface ServedFigures {
  readonly numberOfCompletedProductionWorkOrders: number;
  readonly run: ServedTimes;
  readonly setup: ServedTimes;
  readonly cleanup: ServedTimes;
}

const TIMES = ['run', 'setup', 'cleanup'].map(
  (time) => `'${time}', json_build_object(
    'average', average_${time}_time::text, 'shortest', shortest_${time}_time::text,
    'longest', longest_${time}_time::text, 'deviation', deviation_${time}_time::text)`,
);

/** All figures of a company as the table holds them, by the key of the structure version. */
export async function readServedFigures(
  pool: pg.Pool,
  companyCode: string,
): Promise<Readonly<Record<string, ServedFigures>>> {
  const { rows } = await pool.query<{ id: string; figures: ServedFigures }>(
    `SELECT product_structure_version_id AS id, json_build_object(
       'numberOfCompletedProductionWorkOrders', number_of_completed_operations, ${TIMES.join(', ')}) AS figures
     FROM takt.product_structure_versions JOIN takt.companies USING (company_id) WHERE code = $1`,
    [companyCode],
  );
  return Object.fromEntries(rows.map(({ id, figures }) => [id, figures]));
}
