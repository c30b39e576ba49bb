import { createStatementCache, type StatementOf } from '../../src/sql/statement-cache.js';
import { comparable, type HttpAnswer } from '../support/http-client.js';
import type { ServedDifferently } from '../support/serve-api.js';

/** The ways to serve two companies from one database. Each of them must keep the companies apart. */
export const variants: readonly {
  readonly name: string;
  readonly changes: () => ServedDifferently;
}[] = [
  { name: 'as the service asks', changes: () => ({}) },
  {
    name: 'with no company in any statement, so by the database alone',
    changes: () => ({ statementOf: withoutCompany() }),
  },
];

/**
 * Returns the parts of an answer that must be equal. Removes entity tags, page keys and lengths that depend on page
 * keys, because they encode the request.
 */
export function withoutKeys(answer: HttpAnswer): string {
  const { status, headers, body } = comparable(answer);
  const { etag: _, 'content-length': __, ...others } = headers;
  return JSON.stringify({ status, others, body: body.replace(/(pageKey=)[\w-]+/gi, '$1') });
}

const COMPANY_CONDITION = /[\w".]+\bcompany_id"? = (\$\d+)::integer/g;

/**
 * Creates statements without the condition for the company, so that they read the rows of every company. The parameters
 * stay the same.
 */
export function withoutCompany(): StatementOf {
  const statementOf = createStatementCache();
  return (shape) => {
    const statement = statementOf(shape);
    const text = statement.text.replaceAll(COMPANY_CONDITION, '$1::integer IS NOT NULL');
    const isLeft = text === statement.text && /company_id/.test(text);
    if (isLeft) throw new Error(`a company is asked for: ${text}`);
    // The statement has no name. A connection would otherwise reuse the prepared statement of this name with its
    // condition.
    return { ...statement, text, name: undefined };
  };
}
