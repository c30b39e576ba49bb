import { createRedisBackend } from 'bullmq';
import { persistOutcomes } from './persist-outcomes.js';
import type { RedisAddress } from './queue-url.js';
import { closeRedisClient, openRedisClient } from './redis-client.js';
import { viewRedis } from './redis-view.js';
import type { QueueStore, QueueStoreSettings } from './store.js';

/** Opens queues on Redis or a Redis Cluster. Rejects if the server does not answer. */
export async function openRedisStore(
  address: RedisAddress,
  settings: QueueStoreSettings,
): Promise<QueueStore> {
  const client = await openRedisClient(address, settings.onError, settings.connectDeadlineMs);
  const closed = new AbortController();
  return {
    view: viewRedis(client),
    pools: () => [],
    // Queues and workers share this connection. BullMQ duplicates the connection for the blocking command of a worker.
    createBackend: (name, options, roles) =>
      persistOutcomes(createRedisBackend(name, { ...options, connection: client }, roles), closed.signal),
    close: (deadlineMs) => {
      closed.abort();
      return closeRedisClient(client, deadlineMs);
    },
  };
}
