import { type AccessGrant, type FindToken, findAccessToken } from '@takt/access';
import { appSessions, checkBeforeStart, type Database, openDatabase, type StartCheck } from '@takt/database';
import type { AppOptions } from '@takt/database/app';
import type { Logger } from '@takt/run';
import type { AppMetrics } from '@takt/run/monitoring';
import { Counter, Gauge, type Registry } from 'prom-client';
import { watchSessions } from './sql/run-statement.js';
import { type ReplicaWatch, watchReplica } from './sql/watch-replica.js';

/** The database servers that the API reads from and writes to. */
export interface ServerOptions extends Pick<AppOptions, 'databaseUrl' | 'pooler' | 'allowOwner' | 'logger'> {
  /** The address of a streaming replica from which resources are read. */
  readonly replicaUrl?: string | undefined;
  /**
   * The maximum lag of the replica. If the replica lags more, the API reads from the primary, as long as the primary is
   * up. Default: 10,000.
   */
  readonly maxReplicaLagMs?: number;
}

const CONNECT_DEADLINE_MS = 800;
const MAX_CONNECTIONS = 8;
/**
 * The number of connections for looking up tokens and for checking servers. They are in a pool of their own, so that
 * they stay free when all connections for reading are in use.
 */
const MAX_VITAL_CONNECTIONS = 2;

/**
 * Finds the problems that prevent the API from starting. If there is a primary and a replica, one of them is enough, so
 * the API can start while the other is down. Every log-in must be checked, but on either server, because both have the
 * same roles. So if primary and replica use different log-ins, both servers must be up.
 */
export async function checkServers({
  databaseUrl,
  replicaUrl,
  allowOwner = false,
  pooler,
}: ServerOptions): Promise<StartCheck> {
  const check = (url: string) => checkBeforeStart(url, { app: 'api', allowOwner, pooler });
  if (replicaUrl === undefined) return check(databaseUrl);
  const [ofPrimary, ofReplica] = await Promise.allSettled([check(databaseUrl), check(replicaUrl)]);
  const isOneLogin = new URL(databaseUrl).username === new URL(replicaUrl).username;
  for (const one of [ofPrimary, ofReplica]) if (one.status === 'rejected' && !isOneLogin) throw one.reason;
  if (ofPrimary.status === 'rejected' && ofReplica.status === 'rejected') throw ofPrimary.reason;
  const found = [ofPrimary, ofReplica].flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  // The roles, functions and tables of the replica are those of the primary, apart from its lag. So the same problem is
  // found on both servers, but is reported only once.
  return {
    problems: [...new Set(found.flatMap(({ problems }) => problems))],
    warnings: [...new Set(found.flatMap(({ warnings }) => warnings))],
    role: found[0]?.role,
    isCluster: found.some(({ isCluster }) => isCluster === true),
  };
}

export interface Servers {
  readonly pool: Database['pool'];
  /** The watch over primary and replica; undefined if there is only one server. */
  readonly replica: ReplicaWatch | undefined;
  /**
   * A pool on the server that is chosen for reads. It is for queries that must not wait until a connection for reading
   * is free.
   */
  vitalPool(): Database['pool'];
  readonly findToken: FindToken;
  close(): Promise<void>;
}

const DEFAULT_MAX_LAG_MS = 10_000;

export async function openServers(
  options: ServerOptions,
  { role, isCluster }: StartCheck,
  { registry, observePool }: AppMetrics,
): Promise<Servers> {
  const opened: Database[] = [];
  const noteLost = noteLostSessions(options.logger, registry);
  const open = (databaseUrl: string, isVital = false) => {
    const database = openApiDatabase({ ...options, databaseUrl }, { role, isCluster }, isVital);
    opened.push(database);
    watchSessions(database.pool, noteLost);
    return database.pool;
  };
  const openVital = (databaseUrl: string) => open(databaseUrl, true);
  const [pool, vital] = [open(options.databaseUrl), openVital(options.databaseUrl)];
  observePool('database', pool);
  const { replicaUrl, maxReplicaLagMs: maxLagMs = DEFAULT_MAX_LAG_MS, logger } = options;
  const watch = async (url: string) => {
    const [replica, ofBoth] = [open(url), { primary: vital, replica: openVital(url) }];
    observePool('replica', replica);
    const watched = await watchReplica({
      primary: pool,
      replica,
      vital: ofBoth,
      maxLagMs,
      onChange: (where) => logger.info(where),
    });
    for (const one of Object.values(ofBoth)) one.on('error', watched.lookNow);
    measureLag(watched, registry);
    return watched;
  };
  const closeAll = () => Promise.all(opened.map((one) => one.close()));
  const replica =
    replicaUrl === undefined
      ? undefined
      : await watch(replicaUrl).catch(async (error: unknown) => {
          await closeAll();
          throw error;
        });
  return {
    pool,
    replica,
    vitalPool: () => replica?.vitalPool() ?? vital,
    findToken: (token) => findTokenIn(replica?.poolsForTokens() ?? [vital], token),
    close: async () => {
      replica?.close();
      await closeAll();
    },
  };
}

/** The minimum time between two log messages about lost sessions. */
const TOLD_EVERY_MS = 60_000;

function noteLostSessions(logger: Logger, registry: Registry): () => void {
  const lost = new Counter({
    name: 'takt_lost_sessions_total',
    help: 'Statements whose session had lost the company or its prepared statements, as behind a pooler: each was run again, none was answered from',
    registers: [registry],
  });
  let toldAtMs = Number.NEGATIVE_INFINITY;
  return () => {
    lost.inc();
    if (performance.now() - toldAtMs < TOLD_EVERY_MS) return;
    toldAtMs = performance.now();
    logger.warn(
      'a session of the database was not the one that was set up, so a statement was run again: if a pooler lends ' +
        'sessions by transaction, set DATABASE_POOLER=transaction',
    );
  };
}

function measureLag({ lagMs }: ReplicaWatch, registry: Registry): void {
  new Gauge({
    name: 'takt_replica_lag_seconds',
    help: "Upper bound of the replica's lag behind the primary, to a second; NaN: unknown, or the replica cannot be reached",
    registers: [registry],
    collect() {
      this.set((lagMs() ?? Number.NaN) / 1_000);
    },
  });
}

/**
 * Looks up a token in the pools, one after the other, until one of them answers. If all fail, rejects with the error of
 * the last pool.
 */
async function findTokenIn(
  pools: readonly Database['pool'][],
  token: string,
): Promise<AccessGrant | undefined> {
  const [first, ...others] = pools;
  if (first === undefined) throw new Error('there is no database to query');
  try {
    return await findAccessToken(first, token);
  } catch (error) {
    if (others.length === 0) throw error;
    return findTokenIn(others, token);
  }
}

function openApiDatabase(
  { databaseUrl, pooler, logger }: ServerOptions,
  { role, isCluster }: Pick<StartCheck, 'role' | 'isCluster'>,
  isVital: boolean,
): Database {
  return openDatabase({
    url: databaseUrl,
    role,
    applicationName: 'takt api',
    maxConnections: isVital ? MAX_VITAL_CONNECTIONS : MAX_CONNECTIONS,
    keepsConnections: isVital,
    connectDeadlineMs: CONNECT_DEADLINE_MS,
    ...appSessions.api,
    pooler,
    isCluster,
    onError: (error) => logger.warn({ error: error.message }, 'the database failed a call'),
  });
}
