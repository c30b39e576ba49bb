import { type AwayCompany, askAboutCompanies, type Database } from '@takt/database';

export interface FiguresSummary {
  readonly structureVersions: number;
  readonly completedOperations: number;
  /** The companies that are not counted, because their node in a cluster is away. */
  readonly away: readonly AwayCompany[];
}

export async function readFiguresSummary({ pool }: Database): Promise<FiguresSummary> {
  const { rows, away } = await askAboutCompanies<{ structure_versions: string; completed: string }>(
    pool,
    `SELECT count(*) AS structure_versions, coalesce(sum(number_of_completed_operations), 0) AS completed
     FROM takt.product_structure_versions WHERE company_id = ANY ($1)`,
  );
  return {
    structureVersions: Number(rows[0]?.structure_versions ?? 0),
    completedOperations: Number(rows[0]?.completed ?? 0),
    away: away.map(({ code, node }) => ({ code, node })),
  };
}
