import { generateHistory } from '../../src/operation-history.js';
import { type Random, randomFrom } from '../../src/random.js';
import { type FireReport, runUnderFire } from '../../src/run-under-fire.js';
import type { WorkerFleet } from '../../src/worker-fleet.js';
import { announceSeed } from './announce-seed.js';
import { type Arena, COMPANY } from './open-arena.js';

/** What can be disturbed. */
export interface Disturbance {
  readonly arena: Arena;
  readonly fleet: WorkerFleet;
  readonly random: Random;
}

export interface Fight {
  /** Stands in what is printed. */
  readonly name: string;
  readonly events: number;
  readonly rounds: number;
  readonly disturb: (disturbance: Disturbance) => Promise<unknown>;
  readonly nodeArguments?: readonly string[];
  /** Sizes of the jobs, one event a job and more; by default a mix. */
  readonly batchSizes?: readonly number[];
}

const STRUCTURE_VERSIONS = 40;
const MIXED_BATCH_SIZES = [1, 1, 20, 250];

/** Runs 2 workers under fire, prints seed and figures, closes the arena. */
export async function fight(opening: Promise<Arena>, options: Fight): Promise<FireReport> {
  const { name, events, rounds, disturb, batchSizes = MIXED_BATCH_SIZES, nodeArguments = [] } = options;
  const random = randomFrom(announceSeed(name));
  const arena = await opening;
  try {
    const history = generateHistory({
      database: COMPANY,
      events,
      structureVersions: STRUCTURE_VERSIONS,
      random,
    });
    const report = await runUnderFire({
      ...arena,
      history,
      batchSizes,
      random,
      rounds,
      disturb: async (fleet) => {
        await disturb({ arena, fleet, random });
      },
      nodeArguments,
    });
    console.log(`      ${name}: ${rounds} times over ${events} events, ${describe(report)}`);
    return report;
  } finally {
    // Where the fight failed because of its servers, that error is the one to be seen.
    await arena.close().catch((error: unknown) => console.warn(`      ${name}: not closed`, error));
  }
}

function describe({ durationMs, recoveryMs, memoryBytes }: FireReport): string {
  const [duration, recovery] = [durationMs, recoveryMs].map((ms) => `${(ms / 1_000).toFixed(1)} s`);
  return `${duration}, of which ${recovery} after the last; ${Math.round(memoryBytes / 2 ** 20)} MiB a worker`;
}
