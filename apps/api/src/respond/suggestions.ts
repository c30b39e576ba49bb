import type { ListResource } from '@takt/catalogue/resources';
import { type SQLWrapper, sql } from 'drizzle-orm';
import type { Identity } from '../parse/establish-identity.js';
import { COMPANY_KEY } from '../sql/list-sql.js';
import { runStatement } from '../sql/run-statement.js';
import { enterLimiter, type PageSource } from './find-page.js';

/** No name is so long; comparing a longer text with all names takes seconds. */
const MAX_CHARACTERS = 100;

/** Finds what may help a reader whose list is empty. */
export interface Suggestions {
  /**
   * The names of a list that are most similar to the text of a search: at most five, the most similar first. undefined if
   * there are none, if the text is too long, or if finding them takes too long.
   */
  similarNames(list: ListResource, search: string): Promise<readonly string[] | undefined>;
  /** The newest month with data, as `yyyy-MM`. undefined if the list has no periods or no data, or if it takes too long. */
  newestMonth(list: ListResource): Promise<string | undefined>;
}

/** @param endMs the deadline of all suggestions, in the time of performance.now() */
export function openSuggestions(asker: Identity, source: PageSource, endMs: number): Suggestions {
  const { pool, replica, statementOf, longStatements } = source;
  const find = async <Value>(
    key: string,
    value: SQLWrapper,
    values: Readonly<Record<string, unknown>>,
  ): Promise<Value | undefined> => {
    const statement = statementOf({
      key,
      isPlannedOnce: false,
      canBeNarrowed: true,
      build: () => sql`SELECT ${value} AS value, ${COMPANY_KEY}`,
    });
    const server = replica?.poolToRead() ?? pool;
    try {
      const leave = await enterLimiter(longStatements, asker, endMs);
      const found = runStatement<{ value: Value | null }>(server, asker.company, statement, values, endMs);
      const [row] = await found.finally(leave);
      return row?.value ?? undefined;
    } catch {
      // The page is complete even without suggestions, so a failure is ignored.
      return undefined;
    }
  };
  return {
    similarNames: async ({ path, similarNames }, search) => {
      if (similarNames === undefined || search === '' || search.length > MAX_CHARACTERS) return undefined;
      const names = similarNames(sql`${sql.placeholder('search')}::text`);
      const found = await find<readonly string[]>(`similar names of ${path}`, names, { search });
      return found?.length === 0 ? undefined : found;
    },
    newestMonth: async ({ inPeriod }) => {
      const month = inPeriod?.newestMonth;
      return month && find<string>('newest month', month, { company: asker.company.companyId });
    },
  };
}
