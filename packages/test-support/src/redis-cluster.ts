import { findFreePort } from './observed-process.js';
import { startTestRedis, type TestRedis } from './redis-server.js';
import { waitUntil } from './wait-until.js';

export interface TestRedisCluster {
  /** URL of the cluster, as in QUEUE_URL: the masters, separated by commas. */
  readonly url: string;
  /** The nodes of the cluster. The first three are the masters; their replicas follow in the same order. */
  readonly nodes: readonly TestRedis[];
  /** Returns the node that is currently the master of a key. It is one of `nodes`. */
  masterOf(key: string): Promise<TestRedis>;
  close(): Promise<void>;
}

export interface TestRedisClusterOptions {
  /**
   * If true, each master has a replica, which takes over some two seconds after the death of its master. Default false.
   */
  readonly withReplicas?: boolean;
  /** Arguments of redis-server that every node gets. */
  readonly extraArguments?: readonly string[];
}

const MASTERS = 3;
const SLOTS = 16_384;
/** A node that has been silent for this time is considered dead. */
const NODE_TIMEOUT_MS = 1_500;
const FORM_DEADLINE_MS = 30_000;

/** Starts a Redis Cluster of three masters on free loopback ports. Each node is started by startTestRedis. */
export async function startTestRedisCluster(
  options: TestRedisClusterOptions = {},
): Promise<TestRedisCluster> {
  const nodes: ClusterNode[] = [];
  try {
    for (let index = 0; index < (options.withReplicas === true ? 2 * MASTERS : MASTERS); index++) {
      nodes.push(await startNode(options.extraArguments ?? []));
    }
    await formCluster(nodes);
  } catch (error) {
    await Promise.all(nodes.map(({ redis }) => redis.close()));
    throw error;
  }
  return {
    url: `redis://${nodes
      .slice(0, MASTERS)
      .map(({ redis }) => `127.0.0.1:${redis.port}`)
      .join(',')}`,
    nodes: nodes.map(({ redis }) => redis),
    masterOf: (key) => findMaster(nodes, key),
    close: async () => {
      await Promise.all(nodes.map(({ redis }) => redis.close()));
    },
  };
}

interface ClusterNode {
  readonly redis: TestRedis;
  readonly busPort: number;
}

/**
 * The port of the cluster bus is chosen here. By default it is the port of the node plus 10,000, which might not be
 * free.
 */
async function startNode(extraArguments: readonly string[]): Promise<ClusterNode> {
  const busPort = await findFreePort();
  const redis = await startTestRedis([
    '--cluster-enabled',
    'yes',
    '--cluster-port',
    String(busPort),
    '--cluster-node-timeout',
    String(NODE_TIMEOUT_MS),
    ...extraArguments,
  ]);
  return { redis, busPort };
}

async function formCluster(nodes: readonly ClusterNode[]): Promise<void> {
  const clients = nodes.map(({ redis }) => redis);
  for (const [index, node] of clients.slice(0, MASTERS).entries()) {
    const [first, next] = [index, index + 1].map((share) => Math.floor((share * SLOTS) / MASTERS));
    await ask(node, 'CLUSTER', 'ADDSLOTSRANGE', String(first), String((next ?? 0) - 1));
    await ask(node, 'CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1));
  }
  const [first] = clients;
  if (first === undefined) return;
  for (const { redis, busPort } of nodes.slice(1)) {
    await ask(first, 'CLUSTER', 'MEET', '127.0.0.1', String(redis.port), String(busPort));
  }
  await untilEach(clients, 'knows all others', async (node) => {
    const known = String(await ask(node, 'CLUSTER', 'INFO'));
    return known.includes('cluster_state:ok') && known.includes(`cluster_known_nodes:${nodes.length}`);
  });
  for (const [index, replica] of clients.slice(MASTERS).entries()) {
    const master = clients[index] ?? first;
    await ask(replica, 'CLUSTER', 'REPLICATE', String(await ask(master, 'CLUSTER', 'MYID')));
  }
  await untilEach(clients.slice(MASTERS), 'follows its master', async (replica) =>
    String(await ask(replica, 'INFO', 'replication')).includes('master_link_status:up'),
  );
}

async function untilEach(
  nodes: readonly TestRedis[],
  what: string,
  condition: (node: TestRedis) => Promise<boolean>,
): Promise<void> {
  for (const node of nodes) {
    await waitUntil(`node ${node.port} ${what}`, () => condition(node), FORM_DEADLINE_MS);
  }
}

/** Asks any node that answers for the master of a key. Dead nodes are skipped. */
async function findMaster(nodes: readonly ClusterNode[], key: string): Promise<TestRedis> {
  for (const { redis } of nodes) {
    const slot = Number(await ask(redis, 'CLUSTER', 'KEYSLOT', key).catch(() => Number.NaN));
    if (Number.isNaN(slot)) continue;
    const port = portOfSlot(await ask(redis, 'CLUSTER', 'SLOTS'), slot);
    const master = nodes.find((node) => node.redis.port === port);
    if (master !== undefined) return master.redis;
  }
  throw new Error(`no node of the cluster says who holds ${key}`);
}

/** Returns the port of the master of a slot, given ranges such as [0, 5460, [host, port of the master, ...], ...]. */
function portOfSlot(ranges: unknown, slot: number): number | undefined {
  if (!Array.isArray(ranges)) return undefined;
  const range = ranges.find((one) => Array.isArray(one) && one[0] <= slot && slot <= one[1]);
  return Array.isArray(range) && Array.isArray(range[2]) ? Number(range[2][1]) : undefined;
}

const ANSWER_DEADLINE_MS = 2_000;

/** Sends one command over a separate connection. Rejects if the node does not answer. */
async function ask({ port }: TestRedis, command: string, ...args: readonly string[]): Promise<unknown> {
  // The module is loaded only when a cluster is started, because most users of this package need none.
  const { Redis } = await import('ioredis');
  const client = new Redis({
    host: '127.0.0.1',
    port,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    commandTimeout: ANSWER_DEADLINE_MS,
  });
  client.on('error', () => undefined);
  try {
    return await client.call(command, ...args);
  } finally {
    client.disconnect();
  }
}
