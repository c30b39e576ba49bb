import pg from 'pg';

const CONNECT_DEADLINE_MS = 20_000;

export interface SessionOptions {
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** The server ends a statement that runs longer. */
  readonly statementTimeoutMs: number;
  /** The server gives a statement up that waits longer for a lock. */
  readonly lockTimeoutMs: number;
}

/**
 * Runs work on one connection of its own, which is closed however the work ends: the server then rolls back a transaction
 * that is open, also in the middle of a COPY, where it would take no ROLLBACK. Text is UTF-8, times are UTC, names are not looked up in any schema.
 */
export async function withSession<Result>(
  { url, applicationName, statementTimeoutMs, lockTimeoutMs }: SessionOptions,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const settings = {
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: 0,
    TimeZone: 'UTC',
    DateStyle: 'ISO',
    search_path: '',
  };
  const client = new pg.Client({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_DEADLINE_MS,
    client_encoding: 'UTF8',
    // A statement may take hours and say nothing: a link that has died must be noticed all the same.
    keepAlive: true,
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  });
  // A connection that is lost also rejects the statement under way.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
