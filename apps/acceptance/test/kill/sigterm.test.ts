import { setTimeout as delay } from 'node:timers/promises';
import { needsProgram } from '@takt/test-support';
import { expect } from 'chai';
import { lockFigures } from './disturbances.js';
import { type StopReport, stopUnderLoad } from './stop-under-load.js';
import { openOwnPostgresSystem, openSystem, type QueueKind } from './system.js';

const STOP_DEADLINE_MS = 10_000;
/** So that the worker has noticed that a server is away. */
const NOTICE_MS = 1_000;
const REDIS_DOWN_MS = 12_000;

describe('a worker that gets SIGTERM under load', function () {
  this.timeout(180_000);
  let runs: Record<string, Promise<StopReport>>;

  before(function () {
    needsProgram(this, 'redis-server');
    const together = {
      redis: stopUnderLoad(openSystem('redis'), { name: 'SIGTERM, queue on redis' }),
      postgres: stopUnderLoad(openSystem('postgres'), { name: 'SIGTERM, queue on postgres' }),
      withoutDatabase: stopWithoutPostgres('redis'),
      whileBlocked: stopWhileBlocked(),
    };
    // Those that wait longest for what does not answer, one after the other: they end barely in time as it is.
    const withoutDatabaseAndQueue = Promise.allSettled(Object.values(together)).then(() =>
      stopWithoutPostgres('postgres'),
    );
    const withoutQueue = Promise.allSettled([withoutDatabaseAndQueue]).then(stopWithoutRedis);
    runs = { ...together, withoutDatabaseAndQueue, withoutQueue };
    // They run without waiting for their tests; a failure is reported by the one that waits for it.
    void Promise.allSettled(Object.values(runs));
  });

  it('finishes what it holds, with the queue on Redis', () => expectHandedOver('redis'));
  it('finishes what it holds, with the queue on PostgreSQL', () => expectHandedOver('postgres'));
  it('gives its jobs back at once while the database is away', () => expectHandedOver('withoutDatabase'));
  it('gives its jobs back at once while its batch is blocked', () => expectHandedOver('whileBlocked'));
  it('ends in time while queue and database are away together', () => expectEnded('withoutDatabaseAndQueue'));
  it('ends in time while Redis is away', () => expectEnded('withoutQueue'));

  async function expectEnded(run: string): Promise<StopReport | undefined> {
    const report = await runs[run];
    expect(report?.stopMs).to.be.below(STOP_DEADLINE_MS);
    expect(report?.exitCode).to.equal(0);
    expect(report?.deviations).to.deep.equal([]);
    return report;
  }

  async function expectHandedOver(run: string): Promise<void> {
    const report = await expectEnded(run);
    expect(report?.claimsLeft, 'jobs that must wait for the end of their claim').to.equal(0);
  }
});

async function stopWithoutPostgres(queue: QueueKind): Promise<StopReport> {
  const opening = openOwnPostgresSystem(queue);
  return stopUnderLoad(opening, {
    name: `SIGTERM without PostgreSQL, queue on ${queue}`,
    before: async () => {
      await (await opening).postgres.stop();
      await delay(NOTICE_MS);
    },
    after: async () => (await opening).postgres.start(),
  });
}

async function stopWithoutRedis(): Promise<StopReport> {
  const opening = openSystem('redis');
  let back: Promise<void> | undefined;
  return stopUnderLoad(opening, {
    name: 'SIGTERM without Redis',
    before: async () => {
      back = (await opening).redis.crash(REDIS_DOWN_MS);
      await delay(NOTICE_MS);
    },
    after: async () => back,
  });
}

async function stopWhileBlocked(): Promise<StopReport> {
  const opening = openSystem('redis');
  let unlock: (() => Promise<void>) | undefined;
  return stopUnderLoad(opening, {
    name: 'SIGTERM while the figures are locked',
    before: async () => {
      unlock = await lockFigures(await opening);
    },
    after: () => unlock?.() ?? Promise.resolve(),
  });
}
