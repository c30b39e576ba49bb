import type { ListResource } from '@takt/catalogue/resources';
import { sql } from 'drizzle-orm';
import { COMPANY_KEY } from '../query/list-sql.js';
import { runStatement } from '../query/run-statement.js';
import { type Asker, enterLimiter, type PageSource } from './find-page.js';

/**
 * The names of a list most like what was sought, nearest first, at most five; undefined where there are none, or none in time.
 * @param endMs by performance.now
 */
export async function findSimilarNames(
  { path, similarNames }: ListResource,
  sought: string,
  asker: Asker,
  { pool, replica, statementOf, longStatements }: PageSource,
  endMs: number,
): Promise<readonly string[] | undefined> {
  if (similarNames === undefined || sought === '') return undefined;
  const found = similarNames(sql`${sql.placeholder('sought')}::text`);
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
      { sought },
      endMs,
    ).finally(leave);
    return row === undefined || row.names.length === 0 ? undefined : row.names;
  } catch {
    // The page says that nothing was found, which is true without them.
    return undefined;
  }
}
