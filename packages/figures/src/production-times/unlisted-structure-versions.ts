import type pg from 'pg';
import { readCompanies } from './read-pages.js';

/** A structure version that has completed operations but is in no list, because its master data have not arrived. */
export interface UnlistedStructureVersion {
  readonly database: string;
  readonly productStructureVersionId: number;
  /** Number of completed operations of the structure version. */
  readonly operations: number;
}

export interface UnlistedSummary {
  readonly database: string;
  readonly structureVersions: number;
  readonly operations: number;
}

const PAGE = 1_000;

/**
 * Yields the unlisted structure versions of one or all companies in pages, sorted by company and id. Rejects if the
 * company is not registered. The role takt_worker is enough.
 */
export async function* listUnlistedStructureVersions(
  pool: pg.Pool,
  database?: string,
): AsyncGenerator<readonly UnlistedStructureVersion[]> {
  for (const { companyId, code } of await readCompanies(pool, database)) {
    for (let after: string | undefined = '0'; after !== undefined; ) {
      const { rows }: pg.QueryResult<{ id: string; operations: string }> = await pool.query(
        `SELECT product_structure_version_id AS id, number_of_completed_operations AS operations
         FROM takt.product_structure_versions
         WHERE company_id = $1 AND product_structure_version_id > $2 AND changed_at IS NULL
           AND number_of_completed_operations > 0
         ORDER BY product_structure_version_id LIMIT ${PAGE}`,
        [companyId, after],
      );
      after = rows.at(-1)?.id;
      yield rows.map(({ id, operations }) => {
        return { database: code, productStructureVersionId: Number(id), operations: Number(operations) };
      });
    }
  }
}

/**
 * Counts the unlisted structure versions of each company. Companies without any have the count 0. The role takt_worker
 * is enough.
 */
export async function countUnlistedStructureVersions(pool: pg.Pool): Promise<readonly UnlistedSummary[]> {
  const { rows } = await pool.query<{ database: string; versions: string; operations: string }>(
    `SELECT company.code AS database, count(version.company_id) AS versions,
       coalesce(sum(version.number_of_completed_operations), 0) AS operations
     FROM takt.companies company
     LEFT JOIN takt.product_structure_versions version
       ON version.company_id = company.company_id AND version.changed_at IS NULL
         AND version.number_of_completed_operations > 0
     GROUP BY company.code ORDER BY company.code`,
  );
  return rows.map(({ database, versions, operations }) => {
    return { database, structureVersions: Number(versions), operations: Number(operations) };
  });
}
