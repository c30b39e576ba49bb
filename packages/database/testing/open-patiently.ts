import { type AppName, type Database, openDatabase } from '../src/index.js';

export interface TestDatabase {
  /** The address for the owner, a superuser. */
  readonly url: string;
  /** The address for the log-in of an app. */
  readonly appUrl: (app: AppName) => string;
  readonly database: Database;
  close(): Promise<void>;
}

/** Opens a database for a test: what it asks is answered, however busy the machine is. */
export function openPatiently(url: string): Database {
  return openDatabase({
    ...{ url, applicationName: 'takt test', maxConnections: 10 },
    ...{ connectDeadlineMs: 60_000, statementTimeoutMs: 120_000 },
  });
}
