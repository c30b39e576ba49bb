import { findFreePort, needsProgram, startTestRedis, type TestRedis, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { openPublisher } from '../../src/index.js';
import { checkQueueDurability, openQueueBackend } from '../../src/internal.js';
import { completedEvent, productStructureVersionEvent } from '../support/sample-events.js';

describe('the queues on a Redis Cluster', () => {
  const nodes: TestRedis[] = [];
  const busPorts: number[] = [];
  let url: string;

  before(async function () {
    this.timeout(180_000);
    needsProgram(this, 'redis-server');
    for (const busPort of [await findFreePort(), await findFreePort()]) {
      busPorts.push(busPort);
      nodes.push(await startTestRedis(['--cluster-enabled', 'yes', '--cluster-port', String(busPort)]));
    }
    await formCluster(nodes, busPorts);
    url = `redis://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`;
  });
  after(async () => {
    await Promise.all(nodes.map((node) => node.close()));
  });

  it('deliver events from a publisher to a worker', async () => {
    const onError = (error: Error) => console.error(error);
    const publisher = await openPublisher(url, { onError });
    const backend = await openQueueBackend(url, { onError });
    const seen: unknown[] = [];
    for (const name of ['work-order-operations', 'reference-data'] as const) {
      backend.openWorker(name, async (job) => {
        seen.push(job.data);
      });
    }
    await publisher.publish([completedEvent(), productStructureVersionEvent()]);
    await waitUntil('both events arrive', () => seen.length === 2);
    expect(seen).to.deep.include.members([completedEvent(), productStructureVersionEvent()]);
    await publisher.close();
    await backend.close();
  });

  it('are durable only if every master node is durable', async () => {
    expect(await checkQueueDurability(url)).to.deep.equal([]);
    const second = new Redis({ host: '127.0.0.1', port: nodes[1]?.port ?? 0 });
    await second.config('SET', 'maxmemory-policy', 'allkeys-lru');
    second.disconnect();
    const problems = await checkQueueDurability(url);
    expect(problems.map(({ setting }) => setting)).to.deep.equal(['maxmemory-policy']);
  });
});

/** Makes a cluster of two nodes. Each node has half of the slots. */
async function formCluster(
  [first, second]: readonly TestRedis[],
  [, secondBusPort]: readonly number[],
): Promise<void> {
  const clients = [first, second].map((node) => new Redis({ host: '127.0.0.1', port: node?.port ?? 0 }));
  try {
    const [one, other] = clients;
    await one?.call('CLUSTER', 'ADDSLOTSRANGE', '0', '8191');
    await other?.call('CLUSTER', 'ADDSLOTSRANGE', '8192', '16383');
    await other?.call('CLUSTER', 'SET-CONFIG-EPOCH', '2');
    await one?.call('CLUSTER', 'MEET', '127.0.0.1', String(second?.port), String(secondBusPort));
    for (const client of clients) {
      await waitUntil('the cluster forms', async () =>
        String(await client.call('CLUSTER', 'INFO')).includes('cluster_state:ok'),
      );
    }
  } finally {
    for (const client of clients) {
      client.disconnect();
    }
  }
}
