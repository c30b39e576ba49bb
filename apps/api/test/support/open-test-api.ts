import { type Database, openDatabase } from '@takt/database';
import { createTestDatabase, isTestedOnCluster, type TestDatabase } from '@takt/database/testing';
import { createLogger } from '@takt/run';
import { createStatementCache } from '../../src/query/statement-cache.js';
import type { ApiDependencies } from '../../src/service/answer-resource.js';
import { createLongStatements } from '../../src/service/find-page.js';

export const BASE_URL = 'https://takt.example/api';
/** Company TEM-NO, which owns the rows that tests insert. */
export const COMPANY = 1;
/** Company OTHER. */
export const OTHER_COMPANY = 2;

/** A statement as sent in a session of the pool. */
export interface SentStatement {
  readonly name: string | undefined;
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface TestApi extends ApiDependencies {
  /** URL of the API's log-in. */
  readonly url: string;
  /** URL of another app's log-in to the same database. */
  readonly appUrl: TestDatabase['appUrl'];
  /** The database with its owner's log-in. */
  readonly database: Database;
  /** The pool of the owner, who may write. */
  readonly owner: Database['pool'];
  /** By company id. */
  readonly keys: ReadonlyMap<number, string>;
  /** Another pool of the API's log-in, whose statements are not recorded. */
  readonly reader: Database['pool'];
  /** All statements that the pipeline has sent by `pool`; a test may empty the list. */
  readonly sent: SentStatement[];
  close(): Promise<void>;
}

/** A test's own database with two companies, read in the role of the API, with everything that requests need. */
export async function openTestApi(): Promise<TestApi> {
  const test = await createTestDatabase();
  const owner = test.database.pool;
  const { rows } = await owner.query<{ companyId: number; key: string }>(
    `INSERT INTO takt.companies (code, name) VALUES ('TEM-NO', 'Tem'), ('OTHER', 'Other')
     RETURNING company_id AS "companyId", access_key AS key`,
  );
  const url = test.appUrl('api');
  // Answers must not depend on the load of the machine.
  const patient = { connectDeadlineMs: 60_000, statementTimeoutMs: 60_000 };
  const open = () =>
    openDatabase({
      ...{ url, applicationName: 'takt api test', settings: { jit: 'off' }, ...patient },
      isCluster: isTestedOnCluster,
    });
  const [recorded, reader] = [open(), open()];
  const sent: SentStatement[] = [];
  recordStatements(recorded.pool, sent);
  return {
    pool: recorded.pool,
    findToken: async () => undefined,
    statementOf: createStatementCache(),
    longStatements: createLongStatements(),
    baseUrl: BASE_URL,
    logger: createLogger({ app: 'api test', level: 'silent', isTerminal: false }),
    url,
    appUrl: test.appUrl,
    database: test.database,
    owner,
    keys: new Map(rows.map(({ companyId, key }) => [companyId, key])),
    reader: reader.pool,
    sent,
    close: async () => {
      await Promise.all([recorded.close(), reader.close()]);
      await test.close();
    },
  };
}

/** Records each statement before it runs, except those that set the company and end its transaction. */
function recordStatements(pool: Database['pool'], sent: SentStatement[]): void {
  pool.on('connect', (client) => {
    const { query } = client;
    const recording = (...given: unknown[]): unknown => {
      if (!SETS_COMPANY.test(String(given[0]))) {
        const statement = toSent(given[0]);
        if (statement.name !== 'takt_company') sent.push(statement);
      }
      return Reflect.apply(query, client, given);
    };
    Object.defineProperty(client, 'query', { value: recording });
  });
}

/** On a cluster a statement has its own transaction. */
const SETS_COMPANY = /^(BEGIN READ ONLY; SET LOCAL takt\.company_key = '[^']*'|COMMIT)$/;

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
