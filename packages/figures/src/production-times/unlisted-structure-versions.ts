import { askAboutCompanies } from '@takt/database';
import type pg from 'pg';
import type { VersionName } from './object-names.js';
import { readCompanies } from './read-pages.js';

/** A structure version that has completed operations but is in no list, because its master data have not arrived. */
export interface UnlistedStructureVersion extends VersionName {
  readonly database: string;
  readonly operations: number;
}

export interface UnlistedSummary {
  readonly database: string;
  readonly structureVersions: number;
  readonly operations: number;
}

const PAGE = 1_000;

/**
 * Yields the unlisted structure versions in pages, sorted by company and id: of the company `only`, or of all companies but
 * those of `without`. Rejects if the company is not registered. The role takt_worker is enough.
 */
export async function* listUnlistedStructureVersions(
  pool: pg.Pool,
  { only, without = [] }: { readonly only?: string | undefined; readonly without?: readonly string[] } = {},
): AsyncGenerator<readonly UnlistedStructureVersion[]> {
  for (const { companyId, code } of await readCompanies(pool, only)) {
    if (without.includes(code)) continue;
    for (let after: string | undefined = '0'; after !== undefined; ) {
      const { rows }: pg.QueryResult<{ id: string; key: string | null; operations: string }> =
        await pool.query(
          `SELECT product_structure_version_id AS id, product_structure_version_key AS key, number_of_completed_operations AS operations
         FROM takt.product_structure_versions
         WHERE company_id = $1 AND product_structure_version_id > $2 AND changed_at IS NULL
           AND number_of_completed_operations > 0
         ORDER BY product_structure_version_id LIMIT ${PAGE}`,
          [companyId, after],
        );
      after = rows.at(-1)?.id;
      yield rows.map(({ id, key, operations }) => ({
        database: code,
        productStructureVersionId: Number(id),
        productStructureVersionKey: key,
        operations: Number(operations),
      }));
    }
  }
}

/**
 * Counts the unlisted structure versions of each company. Companies without any have the count 0; those whose node is away are
 * left out. The role takt_worker is enough.
 */
export async function countUnlistedStructureVersions(pool: pg.Pool): Promise<readonly UnlistedSummary[]> {
  const { rows } = await askAboutCompanies<{ database: string; versions: string; operations: string }>(
    pool,
    `SELECT company.code AS database, count(version.company_id) AS versions,
       coalesce(sum(version.number_of_completed_operations), 0) AS operations
     FROM takt.companies company
     LEFT JOIN takt.product_structure_versions version
       ON version.company_id = company.company_id AND version.company_id = ANY ($1) AND version.changed_at IS NULL
         AND version.number_of_completed_operations > 0
     WHERE company.company_id = ANY ($1)
     GROUP BY company.code ORDER BY company.code`,
  );
  return rows.map(({ database, versions, operations }) => {
    return { database, structureVersions: Number(versions), operations: Number(operations) };
  });
}
