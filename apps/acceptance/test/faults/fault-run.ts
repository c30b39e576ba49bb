import { setTimeout as delay } from 'node:timers/promises';
import { randomFrom } from '@takt/test-support';
import type { QueueStoreKind } from '../support/test-system.js';
import { type Fault, inflict, type Target } from './faults.js';
import { findCrashes } from './find-deviations.js';
import { type Mutant, switchOn } from './mutants.js';
import { divide } from './queue.js';
import { type FaultySystem, openFaultySystem } from './system.js';
import { startWorkerFleet, type WorkerFleet } from './worker-fleet.js';

export interface FaultRun {
  readonly queueKind: QueueStoreKind;
  readonly seed: number;
  readonly events: number;
  /** What happens, in this order, each in a round of its own. */
  readonly schedule: readonly Fault[];
  /** A deliberate change of the workers; each makes their claims short. */
  readonly variant?: Mutant;
  readonly onRecovered?: (inflicted: InflictedFault) => void;
}

export interface InflictedFault {
  readonly fault: Fault;
  /**
   * From the end of the fault until every event of its round, those included that had to be published again, was
   * committed and acknowledged.
   */
  readonly recoveryMs: number;
}

export interface FaultReport {
  /** What is not as it must be; empty where everything arrived exactly once. */
  readonly deviations: readonly string[];
  readonly inflicted: readonly InflictedFault[];
  readonly outputs: readonly string[];
  readonly peakMemoryMb: number;
  readonly durationMs: number;
}

const WORKERS = 2;
/** Of the events, so many must be rejected. */
const REFUSED = 0.01;
/** Sizes of jobs; 1 is one event a job. */
const BATCH_SIZES = [1, 1, 20, 250];
/** What is published in one go; the jobs of a go have one size. */
const EVENTS_AT_ONCE = 250;
/** The second half of a round comes in so many goes, within so long, while its fault lasts. */
const GOES_DURING_FAULT = 8;
const SPREAD_MS = 3_000;
/** About as long as workers need for the first half of a round. */
const LATEST_FAULT_MS = 400;
/** For all that may add up: claims of workers that are gone, statements whose answer is waited for, backoff. */
const RECOVERY_DEADLINE_MS = 240_000;
/** A claim and the two checks that find it, so that another worker has had the jobs of a stopped one. */
const CLAIM_MS = 27_000;
const SHORT_CLAIM_MS = 7_000;

/**
 * Lets two workers take a history in while one fault after another happens to them and to what they stand on; then
 * stops them and compares everything with what the history says. All choices follow from the seed.
 */
export async function runFaults(run: FaultRun): Promise<FaultReport> {
  const startedAt = performance.now();
  const { events, seed } = run;
  const system = await openFaultySystem(run.queueKind, {
    ...{ events, random: randomFrom(seed), refused: Math.round(events * REFUSED) },
  });
  try {
    const nodeArguments = [
      ...system.clocks.nodeArguments,
      ...(run.variant === undefined ? [] : switchOn(run.variant)),
    ];
    const fleet = await startWorkerFleet(WORKERS, system, { nodeArguments });
    const inflicted: InflictedFault[] = [];
    const stuck = await goThrough(run, system, fleet, inflicted);
    const peakMemoryMb = fleet.peakMemoryMb();
    const endedUnasked = fleet
      .endedUnasked()
      .map((pid) => `worker ${pid} ended without having been asked to`);
    const exitCodes = await fleet.stop();
    return {
      deviations: [
        ...stuck,
        ...(await system.findDeviations()),
        ...findCrashes(fleet.outputs()),
        ...endedUnasked,
        ...exitCodes.filter((code) => code !== 0).map((code) => `a worker stopped with exit code ${code}`),
      ],
      inflicted,
      outputs: fleet.outputs(),
      peakMemoryMb,
      durationMs: performance.now() - startedAt,
    };
  } finally {
    // Where the run failed because of its servers, that error is the one to be seen.
    await system.close().catch((error: unknown) => console.warn('      not closed:', error));
  }
}

/** A round for each fault, after one without; says what did not recover, and ends there. */
async function goThrough(
  { schedule, seed, events, variant, onRecovered }: FaultRun,
  system: FaultySystem,
  fleet: WorkerFleet,
  inflicted: InflictedFault[],
): Promise<string[]> {
  const portions = divide(system.history.events, Math.ceil(events / (schedule.length + 1)));
  const claimMs = variant === undefined ? CLAIM_MS : SHORT_CLAIM_MS;
  for (const [round, portion] of portions.entries()) {
    const fault = schedule[round - 1];
    // Of its own, so that what one round draws does not depend on how far another got.
    const random = randomFrom(seed + round);
    const endedAt = await goThroughRound(portion, fault, { ...system, fleet, random, claimMs });
    await system.queue.drain(RECOVERY_DEADLINE_MS);
    const recoveryMs = performance.now() - endedAt;
    const left = await system.queue.describeUnfinished();
    if (left.length > 0) return [`round ${round}, ${fault}: still ${left.join()} after ${recoveryMs} ms`];
    if (fault === undefined) continue;
    inflicted.push({ fault, recoveryMs });
    onRecovered?.({ fault, recoveryMs });
  }
  return [];
}

/**
 * Publishes one half at once and another bit by bit while the fault lasts, what is left of it when that is over; gives
 * when that was.
 */
async function goThroughRound(
  events: readonly object[],
  fault: Fault | undefined,
  target: Target,
): Promise<number> {
  const { random, publisher } = target;
  const [before = [], during = []] = divide(events, Math.ceil(events.length / 2));
  const over = new AbortController();
  const publish = (go: readonly object[]) => publisher.publish(go, random.pick(BATCH_SIZES));
  const published = divide(before, EVENTS_AT_ONCE).map(publish);
  await delay(random() * LATEST_FAULT_MS);
  for (const go of divide(during, Math.ceil(during.length / GOES_DURING_FAULT))) {
    const batchSize = random.pick(BATCH_SIZES);
    const turn = delay(random() * SPREAD_MS, undefined, { signal: over.signal }).catch(() => undefined);
    published.push(turn.then(() => publisher.publish(go, batchSize)));
  }
  try {
    const repair = fault === undefined ? undefined : await inflict(fault, target);
    const endedAt = performance.now();
    over.abort();
    await repair?.();
    await Promise.all(published);
    return endedAt;
  } finally {
    over.abort();
    await Promise.allSettled(published);
  }
}
