import { Cluster } from 'ioredis';
import type { QueueDurabilityProblem } from './check-queue-durability.js';
import type { RedisAddress } from './queue-url.js';
import { closeRedisClient, openRedisClient, type RedisClient } from './redis-client.js';
import { withDeadline } from './with-deadline.js';

/** Looks whether every master writes an append-only file and evicts nothing. */
export async function checkRedisDurability(
  address: RedisAddress,
  deadlineMs: number,
): Promise<QueueDurabilityProblem[]> {
  // What goes wrong on the connection also rejects the call that is under way.
  const client = await openRedisClient(address, () => undefined, deadlineMs);
  try {
    const infos = await withDeadline('asking Redis for its settings', deadlineMs, infosOfMasters(client));
    return infos.flatMap((info) => [...appendOnlyProblems(info), ...evictionProblems(info)]);
  } finally {
    await closeRedisClient(client, deadlineMs);
  }
}

// INFO rather than CONFIG GET, which managed services do not allow.
function infosOfMasters(client: RedisClient): Promise<string[]> {
  const masters = client instanceof Cluster ? client.nodes('master') : [client];
  return Promise.all(masters.map((master) => master.info()));
}

function appendOnlyProblems(info: string): QueueDurabilityProblem[] {
  const enabled = readInfo(info, 'aof_enabled');
  if (enabled === '1') {
    return [];
  }
  const message =
    'Redis does not write an append-only file, so a crash loses jobs that it has acknowledged; ' +
    'set "appendonly yes" (redis.conf, or CONFIG SET appendonly yes)';
  return [{ setting: 'appendonly', got: enabled === '0' ? 'no' : 'unknown', message }];
}

function evictionProblems(info: string): QueueDurabilityProblem[] {
  const policy = readInfo(info, 'maxmemory_policy') ?? 'unknown';
  if (policy === 'noeviction') {
    return [];
  }
  const message =
    `Redis may drop jobs when its memory is full (maxmemory-policy ${policy}); ` +
    'set "maxmemory-policy noeviction" (redis.conf, or CONFIG SET maxmemory-policy noeviction)';
  return [{ setting: 'maxmemory-policy', got: policy, message }];
}

function readInfo(info: string, field: string): string | undefined {
  const line = info.split(/\r?\n/).find((one) => one.startsWith(`${field}:`));
  return line?.slice(field.length + 1);
}
