import { setTimeout as delay } from 'node:timers/promises';
import { needsProgram, randomFrom, testSeed, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import type { QueueStoreKind } from '../../support/test-system.js';
import { lockFigures } from './faults.js';
import { findCrashes } from './find-deviations.js';
import { openSystem, type System } from './system.js';
import { startWorkerFleet } from './worker-fleet.js';

const EVENTS = 3_000;
const BATCH_SIZES = [1, 20, 500];
const STOP_DEADLINE_MS = 10_000;
const CLAIM_DEADLINE_MS = 60_000;
const DRAIN_DEADLINE_MS = 120_000;
const LONGEST_LOAD_MS = 300;
/** Time in ms that the worker gets to notice that a server is away. */
const NOTICE_MS = 1_000;
const REDIS_DOWN_MS = 12_000;

/** Harms a system before the signal. Returns a function for the repair, which is called after the worker has ended. */
type Harm = (system: System) => Promise<() => Promise<unknown>>;

interface StopReport {
  readonly exitCodes: readonly (number | null)[];
  /** Time in ms from the signal to the end of the process. */
  readonly stopMs: number;
  /** Number of jobs that are still claimed after the worker has ended and the servers are back. */
  readonly claimsLeft: number;
  /** Deviations after another worker has processed the remaining jobs. */
  readonly deviations: readonly string[];
}

describe('a worker that gets SIGTERM under load', function () {
  this.timeout(180_000);
  let runs: Record<string, Promise<StopReport>>;

  before(function () {
    needsProgram(this, 'redis-server');
    const together = {
      redis: stopUnderLoad('redis', 'with everything there'),
      postgres: stopUnderLoad('postgres', 'with everything there'),
      withoutDatabase: stopUnderLoad('redis', 'without PostgreSQL', withoutPostgres),
      whileBlocked: stopUnderLoad('redis', 'while the figures are locked', lockFigures),
    };
    // These runs wait longest for servers that do not answer, and barely end in time. They run one after the other, so
    // that no other run slows them down.
    const withoutDatabaseAndQueue = Promise.allSettled(Object.values(together)).then(() =>
      stopUnderLoad('postgres', 'without PostgreSQL', withoutPostgres),
    );
    const withoutQueue = Promise.allSettled([withoutDatabaseAndQueue]).then(() =>
      stopUnderLoad('redis', 'without Redis', withoutRedis),
    );
    runs = { ...together, withoutDatabaseAndQueue, withoutQueue };
    // If a run fails before a test awaits it, the test reports the failure later.
    void Promise.allSettled(Object.values(runs));
  });

  it('finishes its jobs, with the queue on Redis', () => expectHandedOver('redis'));
  it('finishes its jobs, with the queue on PostgreSQL', () => expectHandedOver('postgres'));
  it('releases its jobs at once while the database is away', () => expectHandedOver('withoutDatabase'));
  it('releases its jobs at once while its batch is blocked', () => expectHandedOver('whileBlocked'));
  it('exits in time while queue and database are both away', () => expectEnded('withoutDatabaseAndQueue'));
  it('exits in time while Redis is away', () => expectEnded('withoutQueue'));

  async function expectEnded(run: string): Promise<StopReport | undefined> {
    const report = await runs[run];
    expect(report?.stopMs).to.be.below(STOP_DEADLINE_MS);
    expect(report?.exitCodes).to.deep.equal([0]);
    expect(report?.deviations).to.deep.equal([]);
    return report;
  }

  async function expectHandedOver(run: string): Promise<void> {
    const report = await expectEnded(run);
    expect(report?.claimsLeft, 'jobs that must wait for the end of their claim').to.equal(0);
  }
});

async function withoutPostgres({ postgres }: System): Promise<() => Promise<void>> {
  await postgres().stop();
  await delay(NOTICE_MS);
  return () => postgres().start();
}

async function withoutRedis({ redis }: System): Promise<() => Promise<void>> {
  const back = redis().crash(REDIS_DOWN_MS);
  await delay(NOTICE_MS);
  return () => back;
}

/**
 * Stops the only worker with SIGTERM at a random moment while many jobs wait. Then lets another worker process the
 * remaining jobs.
 */
async function stopUnderLoad(queueKind: QueueStoreKind, name: string, harm?: Harm): Promise<StopReport> {
  const ownPostgres = harm === withoutPostgres ? { ownPostgres: {} } : {};
  const system = await openSystem({ queue: queueKind, ...ownPostgres, history: { events: EVENTS } });
  const { queue, publisher, history } = system;
  try {
    const size = EVENTS / BATCH_SIZES.length;
    for (const [index, batchSize] of BATCH_SIZES.entries()) {
      await publisher.publish(history.events.slice(index * size, (index + 1) * size), batchSize);
    }
    const worker = await startWorkerFleet(1, system);
    await waitUntil('a job is claimed', async () => (await queue.countActive()) > 0, CLAIM_DEADLINE_MS);
    await delay(randomFrom(testSeed())() * LONGEST_LOAD_MS);
    const mend = await harm?.(system);
    const stoppedAt = performance.now();
    const exitCodes = await worker.stop();
    const stopMs = performance.now() - stoppedAt;
    await mend?.();
    const claimsLeft = await queue.countActive();
    const other = await startWorkerFleet(1, system);
    await queue.drain(DRAIN_DEADLINE_MS);
    await other.stop();
    const deviations = [
      ...(await system.findDeviations()),
      ...findCrashes([...worker.outputs(), ...other.outputs()]),
    ];
    const took = `ended after ${(stopMs / 1_000).toFixed(1)} s, ${claimsLeft} claims left`;
    console.log(`      SIGTERM ${name}, queue on ${queueKind}: ${took}`);
    return { exitCodes, stopMs, claimsLeft, deviations };
  } finally {
    await system.close();
  }
}
