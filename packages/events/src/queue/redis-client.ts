import { Cluster, Redis } from 'ioredis';
import type { RedisAddress } from './queue-url.js';
import { DeadlineExceededError, withDeadline } from './with-deadline.js';

export type RedisClient = Redis | Cluster;

const MAX_RETRY_DELAY_MS = 5_000;
const KEEP_ALIVE_MS = 10_000;

// Set here, because the defaults of ioredis have changed between its versions.
function retryDelayMs(attempt: number): number {
  return Math.min(attempt * 200, MAX_RETRY_DELAY_MS);
}

/**
 * Connects to Redis and waits until it answers. The client reconnects for ever and keeps commands until then,
 * which workers need; so every call on it must race a deadline. Throws a DeadlineExceededError whose cause is
 * the last connection error.
 */
export async function openRedisClient(
  address: RedisAddress,
  onError: (error: Error) => void,
  connectDeadlineMs: number,
): Promise<RedisClient> {
  const client = createRedisClient(address);
  let lastError: Error | undefined;
  client.on('error', (error: Error) => {
    lastError = error;
    onError(error);
  });
  try {
    await withDeadline('connecting to Redis', connectDeadlineMs, client.ping());
  } catch (error) {
    client.disconnect();
    if (error instanceof DeadlineExceededError) {
      throw new DeadlineExceededError('connecting to Redis', connectDeadlineMs, { cause: lastError });
    }
    throw error;
  }
  return client;
}

function createRedisClient(address: RedisAddress): RedisClient {
  const options = {
    ...(address.username === undefined ? {} : { username: address.username }),
    ...(address.password === undefined ? {} : { password: address.password }),
    ...(address.tls ? { tls: {} } : {}),
    // BullMQ refuses workers otherwise: a blocking command would fail instead of waiting for the server.
    maxRetriesPerRequest: null,
    keepAlive: KEEP_ALIVE_MS,
  };
  if (!address.isCluster) {
    const [node = { host: '', port: 0 }] = address.hosts;
    return new Redis({ ...options, ...node, db: address.db, retryStrategy: retryDelayMs });
  }
  return new Cluster([...address.hosts], {
    redisOptions: options,
    clusterRetryStrategy: retryDelayMs,
    // Certificates name hosts: nodes must not be resolved to addresses before TLS sees them.
    ...(address.tls ? { dnsLookup: (host, callback) => callback(null, host) } : {}),
  });
}

/** Closes the connection in good order, or at the deadline without waiting for the server. */
export async function closeRedisClient(client: RedisClient, deadlineMs: number): Promise<void> {
  try {
    await withDeadline('closing the connection to Redis', deadlineMs, client.quit());
  } finally {
    client.disconnect();
  }
}
