import { openDatabase } from '@takt/database';
import { createTestDatabase } from '@takt/database/testing';
import { migrateQueueSchema } from '@takt/events/internal';
import { addCompany } from '@takt/figures/master-data';
import {
  randomFrom,
  shareOf,
  startTestRedis,
  startTestRedisCluster,
  type TestRedis,
  type TestRedisCluster,
  testSeed,
} from '@takt/test-support';
import type pg from 'pg';
import { type Clocks, openClocks } from '../../support/clocks.js';
import { type OwnPostgres, type OwnPostgresOptions, startOwnPostgres } from '../../support/own-postgres.js';
import type { QueueStoreKind } from '../../support/test-system.js';
import { findDeviations } from './find-deviations.js';
import { generateHistory, type HistoryOptions, type OperationHistory } from './operation-history.js';
import {
  type ObservedQueue,
  observeQueue,
  openPersistentPublisher,
  type PersistentPublisher,
} from './queue.js';
import { mountSmallDisk, type SmallDisk } from './small-disk.js';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.js';

/** Code of the company. */
export const COMPANY = 'KILL-NO';

export interface SystemOptions {
  /** Kind of queue: a separate Redis, the database, or a separate Redis Cluster. An object means a Redis Cluster. */
  readonly queue: QueueStoreKind | { readonly clusterWithReplicas: boolean };
  /**
   * Starts a PostgreSQL server for this system only. The test may kill this server. By default the system uses the
   * server of the test run, which no test may harm.
   */
  readonly ownPostgres?: OwnPostgresOptions;
  readonly history: Pick<HistoryOptions, 'events'> & Partial<HistoryOptions>;
}

/** A database with one company, its queues, the events for the queues, and the expected result. */
export interface System {
  readonly databaseUrl: string;
  readonly queueUrl: string;
  readonly pool: pg.Pool;
  readonly history: OperationHistory;
  readonly queue: ObservedQueue;
  readonly publisher: PersistentPublisher;
  /**
   * Returns the Redis of this system. Throws if the system has no Redis of its own. `cluster` and `postgres` do the
   * same for their servers.
   */
  redis(): TestRedis;
  cluster(): TestRedisCluster;
  postgres(): OwnPostgres;
  /** Compares the whole system with the history. Returns an empty list if every event had its effect exactly once. */
  findDeviations(): Promise<readonly string[]>;
  /** Registers a function that `close` calls before it closes the rest. */
  atEnd(close: () => Promise<unknown>): void;
  close(): Promise<void>;
}

/**
 * Makes Redis write every command to disk before the answer. With the default everysec, a slow fsync can delay the
 * write until 2 s after the answer. kill -9 then loses events that Redis has acknowledged.
 */
const KEEPING_ALL = ['--appendfsync', 'always'];

/** Opens a system without workers and other apps. The test starts them itself. */
export async function openSystem(options: SystemOptions): Promise<System> {
  return await openAll((parts) => openSystemOf(parts, options));
}

async function openSystemOf(
  parts: Parts,
  { queue: kind, ownPostgres, history }: SystemOptions,
): Promise<System> {
  const postgres = ownPostgres && (await parts.add(startOwnPostgres(ownPostgres)));
  const test = postgres === undefined ? await parts.add(createTestDatabase()) : undefined;
  const databaseUrl = test?.url ?? (await required(postgres, 'PostgreSQL').createDatabase('system'));
  const database = test?.database ?? openDatabase({ url: databaseUrl, applicationName: 'takt test' });
  if (test === undefined) parts.atEnd(() => database.close());
  await addCompany(database, COMPANY, 'Company of the tests of faults');
  const redis = kind === 'redis' ? await parts.add(startTestRedis(KEEPING_ALL)) : undefined;
  const cluster =
    typeof kind === 'object'
      ? await parts.add(
          startTestRedisCluster({ withReplicas: kind.clusterWithReplicas, extraArguments: KEEPING_ALL }),
        )
      : undefined;
  const queueUrl = redis?.url ?? cluster?.url ?? databaseUrl;
  await migrateQueueSchema(queueUrl);
  const { pool } = database;
  const queue = await parts.add(observeQueue(queueUrl));
  const defaults = { database: COMPANY, structureVersions: 40, random: randomFrom(testSeed()) };
  const generated = generateHistory({ ...defaults, ...history });
  return {
    ...{ databaseUrl, queueUrl, pool, queue, history: generated },
    publisher: await parts.add(openPersistentPublisher(queueUrl)),
    redis: () => required(redis, 'Redis'),
    cluster: () => required(cluster, 'Redis Cluster'),
    postgres: () => required(postgres, 'PostgreSQL'),
    findDeviations: () => findDeviations(pool, queue, generated),
    atEnd: parts.atEnd,
    close: parts.close,
  };
}

