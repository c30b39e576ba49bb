import { type Database, openDatabase } from '@takt/database';
import { createTestDatabase, isTestedOnCluster, type TestDatabase } from '@takt/database/testing';
import { createLogger } from '@takt/run';
import type { ApiDependencies } from '../../src/respond/answer-resource.js';
import { createLongStatements } from '../../src/respond/find-page.js';
import { createStatementCache } from '../../src/sql/statement-cache.js';

export const BASE_URL = 'https://takt.example/api';
/** The id of company TEM-NO. Rows that tests insert belong to this company by default. */
export const COMPANY = 1;
/** The id of company OTHER. */
export const OTHER_COMPANY = 2;

/** A statement that was sent in a session of the pool. */
export interface SentStatement {
  readonly name: string | undefined;
  readonly text: string;
  readonly values: readonly unknown[];
}

export interface TestApi extends ApiDependencies {
  /** The database URL with the log-in of the API. */
  readonly url: string;
  /** Returns the URL of the same database with the log-in of another app. */
  readonly appUrl: TestDatabase['appUrl'];
  /** The database with the log-in of its owner. */
  readonly database: Database;
  /** The pool with the log-in of the owner, who may write. */
  readonly owner: Database['pool'];
  /** The keys of the companies, by company id. */
  readonly keys: ReadonlyMap<number, string>;
  /** A second pool with the log-in of the API. Its statements are not recorded. */
  readonly reader: Database['pool'];
  /** All statements that were sent through `pool`, in order. A test may empty the array. */
  readonly sent: SentStatement[];
  close(): Promise<void>;
}

/**
 * Creates a database with two companies for one test, and everything that requests need. Requests read the database
 * with the role of the API.
 */
export async function openTestApi(): Promise<TestApi> {
  const test = await createTestDatabase();
  const owner = test.database.pool;
  const { rows } = await owner.query<{ companyId: number; key: string }>(
    `INSERT INTO takt.companies (code, name) VALUES ('TEM-NO', 'Tem'), ('OTHER', 'Other')
     RETURNING company_id AS "companyId", access_key AS key`,
  );
  const url = test.appUrl('api');
  // Long timeouts, so that answers do not depend on the load of the machine.
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

/** Records each statement before it runs. Leaves out the statements that set the company and end its transaction. */
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

/**
 * Matches the statements that start and end a transaction for a company. Only tests on a cluster send them, because
 * each statement there has a separate transaction.
 */
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
