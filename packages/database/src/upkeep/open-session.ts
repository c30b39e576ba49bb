import pg from 'pg';

const CONNECT_DEADLINE_MS = 20_000;

export interface SessionOptions {
  readonly url: string;
  /** Name of the application, which pg_stat_activity shows. */
  readonly applicationName: string;
  /** Maximum time of a statement on the server, in milliseconds. */
  readonly statementTimeoutMs: number;
  /** Maximum time to wait for a lock, in milliseconds. */
  readonly lockTimeoutMs: number;
  /** Further settings of the session, without spaces in their values. */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * Runs work on a new connection, and closes the connection afterwards in any case. When the connection is closed, the
 * server rolls back an open transaction. This works even within a COPY, which does not accept ROLLBACK. In the session,
 * text is UTF-8, times are in UTC and the search path is empty.
 */
export async function withSession<Result>(
  { url, applicationName, statementTimeoutMs, lockTimeoutMs, settings: further }: SessionOptions,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const settings = {
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: 0,
    TimeZone: 'UTC',
    DateStyle: 'ISO',
    search_path: '',
    ...further,
  };
  const client = new pg.Client({
    connectionString: url,
    application_name: applicationName,
    connectionTimeoutMillis: CONNECT_DEADLINE_MS,
    client_encoding: 'UTF8',
    // Keep-alive detects a dead connection during a statement that runs for hours.
    keepAlive: true,
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  });
  // The error can be ignored here, because a lost connection also rejects the running statement.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
