import { leaveOut, needsProgram, randomFrom, testSeed, wantsLongTests } from '@takt/test-support';
import { expect } from 'chai';
import type { QueueKind } from '../kill/system.js';
import { type FaultReport, type FaultRun, runFaults } from './fault-run.js';
import { type Fault, faultsOn } from './faults.js';
import { printReport } from './print-report.js';
import { mountSmallDisk } from './small-disk.js';

const LONG = wantsLongTests();
/** Side by side, most of their time they wait. */
const LANES: readonly QueueKind[] = LONG ? ['redis', 'postgres', 'redis', 'postgres'] : ['redis', 'postgres'];
const EVENTS = LONG ? 76_000 : 9_000;
const FAULTS = LONG ? 76 : undefined;
const MOST_MEMORY_MB = 256;

describe('workers to which one fault after another happens', function () {
  this.timeout(LONG ? 3_600_000 : 400_000);
  let runs: readonly Promise<FaultReport>[];

  before(async function () {
    needsProgram(this, 'redis-server');
    const disk = await mountSmallDisk(1);
    await disk?.close();
    if (disk === undefined) leaveOut(this, 'this process may not mount a disk that can be full');
    runs = LANES.map((queueKind, lane) => runFaults(planRun(queueKind, testSeed() + lane * 1_000_000)));
    // All run at once; a failure is reported by the test that waits for it.
    void Promise.allSettled(runs);
  });

  for (const [lane, queueKind] of LANES.entries()) {
    it(`lose nothing and double nothing, with the queue on ${queueKind} (${lane + 1})`, async () => {
      const report = await runs[lane];
      if (report === undefined) throw new Error('there is no such run');
      printReport(`queue on ${queueKind}, ${EVENTS} events`, report);
      expect(report.deviations).to.deep.equal([]);
      expect(new Set(report.inflicted.map(({ fault }) => fault))).to.deep.equal(new Set(faultsOn(queueKind)));
      expect(report.peakMemoryMb).to.be.below(MOST_MEMORY_MB);
    });
  }
});

/** Each kind of fault comes once before one comes again. */
function planRun(queueKind: QueueKind, seed: number): FaultRun {
  const kinds = faultsOn(queueKind);
  const random = randomFrom(seed);
  const schedule: Fault[] = [];
  while (schedule.length < (FAULTS ?? kinds.length)) schedule.push(...random.shuffle(kinds));
  return {
    queueKind,
    seed,
    events: EVENTS,
    schedule: schedule.slice(0, FAULTS),
    ...(LONG ? {} : { variant: 'short-claims' }),
  };
}
