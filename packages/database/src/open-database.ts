import pg from 'pg';
import { BASIC_SETTINGS } from './session-settings.js';

/** Roles created by the migrations. */
export type AppRole = 'takt_worker' | 'takt_api' | 'takt_intake' | 'takt_dashboard';

/** The kind of pooler between an app and PostgreSQL. */
export type Pooler = 'transaction';

export interface DatabaseOptions {
  readonly url: string;
  /**
   * Set by each connection if the URL is an owner's. Not a security boundary, since the session can reset it. An app's
   * log-in holds its role and sets none.
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
  /** `transaction`: a pooler lends sessions per transaction, so settings of one are lost in the next. */
  readonly pooler?: Pooler | undefined;
  /** A cluster, whose nodes know settings of a transaction but not of a session. */
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
/** Longer than the server's limit, so that the client gives up only if the server does not answer. */
const CLIENT_MARGIN_MS = 2_000;
const CLOSE_DEADLINE_MS = 5_000;
const IDLE_MS = 10_000;

/**
 * A pool of connections to the database of `url`, with `search_path` takt and UTC. It connects at the first query.
 * Behind a pooler, the log-in has the session's settings instead. Queries have a limit: `connectDeadlineMs`, then
 * `statementTimeoutMs` (default 30 s).
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

/** True if settings last until the next statement: not behind a pooler, and not in a cluster. */
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
