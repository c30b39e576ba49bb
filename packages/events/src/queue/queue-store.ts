import {
  assertSchemaCompatibility,
  type BackendFactory,
  createPostgresBackend,
  createRedisBackend,
  type IQueueBackend,
} from 'bullmq';
import { persistOutcomes } from './persist-outcomes.js';
import { closePool, createPool, type PoolSettings, QUEUE_SCHEMA, type QueuePool } from './postgres-pool.js';
import type { PostgresAddress, QueueAddress, RedisAddress } from './queue-url.js';
import { closeRedisClient, openRedisClient } from './redis-client.js';

/** Where the queues live; hides which of the two it is. */
export interface QueueStore {
  /** What BullMQ calls for each queue and worker. */
  readonly createBackend: BackendFactory<IQueueBackend, QueueStore>;
  /** Closes the connections; rejects at the deadline, after which they are no longer waited for. */
  readonly close: (deadlineMs: number) => Promise<void>;
}

export interface QueueStoreSettings extends Omit<PoolSettings, 'maxConnections'> {
  readonly maxPostgresConnections: number;
}

/** Connects to the store; rejects when it does not answer or, on PostgreSQL, has not been migrated. */
export function openQueueStore(address: QueueAddress, settings: QueueStoreSettings): Promise<QueueStore> {
  return address.store === 'redis' ? openRedisStore(address, settings) : openPostgresStore(address, settings);
}

async function openRedisStore(address: RedisAddress, settings: QueueStoreSettings): Promise<QueueStore> {
  const client = await openRedisClient(address, settings.onError, settings.connectDeadlineMs);
  const closed = new AbortController();
  return {
    // Queues and workers share this connection; BullMQ duplicates it for the blocking command of a worker.
    createBackend: (name, options, roles) =>
      persistOutcomes(createRedisBackend(name, { ...options, connection: client }, roles), closed.signal),
    close: (deadlineMs) => {
      closed.abort();
      return closeRedisClient(client, deadlineMs);
    },
  };
}

async function openPostgresStore(
  address: PostgresAddress,
  settings: QueueStoreSettings,
): Promise<QueueStore> {
  const pools: QueuePool[] = [];
  const openPool = (maxConnections: number) => {
    const pool = createPool(address, { ...settings, maxConnections });
    pools.push(pool);
    return pool;
  };
  const closed = new AbortController();
  const close = async (deadlineMs: number) => {
    closed.abort();
    await Promise.all(pools.splice(0).map((pool) => closePool(pool, deadlineMs)));
  };
  const shared = openPool(settings.maxPostgresConnections);
  try {
    await assertSchemaCompatibility(shared, QUEUE_SCHEMA);
  } catch (error) {
    await close(settings.connectDeadlineMs);
    throw error;
  }
  return {
    createBackend: (name, options, roles) => {
      // A worker holds one connection for LISTEN: with a pool of its own it can never take the last one.
      const isWorker = roles?.withBlockingConnection === true;
      const pool = isWorker ? openPool(settings.maxPostgresConnections + 1) : shared;
      const backend = createPostgresBackend(name, { ...options, connection: pool }, roles);
      return persistOutcomes(backend, closed.signal);
    },
    close,
  };
}
