import { fillPlaceholders, type SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';

/** A statement without its values: one for each shape of a request. */
export interface Statement {
  readonly text: string;
  /** Under this name, which no other text ever gets, a connection prepares the statement once; undefined: it does not. */
  readonly name: string | undefined;
  /** Whether a client can ask for less, so that it takes less time. */
  readonly canBeNarrowed: boolean;
  /** The values in the order in which the text has them. */
  bind(values: Readonly<Record<string, unknown>>): unknown[];
}

/** Shapes whose text is kept. */
const MAX_STATEMENTS = 500;
/** In characters of its key: a filter may be so large that hundreds of them would fill the memory. */
const MAX_KEPT_KEY = 10_000;

export interface StatementShape {
  /** Equal for two shapes only where their statements are the same. */
  readonly key: string;
  /**
   * Whether one plan is good for all values: then it is prepared. A filter is planned for its values, or the plan for
   * any value is taken, which looks cheap and reads the table for a value that leaves a thousandth of it.
   */
  readonly isPlannedOnce: boolean;
  readonly canBeNarrowed?: boolean;
  readonly build: () => SQL;
}

export type StatementOf = (shape: StatementShape) => Statement;

/** Builds the statement of a shape once. */
export function createStatementCache(): StatementOf {
  const statements = new Map<string, Statement>();
  const dialect = new PgDialect();
  let names = 0;
  return ({ key, isPlannedOnce, canBeNarrowed = false, build }) => {
    const known = statements.get(key);
    if (known !== undefined) {
      // Written last is used last: the oldest is the first of the map.
      statements.delete(key);
      statements.set(key, known);
      return known;
    }
    const isKept = key.length <= MAX_KEPT_KEY;
    const { sql: text, params } = dialect.sqlToQuery(build());
    const statement: Statement = {
      text,
      name: isKept && isPlannedOnce ? `takt_${++names}` : undefined,
      canBeNarrowed,
      bind: (values) => fillPlaceholders(params, { ...values }),
    };
    if (!isKept) return statement;
    statements.set(key, statement);
    const [oldest] = statements.keys();
    if (statements.size > MAX_STATEMENTS && oldest !== undefined) statements.delete(oldest);
    return statement;
  };
}
