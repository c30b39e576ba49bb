import { setTimeout as delay } from 'node:timers/promises';
import { addressAt, type NodeAddress, rebalanceCluster } from '@takt/database';
import { needsCluster } from '@takt/database/testing';
import { addCompany } from '@takt/figures/master-data';
import { needsProgram, randomFrom, shareOf, testSeed, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import pg from 'pg';
import { openTestSystem, type TestSystem } from '../../support/test-system.js';
import { findDeviations } from '../faults/find-deviations.js';
import { generateHistory, type OperationHistory } from '../faults/operation-history.js';
import {
  divide,
  type ObservedQueue,
  observeQueue,
  openPersistentPublisher,
  type PersistentPublisher,
} from '../faults/queue.js';

/** Codes of companies. There are so many companies that each node holds some of them. */
const COMPANIES = Array.from({ length: 12 }, (_, index) => `C${index}`);
const EVENTS = shareOf(100_000, 12_000);
const CRASHES = shareOf(20, 4);
const BATCH_SIZE = 500;
const PAUSE_MS = 100;
const DEADLINE_MS = 300_000;

describe('workers on a cluster', function () {
  this.timeout(900_000);
  let nodes: readonly NodeAddress[];
  let coordinator: NodeAddress;
  let system: TestSystem;
  let queue: ObservedQueue;
  let publisher: PersistentPublisher;

  before(function () {
    ({ nodes, coordinator } = needsCluster(this));
    needsProgram(this, 'redis-server');
  });
  beforeEach(async function () {
    system = await openTestSystem(this, 'redis');
    for (const code of COMPANIES) await addCompany(system.database, code, code);
    queue = await observeQueue(system.queueUrl);
    publisher = await openPersistentPublisher(system.queueUrl);
    await system.startWorkers(2);
  });
  afterEach(async () => {
    await publisher?.close();
    await queue?.close();
    await system?.close();
  });

  it('continue with the companies of other nodes while a node is away, and catch up later', async () => {
    const [away] = nodes;
    if (away === undefined) throw new Error('the cluster has no node');
    const held = await codesOn(away);
    expect(held).not.to.deep.equal([]);
    const histories = makeHistories(EVENTS / 10);

    await setReachable(away, false);
    try {
      await publish(histories);
      const others = histories.filter(({ database }) => !held.includes(database));
      await waitUntil(
        'the others are applied',
        async () => {
          const counts = await Promise.all(others.map(({ database }) => countOperations(database)));
          return counts.every((count, index) => count === others[index]?.newest.size);
        },
        DEADLINE_MS,
      );
      expect(await queue.countUnfinished()).to.be.above(0);
    } finally {
      await setReachable(away, true);
    }
    await expectNoDeviations(histories);
  });

  it('lose and duplicate no event while the database servers crash', async () => {
    const random = randomFrom(testSeed());
    const histories = makeHistories(EVENTS);
    const publishing = publish(histories);
    for (let crash = 0; crash < CRASHES; crash++) {
      await delay(random.below(1_500));
      await crashServer(random.pick([coordinator, ...nodes]));
    }
    await publishing;
    await expectNoDeviations(histories);
  });

  it('lose and duplicate no event while companies move to a node', async () => {
    const [, added] = nodes;
    if (added === undefined) throw new Error('the cluster has one node');
    await system.pool.query('SELECT citus_drain_node($1, $2)', [added.host, added.port]);
    await system.pool.query(`SELECT citus_set_node_property($1, $2, 'shouldhaveshards', true)`, [
      added.host,
      added.port,
    ]);
    const histories = makeHistories(EVENTS);
    let isMoving = true;
    const moving = rebalanceCluster({ url: system.databaseUrl }).finally(() => {
      isMoving = false;
    });
    let publishedMeanwhile = 0;
    for (const call of inBatches(histories)) {
      await publisher.publish(call, BATCH_SIZE);
      if (isMoving) publishedMeanwhile += call.length;
      await delay(PAUSE_MS);
    }
    await moving;
    expect(publishedMeanwhile).to.be.above(BATCH_SIZE);
    await expectNoDeviations(histories);
    expect(await codesOn(added)).not.to.deep.equal([]);
  });

  /** Returns a history for each company. The histories share this number of events equally. */
  function makeHistories(events: number): readonly OperationHistory[] {
    const random = randomFrom(testSeed());
    const share = Math.floor(events / COMPANIES.length);
    return COMPANIES.map((database) =>
      generateHistory({ database, events: share, structureVersions: 50, random }),
    );
  }

  async function publish(histories: readonly OperationHistory[]): Promise<void> {
    for (const call of inBatches(histories)) await publisher.publish(call, BATCH_SIZE);
  }

  /** Returns the events of all histories in batches. Each batch contains events of many companies. */
  function inBatches(histories: readonly OperationHistory[]): readonly (readonly object[])[] {
    const events = histories.flatMap((history) => history.events);
    return divide(randomFrom(testSeed()).shuffle(events), BATCH_SIZE);
  }

  async function expectNoDeviations(histories: readonly OperationHistory[]): Promise<void> {
    await queue.drain(DEADLINE_MS);
    for (const history of histories) {
      expect(await findDeviations(system.pool, queue, history), history.database).to.deep.equal([]);
    }
  }

  async function codesOn({ host, port }: NodeAddress): Promise<readonly string[]> {
    const { rows } = await system.pool.query<{ code: string }>(
      `SELECT code FROM takt.companies JOIN pg_dist_shard_placement
         ON shardid = get_shard_id_for_distribution_column('takt.work_order_operations', company_id)
       WHERE nodename = $1 AND nodeport = $2`,
      [host, port],
    );
    return rows.map(({ code }) => code);
  }

  async function countOperations(database: string): Promise<number> {
    const company = await system.pool.query('SELECT company_id FROM takt.companies WHERE code = $1', [
      database,
    ]);
    // A query for one company_id reaches only the node of that company, so it works while another node is away.
    const { rows } = await system.pool.query<{ count: string }>(
      'SELECT count(*) FROM takt.work_order_operations WHERE company_id = $1',
      [company.rows[0]?.company_id],
    );
    return Number(rows[0]?.count);
  }

  /** Makes the node refuse connections to the database, or accept them again. */
  async function setReachable(node: NodeAddress, isReachable: boolean): Promise<void> {
    const name = new URL(system.databaseUrl).pathname.slice(1);
    await askServer(node, async (client) => {
      await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS ${isReachable}`);
      await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [name]);
    });
  }

  /**
   * Kills one process of the server. The server then ends all its other processes, and recovers from its write-ahead
   * log.
   */
  async function crashServer(server: NodeAddress): Promise<void> {
    await waitUntil('a server can crash', () =>
      askServer(server, (client) =>
        client.query(`COPY (SELECT) TO PROGRAM 'kill -9 $PPID'`).then(
          () => false,
          (error: unknown) => !(error instanceof pg.DatabaseError),
        ),
      ).catch(() => false),
    );
  }

  async function askServer<Result>(
    server: NodeAddress,
    ask: (client: pg.Client) => Promise<Result>,
  ): Promise<Result> {
    const client = new pg.Client(addressAt(system.databaseUrl, server, 'postgres'));
    client.on('error', () => undefined);
    try {
      await client.connect();
      return await ask(client);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
});
