import type { AppName, Database } from '@takt/database';

export interface TestDatabase {
  /** Of the owner, a superuser. */
  readonly url: string;
  /** Of the log-in of an app. */
  readonly appUrl: (app: AppName) => string;
  readonly database: Database;
  close(): Promise<void>;
}

/** What a test itself asks is answered, however busy the machine is. */
export const PATIENT = { connectDeadlineMs: 60_000, statementTimeoutMs: 120_000 };

/** The URL of another database on the same server. */
export function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
