import { Cluster, Redis } from 'ioredis';
import type { RedisAddress } from './queue-url.js';
import type { QueueDurabilityProblem } from './store.js';
import { DeadlineExceededError, withDeadline } from './with-deadline.js';

type RedisClient = Redis | Cluster;

const MAX_RETRY_DELAY_MS = 5_000;
const KEEP_ALIVE_MS = 10_000;

// The delay between retries is set here, because the defaults of ioredis vary between versions.
function retryDelayMs(attempt: number): number {
  return Math.min(attempt * 200, MAX_RETRY_DELAY_MS);
}

/** Checks that every master has an append-only file and does not evict keys. */
export async function checkRedisDurability(
  address: RedisAddress,
  deadlineMs: number,
): Promise<QueueDurabilityProblem[]> {
  // The error can be ignored here, because an error of the connection also rejects the running call.
  const client = await openRedisClient(address, () => undefined, deadlineMs);
  try {
    const infos = await withDeadline('asking Redis for its settings', deadlineMs, infosOfMasters(client));
    return infos.flatMap((info) => [...appendOnlyProblems(info), ...evictionProblems(info)]);
  } finally {
    await closeRedisClient(client, deadlineMs);
  }
}

// INFO is used instead of CONFIG GET, which managed services forbid.
function infosOfMasters(client: RedisClient): Promise<string[]> {
  const masters = client instanceof Cluster ? client.nodes('master') : [client];
  return Promise.all(masters.map((master) => master.info()));
}

function appendOnlyProblems(info: string): QueueDurabilityProblem[] {
  const enabled = readInfo(info, 'aof_enabled');
  if (enabled === '1') return [];
  const message =
    'Redis does not write an append-only file, so a crash loses jobs that it has acknowledged; ' +
    'set "appendonly yes" (redis.conf, or CONFIG SET appendonly yes)';
  return [{ setting: 'appendonly', got: enabled === '0' ? 'no' : 'unknown', message }];
}

function evictionProblems(info: string): QueueDurabilityProblem[] {
  const policy = readInfo(info, 'maxmemory_policy') ?? 'unknown';
  if (policy === 'noeviction') return [];
  const message =
    `Redis may drop jobs when its memory is full (maxmemory-policy ${policy}); ` +
    'set "maxmemory-policy noeviction" (redis.conf, or CONFIG SET maxmemory-policy noeviction)';
  return [{ setting: 'maxmemory-policy', got: policy, message }];
}

function readInfo(info: string, field: string): string | undefined {
  const line = info.split(/\r?\n/).find((one) => one.startsWith(`${field}:`));
  return line?.slice(field.length + 1);
}

/**
 * Connects to Redis and waits for an answer. The client reconnects for ever and queues commands in the meantime,
 * because workers need this behaviour. So each call needs a deadline of its own. Throws a DeadlineExceededError whose
 * cause is the last connection error.
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
    // BullMQ requires this setting for workers. Otherwise a blocking command would fail instead of waiting for the
    // server.
    maxRetriesPerRequest: null,
    keepAlive: KEEP_ALIVE_MS,
  };
  if (!address.isCluster) {
    const [node = { host: '', port: 0 }] = address.hosts;
    return new Redis({
      ...options,
      ...node,
      db: address.db,
      retryStrategy: retryDelayMs,
    });
  }
  return new Cluster([...address.hosts], {
    redisOptions: options,
    clusterRetryStrategy: retryDelayMs,
    // TLS certificates contain host names, so the names of nodes must not be resolved to addresses before TLS starts.
    ...(address.tls ? { dnsLookup: (host, callback) => callback(null, host) } : {}),
  });
}

/** Closes the connection gracefully. At the deadline, closes it without waiting for the server. */
export async function closeRedisClient(client: RedisClient, deadlineMs: number): Promise<void> {
  try {
    await withDeadline('closing the connection to Redis', deadlineMs, client.quit());
  } finally {
    client.disconnect();
  }
}
