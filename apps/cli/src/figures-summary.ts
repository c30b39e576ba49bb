import type { Database } from '@takt/database';

export interface FiguresSummary {
  readonly structureVersions: number;
  readonly completedOperations: number;
}

/** Counts the structure versions and their completed operations. */
export async function readFiguresSummary({ pool }: Database): Promise<FiguresSummary> {
  const { rows } = await pool.query<{ structure_versions: string; completed: string }>(
    `SELECT count(*) AS structure_versions, coalesce(sum(number_of_completed_operations), 0) AS completed
     FROM takt.product_structure_versions`,
  );
  return {
    structureVersions: Number(rows[0]?.structure_versions ?? 0),
    completedOperations: Number(rows[0]?.completed ?? 0),
  };
}
