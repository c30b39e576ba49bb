import pg from 'pg';
import { BASIC_SETTINGS } from './session-settings.js';

/** Roles created by the migrations. */
export type AppRole = 'takt_worker' | 'takt_api' | 'takt_intake' | 'takt_dashboard';

/** The kind of pooler between an app and PostgreSQL. */
export type Pooler = 'transaction';

export interface DatabaseOptions {
  readonly url: string;
  /**
   * The role that each connection sets if the URL is an owner's. Not a security boundary, since the session can reset
   * it. The log-in of an app holds its role already and sets none.
   */
  readonly role?: AppRole | undefined;
  /** Shown in pg_stat_activity. */
  readonly applicationName: string;
  readonly maxConnections?: number;
  /** Limit of a statement on the server. */
  readonly statementTimeoutMs?: number;
  /** Limit for getting a connection, from the pool or the server; default 5 s. */
  readonly connectDeadlineMs?: number;
  /** Keeps idle connections open, so that the next query need not connect. Default: for 10 s. */
  readonly keepsConnections?: boolean;
  /** Further settings of the session, e.g. jit=off. */
  readonly settings?: Readonly<Record<string, string>>;
  /**
   * `transaction`: a pooler lends sessions per transaction, so settings made in one transaction are lost in the next.
   */
  readonly pooler?: Pooler | undefined;
  /** True for a cluster: its nodes know the settings of a transaction but not those of a session. */
  readonly isCluster?: boolean | undefined;
  /** Receives errors of idle connections, which the pool replaces. */
  readonly onError?: (error: Error) => void;
}

export type PoolClient = pg.PoolClient;

export interface Database {
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

const CONNECT_DEADLINE_MS = 5_000;
/** Added to the server's limit, so that the client gives up only if the server does not answer. */
const CLIENT_MARGIN_MS = 2_000;
const CLOSE_DEADLINE_MS = 5_000;
const IDLE_MS = 10_000;

/**
 * Opens a pool of connections to the database of `url`, with `search_path` takt and UTC. It connects at the first
 * query. Behind a pooler, settings of the session come from the log-in instead. A query may wait `connectDeadlineMs`
 * for a connection and then run for `statementTimeoutMs` (default 30 s).
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
  // The pool does not listen to clients in use; an unhandled error would end the process.
  pool.on('connect', (client) => {
    client.on('error', onError);
  });
  return {
    pool,
    close: () => Promise.race([pool.end(), elapsed(CLOSE_DEADLINE_MS)]),
  };
}

const withoutSession = new WeakSet<pg.Pool>();

/** True if settings of a session last until the next statement: not behind a pooler, and not in a cluster. */
export const keepsSessions = (pool: pg.Pool): boolean => !withoutSession.has(pool);

/** Prepares no named statements: the next transaction may be in another session. */
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
