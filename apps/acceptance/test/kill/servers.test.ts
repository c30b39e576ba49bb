import { setTimeout as delay } from 'node:timers/promises';
import { needsProgram, wantsLongTests } from '@takt/test-support';
import { expect } from 'chai';
import { terminateWorkerConnections } from './disturbances.js';
import { type KillReport, runKillTest } from './kill-test.js';
import { openOwnPostgresSystem, openSystem, type QueueKind } from './system.js';

const LONG = wantsLongTests();
const CRASHES = LONG ? 10 : 2;
const TERMINATIONS = LONG ? 200 : 20;
const EVENTS = LONG ? 20_000 : 3_000;
const LONGEST_DOWN_MS = 2_000;
/** Between two terminations, so that the workers get to do something. */
const LONGEST_PAUSE_MS = 100;

describe('2 workers whose servers fail under them', function () {
  this.timeout(LONG ? 1_800_000 : 180_000);
  let runs: Record<string, Promise<KillReport>>;

  before(function () {
    needsProgram(this, 'redis-server');
    runs = {
      postgresCrashes: crashPostgres('redis'),
      postgresWithQueueCrashes: crashPostgres('postgres'),
      redisCrashes: crashRedis(),
      terminations: terminateConnections('redis'),
      terminationsWithQueue: terminateConnections('postgres'),
    };
    // All run at once; a failure is reported by the test that waits for it.
    void Promise.allSettled(Object.values(runs));
  });

  const cases: readonly [title: string, run: string][] = [
    ['go on by themselves after kill -9 of PostgreSQL', 'postgresCrashes'],
    ['go on by themselves after kill -9 of PostgreSQL with the queue in it', 'postgresWithQueueCrashes'],
    ['go on by themselves after kill -9 of Redis', 'redisCrashes'],
    ['go on by themselves after pg_terminate_backend of all their connections', 'terminations'],
    ['go on by themselves after pg_terminate_backend, those to the queue included', 'terminationsWithQueue'],
  ];
  for (const [title, run] of cases) {
    it(title, async () => {
      const report = await runs[run];
      expect(report?.deviations).to.deep.equal([]);
      // The two that were started are the two that stopped: nobody had to replace one.
      expect(report?.outputs).to.have.length(2);
    });
  }
});

async function crashPostgres(queue: QueueKind): Promise<KillReport> {
  const opening = openOwnPostgresSystem(queue);
  return runKillTest(opening, {
    name: `kill -9 of PostgreSQL, queue on ${queue}`,
    events: EVENTS,
    rounds: CRASHES,
    disturb: async () => (await opening).postgres.crash(),
  });
}

async function crashRedis(): Promise<KillReport> {
  const opening = openSystem('redis');
  return runKillTest(opening, {
    name: 'kill -9 of Redis',
    events: EVENTS,
    rounds: CRASHES,
    disturb: async ({ random }) => (await opening).redis.crash(random() * LONGEST_DOWN_MS),
  });
}

function terminateConnections(queue: QueueKind): Promise<KillReport> {
  return runKillTest(openSystem(queue), {
    name: `pg_terminate_backend, queue on ${queue}`,
    events: EVENTS,
    rounds: TERMINATIONS,
    disturb: async ({ system, random }) => {
      await terminateWorkerConnections(system.pool);
      await delay(random() * LONGEST_PAUSE_MS);
    },
  });
}
