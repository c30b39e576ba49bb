import { runTakt } from '@takt/database/testing';
import { needsProgram, type TestRedis, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { findCrashes } from '../faults/find-deviations.js';
import { divide } from '../faults/queue.js';
import { openSystem, type System } from '../faults/system.js';
import { startWorkerFleet, type WorkerFleet, waitForStatus } from '../faults/worker-fleet.js';

const EVENTS = 100_000;
const REFUSED = 20;
const EVENTS_PER_CALL = 2_500;
const BATCH_SIZE = 500;
const AWAY_MS = 3_000;
/**
 * Producers publish the events of this many ms before a failover again. Redis acknowledges events before its replica
 * has them, so a failover may lose them.
 */
const AGAIN_MS = 10_000;
const STATUS_DEADLINE_MS = 30_000;
const DRAIN_DEADLINE_MS = 180_000;
/** One of the keys of the queues. All keys of the queues are on the same node. */
const A_KEY = '{takt}:work-order-operations:wait';

describe('two workers on a Redis Cluster that loses a node under load', function () {
  this.timeout(400_000);
  let system: System;
  let fleet: WorkerFleet;
  let acknowledged: { readonly events: readonly object[]; readonly atMs: number }[];

  before(function () {
    needsProgram(this, 'redis-server');
  });

  afterEach(async () => {
    await system?.close();
  });

  it('lose and duplicate no event if the node comes back with its data', async () => {
    await open({ clusterWithReplicas: false });
    await publishWhile(async () => {
      const holder = await system.cluster().masterOf(A_KEY);
      const back = holder.crash(AWAY_MS);
      await waitForReadiness(503);
      await back;
      await waitForReadiness(200);
      // This node has no keys of the queues. The cluster still refuses all requests, because some of its slots are
      // away.
      await otherThan(holder).crash(AWAY_MS);
    });
    await expectNoDeviations();
    await expectCommandsWork();
  });

  it('lose and duplicate no event if a replica takes over and producers publish the latest events again', async () => {
    await open({ clusterWithReplicas: true });
    const killed = { atMs: Number.NaN };
    await publishWhile(async () => {
      const holder = await system.cluster().masterOf(A_KEY);
      killed.atMs = performance.now();
      await holder.kill();
      await waitUntil(
        'the replica is master',
        async () => (await system.cluster().masterOf(A_KEY)) !== holder,
        STATUS_DEADLINE_MS,
      );
    });
    const perhapsLost = acknowledged.filter(({ atMs }) => atMs > killed.atMs - AGAIN_MS);
    for (const { events } of perhapsLost) await system.publisher.publish(events, BATCH_SIZE);
    await expectNoDeviations();
  });

  async function open(queue: { readonly clusterWithReplicas: boolean }): Promise<void> {
    const history = { events: EVENTS, structureVersions: 300, refused: REFUSED };
    system = await openSystem({ queue, history });
    fleet = await startWorkerFleet(2, system);
  }

  /** Publishes all events, and disturbs the cluster after a third of them. */
  async function publishWhile(disturb: () => Promise<void>): Promise<void> {
    const calls = divide(system.history.events, EVENTS_PER_CALL);
    acknowledged = [];
    let disturbance: Promise<void> | undefined;
    for (const [index, call] of calls.entries()) {
      if (index >= calls.length / 3) disturbance ??= disturb();
      await system.publisher.publish(call, BATCH_SIZE);
      acknowledged.push({ events: call, atMs: performance.now() });
    }
    await disturbance;
  }

  async function expectNoDeviations(): Promise<void> {
    await system.queue.drain(DRAIN_DEADLINE_MS);
    expect(await system.findDeviations()).to.deep.equal([]);
    expect(fleet.endedUnasked()).to.deep.equal([]);
    expect(await fleet.stop()).to.deep.equal([0, 0]);
    expect(findCrashes(fleet.outputs())).to.deep.equal([]);
  }

  /** Expects the takt commands to find the cluster with the same setting as the apps. */
  async function expectCommandsWork(): Promise<void> {
    const environment = { DATABASE_URL: system.databaseUrl, QUEUE_URL: system.queueUrl };
    const takt = async (...args: string[]) => {
      const { code, stdout, stderr } = await runTakt(args, environment);
      expect(code, `takt ${args.join(' ')}: ${stderr}`).to.equal(0);
      return stdout;
    };
    expect(await takt('drain', '--timeout', '10')).to.match(/^completed \d+ failed \d+/);
    expect(await takt('status')).to.match(/work-order-operations/);
    expect(await takt('audit')).to.match(/^audited \d+ structure versions, 0 differences/);
    const listed: unknown = JSON.parse(await takt('rejected', 'list', '--json'));
    expect(listed).to.have.length(REFUSED);
  }

  function otherThan(node: TestRedis): TestRedis {
    const other = system.cluster().nodes.find((one) => one !== node);
    if (other === undefined) throw new Error('the cluster has one node');
    return other;
  }

  function waitForReadiness(status: number): Promise<void> {
    return waitForStatus(String(fleet.workers[0]?.origin), status);
  }
});
