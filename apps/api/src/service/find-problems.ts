import { catalogueRows } from '@takt/catalogue/errors';
import { servedDomains } from '@takt/catalogue/resources';
import { type Database, findStartupProblems, isSchemaNewer } from '@takt/database';
import { checkReadiness, watchDatabase } from '@takt/database/app';

/**
 * Returns a function that finds the reasons why the API is not ready. Each reason is a sentence that says what to do.
 * There are none if the API is ready.
 *
 * @param findPool returns the pool of the server that is chosen for reads at the moment
 */
export function watchReadiness(findPool: () => Database['pool']): () => Promise<readonly string[]> {
  const checkDatabase = watchDatabase(findPool, findUnfitness);
  return () => checkReadiness([checkDatabase()]);
}

/**
 * Finds the reasons why this program cannot work with the database. Rejects if the database does not answer. These
 * checks are repeated while the program runs, because the schema, the clocks and the texts may change.
 */
export async function findUnfitness(pool: Database['pool']): Promise<readonly string[]> {
  // Both run at once, because each answer of the database waits for its turn while the API is overloaded. The texts cannot
  // be read if the schema has another version, and then only the problems of the schema count.
  const missing = findMissingTexts(pool);
  missing.catch(() => undefined);
  const problems = await findStartupProblems(pool);
  return problems.length > 0 ? problems : missing;
}

interface ServedTexts {
  readonly what: string;
  /** A query that returns rows with a key and the English text for this key. */
  readonly statement: string;
  readonly known: ReadonlyMap<string, string>;
}

/** The texts of this program that are served from tables. Every error and every value must be in its table. */
const servedTexts: readonly ServedTexts[] = [
  {
    what: 'error messages',
    statement: 'SELECT error_message_id::text AS key, message AS text FROM takt.error_messages',
    known: new Map(catalogueRows().map(({ errorMessageId, message }) => [String(errorMessageId), message])),
  },
  {
    what: 'domain values',
    statement: `SELECT concat_ws('.', object, field, key) AS key, description AS text FROM takt.domain_values`,
    known: new Map(
      servedDomains().flatMap(({ object, field, values }) =>
        Object.entries(values).map(([key, { eng }]) => [`${object}.${field}.${key}`, eng] as const),
      ),
    ),
  },
];

async function findMissingTexts(pool: Database['pool']): Promise<readonly string[]> {
  const problems: string[] = [];
  // If the schema is from a newer Takt, that version may have changed texts. Then only the keys of this program must
  // exist in the tables.
  const mayDiffer = await isSchemaNewer(pool);
  for (const { what, statement, known } of servedTexts) {
    const { rows } = await pool.query<{ readonly key: string; readonly text: string }>(statement);
    const listed = new Map(rows.map(({ key, text }) => [key, text]));
    const isServed = (key: string, text: string) => (mayDiffer ? listed.has(key) : listed.get(key) === text);
    const missing = [...known].flatMap(([key, text]) => (isServed(key, text) ? [] : key));
    if (missing.length === 0) continue;
    problems.push(
      `the database has other ${what} than this program (${missing.join(', ')}): run takt migrate`,
    );
  }
  return problems;
}
