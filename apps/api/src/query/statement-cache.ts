import { fillPlaceholders, type SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';

/** A statement without its values: one for each shape of a request. */
export interface Statement {
  readonly text: string;
  /** Under this name a connection prepares the statement once. undefined: there are too many shapes already. */
  readonly name: string | undefined;
  /** The values in the order in which the text has them. */
  bind(values: Readonly<Record<string, unknown>>): unknown[];
}

/** Shapes whose text is kept. */
const MAX_STATEMENTS = 500;
/** Each is kept by each connection of the server for its life: a client that invents shapes must not fill it. */
const MAX_NAMES = 250;

/** Builds the statement of a shape once; the shape is known by a text. */
export function createStatementCache(): (shape: string, build: () => SQL) => Statement {
  const statements = new Map<string, Statement>();
  const dialect = new PgDialect();
  let names = 0;
  return (shape, build) => {
    const known = statements.get(shape);
    if (known !== undefined) {
      // Written last is used last: the oldest is the first of the map.
      statements.delete(shape);
      statements.set(shape, known);
      return known;
    }
    const { sql: text, params } = dialect.sqlToQuery(build());
    const statement: Statement = {
      text,
      name: names < MAX_NAMES ? `takt_${++names}` : undefined,
      bind: (values) => fillPlaceholders(params, { ...values }),
    };
    statements.set(shape, statement);
    const [oldest] = statements.keys();
    if (statements.size > MAX_STATEMENTS && oldest !== undefined) statements.delete(oldest);
    return statement;
  };
}
