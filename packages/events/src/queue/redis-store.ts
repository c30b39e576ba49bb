import { createRedisBackend } from 'bullmq';
import { persistOutcomes, returnLostClaims } from './persist-outcomes.js';
import type { RedisAddress } from './queue-url.js';
import { closeRedisClient, openRedisClient } from './redis-client.js';
import { viewRedis } from './redis-view.js';
import type { QueueStore, QueueStoreSettings } from './store.js';

/** Opens queues on Redis or a Redis Cluster. Rejects if the server does not answer. */
export async function openRedisStore(
  address: RedisAddress,
  settings: QueueStoreSettings,
): Promise<QueueStore> {
  const client = await openRedisClient(
    address,
    settings.onError,
    settings.connectDeadlineMs,
    settings.readsJobs,
  );
  const closed = new AbortController();
  const view = viewRedis(client);
  return {
    view,
    pools: () => [],
    // Queues and workers share this connection. BullMQ duplicates the connection for the blocking command of a worker.
    createBackend: (name, options, roles) => {
      const backend = createRedisBackend(name, { ...options, connection: client }, roles);
      const findClaims = (tokens: readonly string[]) => view.findClaims(name, tokens);
      const lost = returnLostClaims(backend, { findClaims, closed: closed.signal });
      // The client resends unanswered commands, so one claim may take two jobs. A Cluster emits `-node` for each lost
      // node, but emits `close` only when all nodes are lost.
      if (roles?.withBlockingConnection === true) {
        client.on('close', lost.suspectAll).on('-node', lost.suspectAll);
      }
      return persistOutcomes(lost.backend, closed.signal);
    },
    close: (deadlineMs) => {
      closed.abort();
      return closeRedisClient(client, deadlineMs);
    },
  };
}
