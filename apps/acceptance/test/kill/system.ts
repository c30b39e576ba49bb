import { openDatabase } from '@takt/database';
import { migrateQueueSchema } from '@takt/events';
import {
  createTestDatabase,
  startTestRedis,
  startTestRedisCluster,
  type TestRedis,
  type TestRedisCluster,
} from '@takt/test-support';
import type pg from 'pg';
import { type OwnPostgres, type OwnPostgresOptions, startOwnPostgres } from '../support/own-postgres.js';

/** A database with one company, and queues: what workers need. */
export interface KillTestSystem {
  readonly databaseUrl: string;
  readonly queueUrl: string;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

export interface RedisSystem extends KillTestSystem {
  readonly redis: TestRedis;
}

export interface ClusterSystem extends KillTestSystem {
  readonly cluster: TestRedisCluster;
}

export interface OwnPostgresSystem extends KillTestSystem {
  readonly postgres: OwnPostgres;
  /** Where the queue is on Redis. */
  readonly redis: TestRedis | undefined;
}

/** Short code of the company. */
export const COMPANY = 'KILL-NO';

export type QueueKind = 'redis' | 'postgres';

/** On the server of the test run, which nothing may be done to; the queue on a Redis of its own or in the database. */
export async function openSystem(queue: 'redis'): Promise<RedisSystem>;
export async function openSystem(queue: QueueKind): Promise<KillTestSystem>;
export async function openSystem(queue: QueueKind): Promise<KillTestSystem> {
  const test = await createTestDatabase();
  const { pool } = test.database;
  await registerCompany(pool);
  const store = await openQueueStore(queue, test.url);
  return {
    databaseUrl: test.url,
    ...store,
    pool,
    close: async () => {
      await store.redis?.close();
      await test.close();
    },
  };
}

/** On the server of the test run, with the queue on a Redis Cluster of its own. */
export async function openClusterSystem(withReplicas: boolean): Promise<ClusterSystem> {
  const test = await createTestDatabase();
  const { pool } = test.database;
  await registerCompany(pool);
  const cluster = await startTestRedisCluster({ withReplicas, extraArguments: KEEPING_ALL });
  return {
    databaseUrl: test.url,
    queueUrl: cluster.url,
    pool,
    cluster,
    close: async () => {
      await cluster.close();
      await test.close();
    },
  };
}

/** On a PostgreSQL server of its own, which may be killed and stopped. */
export async function openOwnPostgresSystem(
  queue: QueueKind,
  options: OwnPostgresOptions = {},
): Promise<OwnPostgresSystem> {
  const postgres = await startOwnPostgres(options);
  const databaseUrl = await postgres.createDatabase('system');
  const database = openDatabase({ url: databaseUrl, applicationName: 'takt test' });
  await registerCompany(database.pool);
  const store = await openQueueStore(queue, databaseUrl);
  return {
    databaseUrl,
    ...store,
    pool: database.pool,
    postgres,
    close: async () => {
      await store.redis?.close();
      await database.close();
      await postgres.close();
    },
  };
}

/**
 * With the default, everysec, Redis answers up to 2 s before it has written where an fsync takes long, as on a busy disk,
 * and kill -9 then takes events that it had acknowledged.
 */
const KEEPING_ALL = ['--appendfsync', 'always'];

async function openQueueStore(queue: QueueKind, databaseUrl: string) {
  const redis = queue === 'redis' ? await startTestRedis(KEEPING_ALL) : undefined;
  const queueUrl = redis?.url ?? databaseUrl;
  await migrateQueueSchema(queueUrl);
  return { queueUrl, redis };
}

async function registerCompany(pool: pg.Pool): Promise<void> {
  await pool.query(`INSERT INTO takt.companies (code, name) VALUES ($1, 'Company of the kill tests')`, [
    COMPANY,
  ]);
}
