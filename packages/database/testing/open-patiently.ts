import { type AppName, type Database, openDatabase } from '../src/index.js';

export interface TestDatabase {
  /** The URL of the owner, a superuser. */
  readonly url: string;
  /** The URL of an app's log-in. */
  readonly appUrl: (app: AppName) => string;
  readonly database: Database;
  close(): Promise<void>;
}

/** Opens a database for a test with long deadlines, for busy machines. */
export function openPatiently(url: string): Database {
  return openDatabase({
    ...{ url, applicationName: 'takt test', maxConnections: 10 },
    ...{ connectDeadlineMs: 60_000, statementTimeoutMs: 120_000 },
  });
}
