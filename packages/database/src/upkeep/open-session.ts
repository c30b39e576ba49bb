import pg from 'pg';

const CONNECT_DEADLINE_MS = 20_000;

export interface SessionOptions {
  readonly url: string;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  /** Limit of a statement on the server. */
  readonly statementTimeoutMs: number;
  /** Limit for waiting for a lock. */
  readonly lockTimeoutMs: number;
}

/**
 * Runs work on a new connection and closes it afterwards in any case. The server then rolls back an open transaction,
 * even within a COPY, which accepts no ROLLBACK. Text is UTF-8, times are UTC, the search path is empty.
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
    // Detects a dead connection during a statement that runs for hours.
    keepAlive: true,
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  });
  // A lost connection also rejects the running statement.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
