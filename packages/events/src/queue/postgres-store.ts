import {
  assertSchemaCompatibility,
  createPostgresBackend,
  isPgPool,
  type PgPool,
  runMigrations,
} from 'bullmq';
import type { Pool } from 'pg';
import { BoundedClient } from './bounded-client.js';
import { MAX_CLOCK_DIFFERENCE_MS } from './clock-watch.js';
import { grantQueueRights } from './grant-queue-rights.js';
import { persistOutcomes } from './persist-outcomes.js';
import { closePool, createPool, QUEUE_SCHEMA } from './postgres-pool.js';
import { repairTimes, viewPostgres } from './postgres-view.js';
import type { PostgresAddress } from './queue-url.js';
import { returnLostClaims } from './return-lost-claims.js';
import type { QueueStore, QueueStoreSettings } from './store.js';
import { withDeadline } from './with-deadline.js';

/** Clients that are not ours claim for 30 s, as BullMQ does by default. */
const LONGEST_CLAIM_MS = 60_000;

/** Queues in the schema `bullmq` of a PostgreSQL. Rejects when it does not answer or has not been migrated. */
export async function openPostgresStore(
  address: PostgresAddress,
  settings: QueueStoreSettings,
): Promise<QueueStore> {
  const pools: (Pool & PgPool)[] = [];
  const openPool = (maxConnections: number) => {
    const pool = createPool(address, {
      ...settings,
      maxConnections,
      ...(settings.readsJobs && { Client: BoundedClient }),
    });
    // Their declared types do not meet.
    if (!isPgPool(pool)) {
      throw new TypeError('this version of BullMQ does not take a pool of node-postgres');
    }
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
  const view = viewPostgres(shared);
  return {
    view,
    pools: () => pools,
    repairTimes: (queue, claimMs) =>
      repairTimes(shared, queue, {
        claimMs,
        longestClaimMs: Math.max(LONGEST_CLAIM_MS, 2 * claimMs),
        maxDifferenceMs: MAX_CLOCK_DIFFERENCE_MS,
      }),
    createBackend: (name, options, roles) => {
      // A worker holds one connection for LISTEN: with a pool of its own it can never take the last one.
      const isWorker = roles?.withBlockingConnection === true;
      const pool = isWorker ? openPool(settings.maxPostgresConnections + 1) : shared;
      const backend = createPostgresBackend(name, { ...options, connection: pool }, roles);
      const findClaims = (tokens: readonly string[]) => view.findClaims(name, tokens);
      returnLostClaims(backend, { findClaims, closed: closed.signal });
      return persistOutcomes(backend, closed.signal);
    },
    close,
  };
}

const CONNECT_DEADLINE_MS = 10_000;
const MIGRATE_DEADLINE_MS = 60_000;
const CLOSE_DEADLINE_MS = 5_000;

/** Creates or upgrades BullMQ's tables; one goes first where several start at once. */
export async function migratePostgresStore(address: PostgresAddress): Promise<void> {
  const pool = createPool(address, {
    maxConnections: 1,
    connectDeadlineMs: CONNECT_DEADLINE_MS,
    // A connection that is lost here also fails the statement that was running, which rejects.
    onError: () => undefined,
  });
  try {
    const client = await pool.connect();
    try {
      await withDeadline(
        'migrating the queue schema',
        MIGRATE_DEADLINE_MS,
        runMigrations(client, QUEUE_SCHEMA),
      );
      await grantQueueRights(client, QUEUE_SCHEMA);
    } finally {
      client.release(true);
    }
  } finally {
    await closePool(pool, CLOSE_DEADLINE_MS);
  }
}
