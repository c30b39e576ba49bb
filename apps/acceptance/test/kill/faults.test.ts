import { needsProgram } from '@takt/test-support';
import { expect } from 'chai';
import type { FireReport } from '../../src/run-under-fire.js';
import { splitApplyFunction } from '../faults/split-apply-function.js';
import { countSwitchedOn, type Fault, switchOn } from '../faults/switch-on.js';
import { fight } from './fight.js';
import { killHoldersOfOneJob } from './kill-holders-of-one-job.js';
import { killBlockedWorker } from './kill-worker.js';
import { openArena } from './open-arena.js';
import { terminateWorkerConnections } from './terminate-worker-connections.js';

const EVENTS = 8_000;
const KILLS = 6;
const TERMINATIONS = 20;
const EVENTS_UNDER_TERMINATIONS = 20_000;

/** The verification of the kill tests, put on trial: each deliberate bug must be seen by it. */
describe('the kill tests, with a deliberate bug in the worker', function () {
  this.timeout(180_000);
  let runs: Record<Fault, Promise<Pick<FireReport, 'deviations' | 'outputs'>>>;

  before(function () {
    needsProgram(this, 'redis-server');
    runs = {
      'acknowledge-before-commit': acknowledgeBeforeCommit(),
      'two-transactions': writeInTwoTransactions(),
      'default-stall-limit': killHolders('default-stall-limit'),
      'short-claims': killHolders('short-claims'),
    };
    // All run at once; a failure is reported by the test that waits for it.
    void Promise.allSettled(Object.values(runs));
  });

  it('see events lost when it acknowledges before it has committed', async () => {
    const deviations = await deviationsWith('acknowledge-before-commit');
    expect(deviations).to.match(/operations deviate/);
    expect(deviations).to.match(/totals deviate/);
  });

  it('see figures deviate from the ledger when they are written in two transactions', async () => {
    const deviations = await deviationsWith('two-transactions');
    expect(deviations).to.match(/audit finds differences/);
    expect(deviations).to.match(/totals deviate/);
  });

  it('see a job fail that lost its worker twice when the stall limit is the one of BullMQ', async () => {
    const deviations = await deviationsWith('default-stall-limit');
    expect(deviations).to.match(/jobs failed: .*stalled more than allowable limit/);
    expect(deviations).to.match(/operations deviate/);
  });

  it('see nothing when a job lost its worker three times and the stall limit is ours', async () => {
    expect(await deviationsWith('short-claims')).to.equal('');
  });

  async function deviationsWith(fault: Fault): Promise<string> {
    const { deviations, outputs } = await runs[fault];
    for (const output of outputs) expect(countSwitchedOn(output), output).to.be.above(0);
    return deviations.join('\n');
  }
});

function acknowledgeBeforeCommit(): Promise<FireReport> {
  return fight(openArena('redis'), {
    name: 'kill -9 of workers that acknowledge before they commit',
    events: EVENTS,
    rounds: KILLS,
    disturb: killBlockedWorker,
    // One event a job: the more jobs there are, the more are acknowledged ahead of their commit.
    batchSizes: [1],
    nodeArguments: switchOn('acknowledge-before-commit'),
  });
}

function writeInTwoTransactions(): Promise<FireReport> {
  return fight(openArena('redis'), {
    prepare: ({ pool }) => splitApplyFunction(pool),
    name: 'pg_terminate_backend of workers that write in two transactions',
    events: EVENTS_UNDER_TERMINATIONS,
    rounds: TERMINATIONS,
    // Large jobs keep the database at work most of the time, so that most terminations meet a statement.
    batchSizes: [250],
    disturb: ({ arena }) => terminateWorkerConnections(arena.pool),
    nodeArguments: switchOn('two-transactions'),
  });
}

async function killHolders(fault: Fault) {
  return killHoldersOfOneJob(await openArena('redis'), switchOn(fault));
}
