import { leaveOut, needsProgram, randomFrom, shareOf, testLength, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import type { QueueStoreKind } from '../../support/test-system.js';
import { type FaultReport, type FaultRun, runFaults } from '../faults/fault-run.js';
import { type Fault, faultsOn } from '../faults/faults.js';
import { printProgress, printReport } from '../faults/print-report.js';
import { mountSmallDisk } from '../faults/small-disk.js';

/** The kind of queue of each run. The runs go in parallel, because they mostly wait. */
const LANES: readonly QueueStoreKind[] = ['redis', 'postgres'];
/** True if claims of jobs are short, as in CI. Longer runs can wait until claims of the length in production expire. */
const HAS_BRIEF_CLAIMS = testLength() <= 1;
/** Number of events of each run. Longer runs also have more events for each fault, as a busy factory has. */
const EVENTS = HAS_BRIEF_CLAIMS ? 12_000 : shareOf(60_000);
/** Number of times that each kind of fault occurs: once, or twice in CI. */
const TIMES = shareOf(2);
const MOST_MEMORY_MB = 256;

describe('workers that suffer one fault after another', function () {
  this.timeout(shareOf(900_000, 900_000));
  let runs: readonly Promise<FaultReport>[];

  before(async function () {
    needsProgram(this, 'redis-server');
    const disk = await mountSmallDisk(1);
    await disk?.close();
    if (disk === undefined) leaveOut(this, 'this process may not mount a disk that can be full');
    runs = LANES.map(async (queueKind, lane) => {
      const report = await runFaults(planRun(queueKind, testSeed() + lane * 1_000_000, lane));
      printReport(`queue on ${queueKind} (${lane + 1}), ${EVENTS} events`, report);
      return report;
    });
    for (const [lane, run] of runs.entries()) {
      run.catch((error: unknown) => console.warn(`      run ${lane + 1} failed:`, error));
    }
  });

  for (const [lane, queueKind] of LANES.entries()) {
    it(`lose and duplicate no event, with the queue on ${queueKind} (${lane + 1})`, async () => {
      const report = await runs[lane];
      if (report === undefined) throw new Error('there is no such run');
      expect(report.deviations).to.deep.equal([]);
      expect(new Set(report.inflicted.map(({ fault }) => fault))).to.deep.equal(new Set(faultsOn(queueKind)));
      expect(report.peakMemoryMb).to.be.below(MOST_MEMORY_MB);
    });
  }
});

/** Plans a run in which each kind of fault occurs once before any kind occurs again. */
function planRun(queueKind: QueueStoreKind, seed: number, lane: number): FaultRun {
  const kinds = faultsOn(queueKind);
  const random = randomFrom(seed);
  const schedule: Fault[] = [];
  while (schedule.length < TIMES * kinds.length) schedule.push(...random.shuffle(kinds));
  return {
    queueKind,
    seed,
    events: EVENTS,
    schedule,
    ...(HAS_BRIEF_CLAIMS ? { variant: 'brief-claims' } : { onRecovered: printProgress(lane) }),
  };
}
