import pg from 'pg';
import { BASIC_SETTINGS } from './session-settings.js';

/** The roles that the migrations create. */
export type AppRole = 'takt_worker' | 'takt_api' | 'takt_intake' | 'takt_dashboard';

export type Pooler = 'transaction';

export interface DatabaseOptions {
  readonly url: string;
  /**
   * The role that each connection sets if the URL is that of an owner. It is not a security boundary, because the
   * session can reset the role. The log-in of an app holds its role already and sets none.
   */
  readonly role?: AppRole | undefined;
  /** Name of the application, which pg_stat_activity shows. */
  readonly applicationName: string;
  readonly maxConnections?: number;
  /** Maximum time of a statement on the server, in milliseconds. */
  readonly statementTimeoutMs?: number;
  /** Maximum time to get a connection, from the pool or from the server, in milliseconds. Default 5,000. */
  readonly connectDeadlineMs?: number;
  /**
   * Keeps idle connections open, so that the next query need not connect. By default an idle connection is kept for 10
   * s.
   */
  readonly keepsConnections?: boolean;
  /** Further settings of the sessions, e.g. jit=off. */
  readonly settings?: Readonly<Record<string, string>>;
  /**
   * The kind of pooler. A pooler of kind `transaction` lends a session only for a transaction, so settings that were
   * made in one transaction are lost in the next.
   */
  readonly pooler?: Pooler | undefined;
  /**
   * True if the database is a cluster. The nodes of a cluster know the settings of a transaction, but not the settings
   * of a session.
   */
  readonly isCluster?: boolean | undefined;
  /** Receives the errors of idle connections. The pool replaces these connections. */
  readonly onError?: (error: Error) => void;
}

export type PoolClient = pg.PoolClient;

export interface Database {
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

const CONNECT_DEADLINE_MS = 5_000;
/**
 * Milliseconds that the client waits longer than the server's limit, so that it gives up only if the server does not
 * answer.
 */
const CLIENT_MARGIN_MS = 2_000;
const CLOSE_DEADLINE_MS = 5_000;
const IDLE_MS = 10_000;

/**
 * Opens a pool of connections to the database of `url`. Sessions have the `search_path` takt and the time zone UTC. The
 * pool connects at the first query. Behind a pooler, the settings come from the log-in instead of the session. A query
 * may wait `connectDeadlineMs` for a connection, and then run for `statementTimeoutMs` (default 30 s).
 */
export function openDatabase(options: DatabaseOptions): Database {
  const statementTimeoutMs = options.statementTimeoutMs ?? 30_000;
  const settings = {
    ...BASIC_SETTINGS,
    statement_timeout: String(statementTimeoutMs),
    // A node that runs statements on its own rows itself cannot plan some of them ("failed to postpone qual").
    ...(options.isCluster === true && { 'citus.enable_local_execution': 'off' }),
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
  // The pool does not listen for errors of clients that are in use, and an unhandled error would end the process.
  pool.on('connect', (client) => {
    client.on('error', onError);
  });
  return {
    pool,
    close: () => Promise.race([pool.end(), elapsed(CLOSE_DEADLINE_MS)]),
  };
}

const withoutSession = new WeakSet<pg.Pool>();

/**
 * Returns true if settings of a session last until the next statement. This is not so behind a pooler and in a cluster.
 */
export const keepsSessions = (pool: pg.Pool): boolean => !withoutSession.has(pool);

/** A client that prepares no named statements, because the next transaction may run in another session. */
class UnnamedClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config);
    const query = this.query.bind(this);
    const unnamed = (statement: unknown, ...rest: unknown[]): unknown =>
      Reflect.apply(query, this, [
        isNamed(statement) ? { ...statement, name: undefined } : statement,
        ...rest,
      ]);
    Object.defineProperty(this, 'query', { value: unnamed, writable: true, configurable: true });
  }
}

const isNamed = (statement: unknown): statement is { readonly name: string; readonly text: string } =>
  typeof statement === 'object' &&
  statement !== null &&
  'name' in statement &&
  'text' in statement &&
  !('submit' in statement);

function elapsed(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
