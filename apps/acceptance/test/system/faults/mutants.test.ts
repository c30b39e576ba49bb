import { startApp } from '@takt/database/testing';
import { needsProgram, randomFrom, testLength, testSeed, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { runFaults } from './fault-run.js';
import { lockFigures, terminateWorkerConnections, waitForBlockedCommits } from './faults.js';
import { countSwitchedOn, type Mutant, switchOn } from './mutants.js';
import { openSystem } from './system.js';

const EVENTS = 200;
const KILLS = 3;
const CLAIM_DEADLINE_MS = 60_000;

interface Verdict {
  /** All deviations. The list is empty if every event had its effect exactly once. */
  readonly deviations: readonly string[];
  /** The output of the workers. */
  readonly outputs: readonly string[];
}

/** Checks the verification of all fault tests. The verification must detect each deliberate bug. */
describe('the fault tests with deliberate bugs in the worker', function () {
  this.timeout(300_000);
  let runs: Record<Exclude<Mutant, 'brief-claims'>, Promise<Verdict>>;

  before(function () {
    needsProgram(this, 'redis-server');
    runs = {
      'acknowledge-before-commit': killHolders('acknowledge-before-commit'),
      'two-transactions': killHolders('two-transactions'),
      'default-stall-limit': killHolders('default-stall-limit'),
      'short-claims': killHolders('short-claims'),
    };
    // All runs go in parallel. If a run fails, the test that awaits the run reports the failure.
    void Promise.allSettled(Object.values(runs));
  });

  it('detect lost events if the worker acknowledges before it commits', async () => {
    expectEventsLost(await runs['acknowledge-before-commit']);
  });

  it('detect wrong figures if the worker writes the figures and the ledger in separate transactions', async () => {
    expectFiguresDeviate(await runs['two-transactions']);
  });

  it('detect a failed job if two workers are killed and the stall limit is the default of BullMQ', async () => {
    const deviations = deviationsOf(await runs['default-stall-limit']);
    expect(deviations).to.match(/jobs failed: .*stalled more than allowable limit/);
    expect(deviations).to.match(/operations deviate/);
  });

  it('report no deviation if a worker without a bug follows three killed workers on the same job', async () => {
    expect(deviationsOf(await runs['short-claims'])).to.equal('');
  });

  if (testLength() <= 1) return;

  it('detect lost events if workers that acknowledge too early are killed at random times', async () => {
    const verdict = await runFaults({
      queueKind: 'redis',
      seed: testSeed(),
      events: 30_000,
      schedule: Array.from({ length: 20 }, () => 'kill -9 of a worker that cannot commit' as const),
      variant: 'acknowledge-before-commit',
    });
    expectEventsLost(verdict);
  });

  it('detect wrong figures if a worker with two transactions loses its connections at random times', async () => {
    const verdict = await runFaults({
      queueKind: 'redis',
      seed: testSeed(),
      events: 30_000,
      schedule: Array.from({ length: 30 }, () => 'connections terminated' as const),
      variant: 'two-transactions',
    });
    expectFiguresDeviate(verdict);
  });
});

/**
 * Publishes one job, and repeatedly kills the worker that has claimed it. No worker can commit the job meanwhile,
 * because the figures are locked. Finally the lock is released, and a last worker processes the job.
 */
async function killHolders(mutant: Mutant): Promise<Verdict> {
  const history = { events: EVENTS, structureVersions: 5, random: randomFrom(1) };
  const system = await openSystem({ queue: 'redis', history });
  const { queue, databaseUrl, queueUrl } = system;
  const outputs: string[] = [];
  const startWorker = async () => {
    const worker = await startApp('worker', { databaseUrl, queueUrl, nodeArguments: switchOn(mutant) });
    system.atEnd(() => worker.stop('SIGKILL'));
    return worker;
  };
  try {
    await system.publisher.publish(system.history.events, EVENTS);
    const unlock = await lockFigures(system);
    for (let kill = 1; kill <= KILLS && (await queue.countUnfinished()) > 0; kill++) {
      const worker = await startWorker();
      await waitUntil(
        `the job is claimed a ${kill}. time or is gone`,
        async () => {
          return (await queue.countClaimsOfActive()) === kill || (await queue.countUnfinished()) === 0;
        },
        CLAIM_DEADLINE_MS,
      );
      // If the job has gone, the worker has nothing to commit and never waits for the lock.
      await waitForBlockedCommits(system, 1);
      await worker.stop('SIGKILL');
      // Ends the statements of the killed worker. PostgreSQL does not notice the end of a worker whose statement waits
      // for a lock.
      await terminateWorkerConnections(system.pool);
      outputs.push(worker.output());
    }
    await unlock();
    const last = await startWorker();
    await queue.drain(CLAIM_DEADLINE_MS);
    await last.stop();
    outputs.push(last.output());
    return { deviations: await system.findDeviations(), outputs };
  } finally {
    await system.close();
  }
}

function expectEventsLost(verdict: Verdict): void {
  const deviations = deviationsOf(verdict);
  expect(deviations).to.match(/operations deviate/);
  expect(deviations).to.match(/totals deviate/);
}

function expectFiguresDeviate(verdict: Verdict): void {
  const deviations = deviationsOf(verdict);
  expect(deviations).to.match(/audit finds differences/);
  expect(deviations).to.match(/totals deviate/);
}

/** Returns the deviations as one text. Expects all workers to have loaded the changed modules. */
function deviationsOf({ deviations, outputs }: Verdict): string {
  for (const output of outputs) expect(countSwitchedOn(output), output).to.be.above(0);
  return deviations.join('\n');
}
