import { type AppProcess, runTakt, startApp } from '@takt/database/testing';
import { findFreePort, needsProgram, randomFrom, shareOf, testSeed, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { findCrashes } from './find-deviations.js';
import { NO_ANSWER, PASSING, startHttpProducers } from './http-producers.js';
import { switchOn } from './mutants.js';
import { divide } from './queue.js';
import { COMPANY, openSystem, type System } from './system.js';
import { startWorkerFleet, type WorkerFleet } from './worker-fleet.js';

const EVENTS = shareOf(10_000, 3_000);
/** Number of kills. The intake, the queue and a worker are each killed at least once. */
const KILLS = shareOf(6, 3);
const PRODUCERS = 12;
const ROUND_DEADLINE_MS = 240_000;
const REDIS_DOWN_MS = 700;

describe('events over HTTP during kills of intake, queue and workers', function () {
  this.timeout(shareOf(600_000, 600_000));
  const seed = testSeed();
  const random = randomFrom(seed);
  let system: System;
  let fleet: WorkerFleet;
  let port: number;
  let intake: AppProcess;
  const outputs: (() => string)[] = [];

  const startIntake = async () => {
    intake = await startApp('intake', { ...system, port });
    outputs.push(intake.output);
  };
  /** Functions that kill a process with kill -9 and start it again. The process runs again before the next kill. */
  const kills: Readonly<Record<string, () => Promise<void>>> = {
    intake: async () => {
      await intake.stop('SIGKILL');
      await startIntake();
    },
    queue: () => system.redis().crash(REDIS_DOWN_MS),
    worker: async () => (await fleet.replace(random.pick(fleet.workers)))(),
  };

  before(async function () {
    needsProgram(this, 'redis-server');
    system = await openSystem({ queue: 'redis', history: { events: EVENTS, random } });
    fleet = await startWorkerFleet(2, system, { nodeArguments: switchOn('short-claims') });
    port = await findFreePort();
    await startIntake();
  });
  after(async () => {
    await intake?.stop('SIGKILL');
    await system?.close();
  });

  it('count exactly once if the intake has answered 202', async () => {
    const { stdout } = await runTakt(['token', 'create', '--database', COMPANY, '--publish'], {
      DATABASE_URL: system.databaseUrl,
    });
    const order = random.shuffle(Object.keys(kills));
    const outcomes: string[] = [];
    // Each round has one kill. It happens after some events of the round are acknowledged.
    for (const [round, events] of divide(system.history.events, Math.ceil(EVENTS / KILLS)).entries()) {
      const producers = startHttpProducers({
        ...{ url: intake.origin, token: stdout.trim(), events, random, producers: PRODUCERS },
      });
      const target = events.length * (0.1 + 0.5 * random());
      const kill = async () => {
        await waitUntil(
          'some are acknowledged',
          () => producers.acknowledged() >= target,
          ROUND_DEADLINE_MS,
          1,
        );
        await kills[order[round % order.length] ?? '']?.();
      };
      await Promise.all([producers.done, kill()]);
      expect(producers.acknowledged()).to.equal(events.length);
      outcomes.push(...producers.otherOutcomes);
    }
    await system.queue.drain(ROUND_DEADLINE_MS);
    const passing = outcomes.filter((outcome) => outcome === PASSING).length;
    const unanswered = outcomes.filter((outcome) => outcome === NO_ANSWER).length;
    console.info(`      seed ${seed}: ${unanswered} without an answer, ${passing} with 500, sent again`);
    expect(outcomes.filter((outcome) => ![PASSING, NO_ANSWER].includes(outcome))).to.deep.equal([]);
    expect(unanswered, 'requests that met an intake that was killed').to.be.above(0);
    expect(await system.findDeviations()).to.deep.equal([]);
    expect(findCrashes([...fleet.outputs(), ...outputs.map((output) => output())])).to.deep.equal([]);
    expect(fleet.endedUnasked()).to.deep.equal([]);
    expect(await intake.stop()).to.equal(0);
  });
});
