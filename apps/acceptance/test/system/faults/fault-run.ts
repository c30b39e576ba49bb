import { setTimeout as delay } from 'node:timers/promises';
import { randomFrom } from '@takt/test-support';
import type { QueueStoreKind } from '../../support/test-system.js';
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
  /** The faults in order. Each fault hits the system in a round of its own. */
  readonly schedule: readonly Fault[];
  /** A deliberate change of the workers. Every variant also shortens their claims. */
  readonly variant?: Mutant;
  readonly onRecovered?: (inflicted: InflictedFault) => void;
}

export interface InflictedFault {
  readonly fault: Fault;
  /**
   * Time in ms from the end of the fault until every event of the round is committed and acknowledged. Some events may
   * have to be published again in this time.
   */
  readonly recoveryMs: number;
}

export interface FaultReport {
  /** Deviations from the expected state. The list is empty if every event had its effect exactly once. */
  readonly deviations: readonly string[];
  readonly inflicted: readonly InflictedFault[];
  readonly outputs: readonly string[];
  readonly peakMemoryMb: number;
  readonly durationMs: number;
}

const WORKERS = 2;
/** Share of the events that the workers must reject. */
const REFUSED = 0.01;
/** Possible numbers of events per job. */
const BATCH_SIZES = [1, 1, 20, 250];
/** Number of events that are published in one call. All jobs of a call have the same size. */
const EVENTS_AT_ONCE = 250;
/**
 * Number of calls in which the second half of a round is published during the fault. The calls are spread over
 * `SPREAD_MS`.
 */
const GOES_DURING_FAULT = 8;
const SPREAD_MS = 3_000;
/**
 * Longest delay in ms between the start of publishing and the fault. Workers need about this time for the first half of
 * a round.
 */
const LATEST_FAULT_MS = 400;
/**
 * Maximum time in ms until the system has recovered. It covers the claims of dead workers, statements without an
 * answer, and backoff.
 */
const RECOVERY_DEADLINE_MS = 240_000;
/**
 * Time in ms until another worker has taken the jobs of a stopped worker: one claim, and two checks that detect its
 * end.
 */
const CLAIM_MS = 27_000;
const SHORT_CLAIM_MS = 7_000;

/**
 * Runs two workers on a history while one fault after another hits the workers and their servers. Then stops the
 * workers and compares everything with the history. The seed determines all choices.
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
    // An error of the run may have the same cause. The test must report that error, not this one.
    await system.close().catch((error: unknown) => console.warn('      not closed:', error));
  }
}

/**
 * Runs one round without a fault, and then one round for each fault. If a round does not recover, stops and returns a
 * message.
 */
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
    // Each round has its own generator, so that the random numbers of a round do not depend on the progress of other
    // rounds.
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
 * Publishes the first half of the events at once. Publishes the second half in parts during the fault, and the
 * remaining parts after the fault. Returns the time at which the fault ended.
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
