import type { ListResource } from '@takt/catalogue/resources';
import { sql } from 'drizzle-orm';
import { COMPANY_KEY } from '../query/list-sql.js';
import { runStatement } from '../query/run-statement.js';
import { type Asker, enterLimiter, type PageSource } from './find-page.js';

/** No name is so long; comparing a longer text with all names takes seconds. */
const MAX_CHARACTERS = 100;

/**
 * Finds the names of a list that are most similar to the text of a search. Returns at most five names, the most similar
 * first; undefined if there are none, if the text is too long, or if finding them takes too long.
 * @param endMs the deadline, in the time of performance.now()
 */
export async function findSimilarNames(
  { path, similarNames }: ListResource,
  search: string,
  asker: Asker,
  { pool, replica, statementOf, longStatements }: PageSource,
  endMs: number,
): Promise<readonly string[] | undefined> {
  if (similarNames === undefined || search === '' || search.length > MAX_CHARACTERS) return undefined;
  const found = similarNames(sql`${sql.placeholder('search')}::text`);
  const statement = statementOf({
    key: `similar names of ${path}`,
    isPlannedOnce: false,
    canBeNarrowed: true,
    build: () => sql`SELECT ${found} AS names, ${COMPANY_KEY}`,
  });
  const server = replica?.poolToRead() ?? pool;
  try {
    const leave = await enterLimiter(longStatements, asker, endMs);
    const [row] = await runStatement<{ names: readonly string[] }>(
      server,
      asker.company,
      statement,
      { search },
      endMs,
    ).finally(leave);
    return row === undefined || row.names.length === 0 ? undefined : row.names;
  } catch {
    // The page is complete even without similar names, so a failure is ignored.
    return undefined;
  }
}