function required<Part>(part: Part | undefined, name: string): Part {
  if (part === undefined) throw new Error(`the system has no ${name} of its own`);
  return part;
}

/**
 * A system in which a test can harm every part. Workers and producers reach the database and the queue through proxies.
 */
export interface FaultySystem extends System {
  readonly queueKind: QueueStoreKind;
  /** The address of the database without the proxy. */
  readonly ownDatabaseUrl: string;
  readonly ownQueueUrl: string;
  readonly toDatabase: TcpProxy;
  readonly toQueue: TcpProxy;
  readonly clocks: Clocks;
  /** The disk that PostgreSQL writes to. */
  readonly disk: SmallDisk;
}

/** Has room for the WAL and for the events of a run of any length. */
const DISK_MB = shareOf(256, 512);

const POSTGRES_SETTINGS = {
  // Ensures that a full disk has no room for the next WAL segment. Otherwise the server would use an old segment again.
  wal_recycle: 'off',
  max_wal_size: '96MB',
  // Rolls back a statement that still waits for a lock after its worker has been killed.
  client_connection_check_interval: '100ms',
};

/** Opens a system that a test can harm. Rejects if this process may not mount a disk. */
export async function openFaultySystem(
  queueKind: QueueStoreKind,
  history: SystemOptions['history'],
): Promise<FaultySystem> {
  return await openAll(async (parts) => {
    const disk = await mountSmallDisk(DISK_MB);
    if (disk === undefined) throw new Error('this process may not mount a disk');
    parts.atEnd(() => disk.close());
    const ownPostgres = { home: disk.path, settings: POSTGRES_SETTINGS };
    const system = await openSystemOf(parts, { queue: queueKind, ownPostgres, history });
    const toDatabase = await parts.add(startTcpProxy(portOf(system.databaseUrl)));
    const toQueue = await parts.add(startTcpProxy(portOf(system.queueUrl)));
    const queueUrl = withPort(system.queueUrl, toQueue.port);
    return {
      ...system,
      ...{ queueKind, disk, toDatabase, toQueue },
      ...{ ownDatabaseUrl: system.databaseUrl, ownQueueUrl: system.queueUrl },
      ...{ databaseUrl: withPort(system.databaseUrl, toDatabase.port), queueUrl },
      publisher: await parts.add(openPersistentPublisher(queueUrl)),
      clocks: await parts.add(openClocks()),
    };
  });
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

function withPort(url: string, port: number): string {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.href;
}

/** Collects the parts of a system. They are closed in reverse order of opening. */
interface Parts {
  add<Part extends { close(): Promise<unknown> }>(opening: Promise<Part>): Promise<Part>;
  atEnd(close: () => Promise<unknown>): void;
  close(): Promise<void>;
}

/** Opens something that consists of parts. If one part fails to open, closes the parts that are already open. */
async function openAll<Opened>(open: (parts: Parts) => Promise<Opened>): Promise<Opened> {
  const closes: (() => Promise<unknown>)[] = [];
  const parts: Parts = {
    add: async (opening) => {
      const part = await opening;
      closes.push(() => part.close());
      return part;
    },
    atEnd: (close) => void closes.push(close),
    close: async () => {
      for (let close = closes.pop(); close !== undefined; close = closes.pop()) await close();
    },
  };
  try {
    return await open(parts);
  } catch (error) {
    await parts.close();
    throw error;
  }
}
