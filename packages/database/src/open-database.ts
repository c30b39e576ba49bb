import pg from 'pg';

/** The roles that the migrations make. */
export type AppRole = 'takt_worker' | 'takt_api' | 'takt_intake' | 'takt_dashboard';

export interface DatabaseOptions {
  readonly url: string;
  /**
   * Taken by each connection, where the URL is that of an owner; a convenience and no wall, the session may leave it. An
   * app's log-in holds its role and takes none.
   */
  readonly role?: AppRole | undefined;
  /** Shown in pg_stat_activity, so that an operator sees whose connection it is. */
  readonly applicationName: string;
  readonly maxConnections?: number;
  /** The server ends a statement that runs longer. */
  readonly statementTimeoutMs?: number;
  /** To wait for a connection, from the pool or the server; default 5 s. */
  readonly connectDeadlineMs?: number;
  /** Whether connections stay open while nothing is asked, so that the next question need not wait for one. Default: for 10 s. */
  readonly keepsConnections?: boolean;
  /** Settings of the session besides, e.g. jit=off. */
  readonly settings?: Readonly<Record<string, string>>;
  /** What happens to idle connections: told here, never thrown; the pool replaces them by itself. */
  readonly onError?: (error: Error) => void;
}

/** A connection that the pool lends. */
export type PoolClient = pg.PoolClient;

export interface Database {
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

const CONNECT_DEADLINE_MS = 5_000;
/** Past the server's own limit, so that the client gives up only where the server can no longer answer. */
const CLIENT_MARGIN_MS = 2_000;
const CLOSE_DEADLINE_MS = 5_000;
const IDLE_MS = 10_000;

/**
 * A pool of connections to the database of `url`, with `search_path` takt and UTC. Nothing is connected until the
 * first query. A query fails rather than waits for ever: `connectDeadlineMs`, then `statementTimeoutMs` (default 30 s).
 */
export function openDatabase(options: DatabaseOptions): Database {
  const statementTimeoutMs = options.statementTimeoutMs ?? 30_000;
  const settings = [
    '-c search_path=takt,public',
    `-c statement_timeout=${statementTimeoutMs}`,
    '-c TimeZone=UTC',
  ];
  for (const [name, value] of Object.entries(options.settings ?? {})) settings.push(`-c ${name}=${value}`);
  if (options.role !== undefined) settings.push(`-c role=${options.role}`);
  const onError = options.onError ?? (() => undefined);
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: options.applicationName,
    max: options.maxConnections ?? 4,
    options: settings.join(' '),
    connectionTimeoutMillis: options.connectDeadlineMs ?? CONNECT_DEADLINE_MS,
    query_timeout: statementTimeoutMs + CLIENT_MARGIN_MS,
    idleTimeoutMillis: options.keepsConnections === true ? 0 : IDLE_MS,
    keepAlive: true,
  });
  pool.on('error', onError);
  // A client that is checked out does not tell the pool; unheard, its error would end the process.
  pool.on('connect', (client) => {
    client.on('error', onError);
  });
  return {
    pool,
    close: () => Promise.race([pool.end(), elapsed(CLOSE_DEADLINE_MS)]),
  };
}

function elapsed(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
