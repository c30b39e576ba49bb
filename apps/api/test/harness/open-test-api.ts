import { type Database, openDatabase } from '@takt/database';
import { createLogger } from '@takt/runtime';
import { createTestDatabase } from '@takt/test-support';
import { createStatementCache } from '../../src/query/statement-cache.js';
import type { ApiDependencies } from '../../src/service/answer-resource.js';

export const BASE_URL = 'https://takt.example/api';
/** Company TEM-NO, whose rows the tests insert. */
export const COMPANY = 1;
/** Company OTHER. */
export const OTHER_COMPANY = 2;

/** A statement as it was handed to the pool. */
export interface SentStatement {
  readonly name: string | undefined;
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface TestApi extends ApiDependencies {
  /** The database as its owner sees it. */
  readonly database: Database;
  /** The pool of the owner, who may write. */
  readonly owner: Database['pool'];
  /** The pool in the role of the API, of which nothing is written down. */
  readonly reader: Database['pool'];
  /** All that was handed to `pool` so far; may be emptied. */
  readonly sent: SentStatement[];
  close(): Promise<void>;
}

/** What requests are answered with: a database of its own with two companies, read in the role of the API. */
export async function openTestApi(): Promise<TestApi> {
  const test = await createTestDatabase();
  const owner = test.database.pool;
  await owner.query(`INSERT INTO takt.companies (code, name) VALUES ('TEM-NO', 'Tem'), ('OTHER', 'Other')`);
  const reader = openDatabase({
    url: test.url,
    role: 'takt_api',
    applicationName: 'takt api test',
    settings: { jit: 'off' },
  });
  const sent: SentStatement[] = [];
  return {
    pool: recordingPool(reader.pool, sent),
    findToken: async () => undefined,
    statementOf: createStatementCache(),
    baseUrl: BASE_URL,
    logger: createLogger({ app: 'api test', level: 'silent', isTerminal: false }),
    database: test.database,
    owner,
    reader: reader.pool,
    sent,
    close: async () => {
      await reader.close();
      await test.close();
    },
  };
}

/** The real pool, of which every query is written down before it runs. */
function recordingPool(pool: Database['pool'], sent: SentStatement[]): Database['pool'] {
  return new Proxy(pool, {
    get: (target, property) => {
      const member: unknown = Reflect.get(target, property, target);
      if (property !== 'query' || typeof member !== 'function') return member;
      return (...given: unknown[]): unknown => {
        sent.push(toSent(given[0]));
        return Reflect.apply(member, target, given);
      };
    },
  });
}

function toSent(query: unknown): SentStatement {
  if (typeof query !== 'object' || query === null || !('text' in query) || !('values' in query)) {
    throw new Error('the pipeline sends statements with their values apart');
  }
  return {
    name: 'name' in query ? String(query.name) : undefined,
    text: String(query.text),
    values: Array.isArray(query.values) ? query.values : [],
  };
}
