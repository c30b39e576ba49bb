import { needsProgram, testLength, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import { runFaults } from '../fault-run/fault-run.js';
import { countSwitchedOn, type Fault, switchOn } from '../faults/switch-on.js';
import { killHoldersOfOneJob, type Verdict } from './kill-holders-of-one-job.js';
import { openSystem } from './system.js';

/** The verification of the kill tests and of the fault run, put on trial: each deliberate bug must be seen by it. */
describe('the kill tests, with a deliberate bug in the worker', function () {
  this.timeout(300_000);
  let runs: Record<Exclude<Fault, 'brief-claims'>, Promise<Verdict>>;

  before(function () {
    needsProgram(this, 'redis-server');
    runs = {
      'acknowledge-before-commit': killHolders('acknowledge-before-commit'),
      'two-transactions': killHolders('two-transactions'),
      'default-stall-limit': killHolders('default-stall-limit'),
      'short-claims': killHolders('short-claims'),
    };
    // All run at once; a failure is reported by the test that waits for it.
    void Promise.allSettled(Object.values(runs));
  });

  it('see events lost when it acknowledges before it has committed', async () => {
    expectEventsLost(await runs['acknowledge-before-commit']);
  });

  it('see figures deviate from the ledger when they are written in two transactions', async () => {
    expectFiguresDeviate(await runs['two-transactions']);
  });

  it('see a job fail that lost its worker twice when the stall limit is the one of BullMQ', async () => {
    const deviations = deviationsOf(await runs['default-stall-limit']);
    expect(deviations).to.match(/jobs failed: .*stalled more than allowable limit/);
    expect(deviations).to.match(/operations deviate/);
  });

  it('see nothing when a job lost its worker three times and there is no bug', async () => {
    expect(deviationsOf(await runs['short-claims'])).to.equal('');
  });

  if (testLength() <= 1) return;

  it('see events lost also when workers that acknowledge too early are killed at random', async () => {
    const verdict = await runFaults({
      queueKind: 'redis',
      seed: testSeed(),
      events: 30_000,
      schedule: Array.from({ length: 20 }, () => 'kill -9 of a worker that cannot commit' as const),
      variant: 'acknowledge-before-commit',
    });
    expectEventsLost(verdict);
  });

  it('see figures deviate also when connections with two transactions are terminated at random', async () => {
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

async function killHolders(fault: Fault): Promise<Verdict> {
  const system = await openSystem('redis');
  return killHoldersOfOneJob(system, { nodeArguments: switchOn(fault) });
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

/** What was found, of workers that had the changed modules loaded. */
function deviationsOf({ deviations, outputs }: Verdict): string {
  for (const output of outputs) expect(countSwitchedOn(output), output).to.be.above(0);
  return deviations.join('\n');
}
