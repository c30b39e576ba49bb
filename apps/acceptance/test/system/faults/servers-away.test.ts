import { setTimeout as delay } from 'node:timers/promises';
import { spawnApp } from '@takt/database/testing';
import { findFreePort, needsProgram, type ObservedProcess, shareOf, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { findCrashes } from './find-deviations.js';
import { openSystem, type System } from './system.js';
import { fetchStatus, startWorkerFleet, waitForStatus } from './worker-fleet.js';

const EVENTS = 2_000;
const DEADLINE_MS = 60_000;
const DRAIN_DEADLINE_MS = 120_000;
/**
 * Time in ms for which a server is away. It exceeds a claim if the test length is 10 or more. If the test length is 30
 * or more, it also exceeds the silence of Redis after which a worker restarts.
 */
const AWAY_MS = shareOf(3_000, 3_000);

describe('a worker whose database is away', function () {
  this.timeout(180_000);
  let system: System;
  let worker: ObservedProcess;
  let origin: string;

  before(async function () {
    needsProgram(this, 'redis-server');
    system = await openSystem({ queue: 'redis', ownPostgres: {}, history: { events: EVENTS } });
    await system.postgres().stop();
    const port = await findFreePort();
    origin = `http://127.0.0.1:${port}`;
    worker = await spawnWorker(port);
  });

  after(async () => await system?.close());

  it('waits for the database when it starts, and answers 503 meanwhile', async () => {
    await waitForStatus(origin, 503);
    await system.publisher.publish(system.history.events.slice(0, EVENTS / 2), 1);
    await delay(AWAY_MS);
    expect(await fetchStatus(origin)).to.equal(503);
    expect(worker.runs()).to.equal(true);
  });

  it('completes its start once the database is available', async () => {
    await system.postgres().start();
    await waitForStatus(origin, 200);
    await system.queue.drain(DRAIN_DEADLINE_MS);
    expect(await system.queue.describeUnfinished()).to.deep.equal([]);
  });

  it('keeps its jobs and answers 503 if the database is away again', async () => {
    await system.postgres().stop();
    await system.publisher.publish(system.history.events.slice(EVENTS / 2), 20);
    await waitForStatus(origin, 503);
    await waitUntil('jobs are claimed', async () => (await system.queue.countActive()) > 0, DEADLINE_MS);
    await delay(AWAY_MS);
    expect(await system.queue.countActive()).to.be.above(0);
    expect(await system.queue.countClaimsOfActive(), 'claims of one job').to.equal(1);
    expect(await fetchStatus(origin)).to.equal(503);
  });

  it('resumes by itself once the database is back, without a lost event', async () => {
    await system.postgres().start();
    await waitForStatus(origin, 200);
    await system.queue.drain(DRAIN_DEADLINE_MS);
    expect(await system.findDeviations()).to.deep.equal([]);
    expect(await worker.stop('SIGTERM')).to.equal(0);
    expect(findCrashes([worker.output()])).to.deep.equal([]);
  });

  it('exits at once on SIGTERM while it waits for the database at its start', async () => {
    await system.postgres().stop();
    const waiting = await spawnWorker(0);
    await waitUntil('the worker waits', () => waiting.output().includes('cannot be reached'), DEADLINE_MS);
    const stoppedAt = performance.now();
    expect(await waiting.stop('SIGTERM')).to.equal(0);
    expect(performance.now() - stoppedAt).to.be.below(20_000);
  });

  async function spawnWorker(port: number): Promise<ObservedProcess> {
    const { databaseUrl, queueUrl } = system;
    const spawned = await spawnApp('worker', { databaseUrl, queueUrl, port });
    system.atEnd(() => spawned.stop('SIGKILL'));
    return spawned;
  }
});

describe('a worker whose Redis is away', function () {
  this.timeout(300_000);

  before(function () {
    needsProgram(this, 'redis-server');
  });

  it('answers 503, and resumes by itself once Redis is back, without a lost event', async () => {
    const system = await openSystem({ queue: 'redis', history: { events: EVENTS } });
    try {
      const fleet = await startWorkerFleet(1, system);
      const waitFor = (status: number) => waitForStatus(String(fleet.workers[0]?.origin), status);
      const { events } = system.history;
      await system.publisher.publish(events.slice(0, EVENTS / 2), 1);
      const back = system.redis().crash(AWAY_MS);
      const published = system.publisher.publish(events.slice(EVENTS / 2), 20);
      await waitFor(503);
      await Promise.all([back, published]);
      await waitFor(200);
      await system.queue.drain(DRAIN_DEADLINE_MS);
      expect(await system.findDeviations()).to.deep.equal([]);
      expect(await fleet.stop()).to.deep.equal([0]);
      expect(findCrashes(fleet.outputs())).to.deep.equal([]);
    } finally {
      await system.close();
    }
  });
});
