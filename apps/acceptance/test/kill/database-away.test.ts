import { setTimeout as delay } from 'node:timers/promises';
import {
  findFreePort,
  needsProgram,
  type ObservedProcess,
  randomFrom,
  shareOf,
  spawnWorkerProcess,
  testSeed,
  waitUntil,
} from '@takt/test-support';
import { expect } from 'chai';
import { findCrashes, findDeviations } from './find-deviations.js';
import { generateHistory, type OperationHistory } from './operation-history.js';
import {
  type ObservedQueue,
  observeQueue,
  openPersistentPublisher,
  type PersistentPublisher,
} from './queue.js';
import { COMPANY, type OwnPostgresSystem, openOwnPostgresSystem } from './system.js';

const EVENTS = 2_000;
const STATUS_DEADLINE_MS = 60_000;
const DRAIN_DEADLINE_MS = 120_000;
/** From a length of 10 on it outlasts a claim, which must be renewed meanwhile. */
const AWAY_MS = shareOf(3_000, 3_000);

describe('a worker whose database is away', function () {
  this.timeout(180_000);
  let system: OwnPostgresSystem;
  let queue: ObservedQueue;
  let publisher: PersistentPublisher;
  let worker: ObservedProcess;
  let readyUrl: string;
  let history: OperationHistory;

  before(async function () {
    needsProgram(this, 'redis-server');
    const random = randomFrom(testSeed());
    history = generateHistory({ database: COMPANY, events: EVENTS, structureVersions: 40, random });
    system = await openOwnPostgresSystem('redis');
    queue = await observeQueue(system.queueUrl);
    publisher = await openPersistentPublisher(system.queueUrl);
    await system.postgres.stop();
    const port = await findFreePort();
    readyUrl = `http://127.0.0.1:${port}/health/ready`;
    worker = await spawnWorkerProcess({ ...system, port });
  });

  after(async () => {
    await worker?.stop('SIGKILL');
    await publisher?.close();
    await queue?.close();
    await system?.close();
  });

  it('waits for it at the start and says 503', async () => {
    await waitForStatus(503);
    await publisher.publish(history.events.slice(0, EVENTS / 2), 1);
    await delay(AWAY_MS);
    expect(await fetchStatus()).to.equal(503);
    expect(worker.runs()).to.equal(true);
  });

  it('starts by itself once it is there', async () => {
    await system.postgres.start();
    await waitForStatus(200);
    await queue.drain(DRAIN_DEADLINE_MS);
    expect(await queue.describeUnfinished()).to.deep.equal([]);
  });

  it('keeps its jobs while it is away again and says 503', async () => {
    await system.postgres.stop();
    await publisher.publish(history.events.slice(EVENTS / 2), 20);
    await waitForStatus(503);
    await waitUntil('jobs are claimed', async () => (await queue.countActive()) > 0, STATUS_DEADLINE_MS);
    await delay(AWAY_MS);
    expect(await queue.countActive()).to.be.above(0);
    expect(await queue.countClaimsOfActive(), 'claims of one job').to.equal(1);
    expect(await fetchStatus()).to.equal(503);
  });

  it('resumes by itself and has lost nothing', async () => {
    await system.postgres.start();
    await waitForStatus(200);
    await queue.drain(DRAIN_DEADLINE_MS);
    expect(await findDeviations(system.pool, queue, history)).to.deep.equal([]);
    expect(await worker.stop('SIGTERM')).to.equal(0);
    expect(findCrashes([worker.output()])).to.deep.equal([]);
  });

  it('ends at once when it gets SIGTERM while it waits at the start', async () => {
    await system.postgres.stop();
    const waiting = await spawnWorkerProcess({ ...system, port: 0 });
    await waitUntil(
      'the worker waits',
      () => waiting.output().includes('cannot be reached'),
      STATUS_DEADLINE_MS,
    );
    const stoppedAt = performance.now();
    expect(await waiting.stop('SIGTERM')).to.equal(0);
    expect(performance.now() - stoppedAt).to.be.below(20_000);
  });

  function waitForStatus(status: number): Promise<void> {
    return waitUntil(
      `/health/ready says ${status}`,
      async () => {
        return (await fetchStatus()) === status;
      },
      STATUS_DEADLINE_MS,
    );
  }

  async function fetchStatus(): Promise<number | undefined> {
    const response = await fetch(readyUrl).catch(() => undefined);
    return response?.status;
  }
});
