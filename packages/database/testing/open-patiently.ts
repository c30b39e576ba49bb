import { type AppName, type Database, openDatabase } from '../src/index.js';

export interface TestDatabase {
  /** The URL for the owner, who is a superuser. */
  readonly url: string;
  /** Returns the URL for the log-in of an app. */
  readonly appUrl: (app: AppName) => string;
  readonly database: Database;
  close(): Promise<void>;
}

/** Opens a database for a test. The deadlines are long, because the machine may be busy. */
export function openPatiently(url: string): Database {
  return openDatabase({
    ...{ url, applicationName: 'takt test', maxConnections: 10 },
    ...{ connectDeadlineMs: 60_000, statementTimeoutMs: 120_000 },
  });
}
