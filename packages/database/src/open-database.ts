import pg from 'pg';
import { BASIC_SETTINGS } from './session-settings.js';

/** The roles that the migrations make. */
export type AppRole = 'takt_worker' | 'takt_api' | 'takt_intake' | 'takt_dashboard';

/** Stands between an app and PostgreSQL. */
export type Pooler = 'transaction';

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
  /** `transaction`: a pooler lends a session for a transaction each, so nothing that is set in one is there in the next. */
  readonly pooler?: Pooler | undefined;
  /** A cluster: its nodes do not know what is set in a session, but in a transaction. */
  readonly isCluster?: boolean | undefined;
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
 * first query. Behind a pooler, its log-in gives a session its settings instead. A query fails rather than waits for ever: `connectDeadlineMs`, then `statementTimeoutMs` (default 30 s).
 */
export function openDatabase(options: DatabaseOptions): Database {
  const statementTimeoutMs = options.statementTimeoutMs ?? 30_000;
  const settings = {
    ...BASIC_SETTINGS,
    statement_timeout: String(statementTimeoutMs),
    ...options.settings,
    ...(options.role && { role: options.role }),
  };
  const onError = options.onError ?? (() => undefined);
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: options.applicationName,
    max: options.maxConnections ?? 4,
    ...(options.pooler === undefined
      ? {
          options: Object.entries(settings)
            .map(([name, value]) => `-c ${name}=${value.replaceAll(/[\s\\]/g, '\\$&')}`)
            .join(' '),
        }
      : { Client: UnnamedClient }),
    connectionTimeoutMillis: options.connectDeadlineMs ?? CONNECT_DEADLINE_MS,
    query_timeout: statementTimeoutMs + CLIENT_MARGIN_MS,
    idleTimeoutMillis: options.keepsConnections === true ? 0 : IDLE_MS,
    keepAlive: true,
  });
  if (options.pooler !== undefined || options.isCluster === true) withoutSession.add(pool);
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

const withoutSession = new WeakSet<pg.Pool>();

/** True if the next statement still has the settings of its session: not behind a pooler, and not in a cluster. */
export const keepsSessions = (pool: pg.Pool): boolean => !withoutSession.has(pool);

/** Prepares nothing under a name: the next transaction may be in a session that does not know it. */
class UnnamedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const query = this.query.bind(this);
    const unnamed = (asked: unknown, ...rest: unknown[]): unknown =>
      Reflect.apply(query, this, [isNamed(asked) ? { ...asked, name: undefined } : asked, ...rest]);
    Object.defineProperty(this, 'query', { value: unnamed, writable: true, configurable: true });
  }
}

const isNamed = (asked: unknown): asked is { readonly name: string; readonly text: string } =>
  typeof asked === 'object' && asked !== null && 'name' in asked && 'text' in asked && !('submit' in asked);

function elapsed(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
