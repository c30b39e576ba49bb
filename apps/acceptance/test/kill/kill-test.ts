import { setTimeout as delay } from 'node:timers/promises';
import { type Random, randomFrom, testSeed, waitUntil } from '@takt/test-support';
import type pg from 'pg';
import { findCrashes, findDeviations } from './find-deviations.js';
import { generateHistory, type OperationHistory } from './operation-history.js';
import {
  type ObservedQueue,
  observeQueue,
  openPersistentPublisher,
  type PersistentPublisher,
} from './queue.js';
import { COMPANY, type KillTestSystem } from './system.js';
import { startWorkerFleet, type WorkerFleet } from './worker-fleet.js';

/** What can be disturbed. */
export interface Disturbance {
  readonly system: KillTestSystem;
  readonly fleet: WorkerFleet;
  readonly random: Random;
}

export interface KillTest {
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

/** Disturbs 2 workers while they take a history in, verifies, prints what it took and closes the system. */
export async function runKillTest(opening: Promise<KillTestSystem>, options: KillTest): Promise<KillReport> {
  const { name, events, rounds, disturb, batchSizes = MIXED_BATCH_SIZES, nodeArguments = [] } = options;
  const random = randomFrom(testSeed());
  const system = await opening;
  try {
    const history = generateHistory({
      database: COMPANY,
      events,
      structureVersions: STRUCTURE_VERSIONS,
      random,
    });
    const report = await runDisturbed({
      ...system,
      history,
      batchSizes,
      random,
      rounds,
      disturb: async (fleet) => {
        await disturb({ system, fleet, random });
      },
      nodeArguments,
    });
    console.log(`      ${name}: ${rounds} times over ${events} events, ${describe(report)}`);
    return report;
  } finally {
    // Where the test failed because of its servers, that error is the one to be seen.
    await system.close().catch((error: unknown) => console.warn(`      ${name}: not closed`, error));
  }
}

function describe({ durationMs, recoveryMs, memoryBytes }: KillReport): string {
  const [duration, recovery] = [durationMs, recoveryMs].map((ms) => `${(ms / 1_000).toFixed(1)} s`);
  return `${duration}, of which ${recovery} after the last; ${Math.round(memoryBytes / 2 ** 20)} MiB a worker`;
}

interface DisturbedRun {
  readonly databaseUrl: string;
  readonly queueUrl: string;
  /** Connections of the test's own to `databaseUrl`. */
  readonly pool: pg.Pool;
  readonly history: OperationHistory;
  /** Sizes of jobs that are published, in random turns; 1 is one event a job. */
  readonly batchSizes: readonly number[];
  readonly random: Random;
  readonly rounds: number;
  /** What is done to the system while the events of a round are under way. */
  readonly disturb: (fleet: WorkerFleet) => Promise<void>;
  readonly nodeArguments?: readonly string[];
}

export interface KillReport {
  /** What is not as it must be; empty where everything arrived exactly once. */
  readonly deviations: readonly string[];
  /** Resident memory of the largest worker at the end, in bytes. */
  readonly memoryBytes: number;
  readonly outputs: readonly string[];
  readonly durationMs: number;
  /** From the last disturbance until the queue was empty. */
  readonly recoveryMs: number;
}

const WORKERS = 2;
/** About how long the last jobs of a round are still under way after they were claimed. */
const COMMIT_MS = 50;
const TAKEN_DEADLINE_MS = 120_000;
/** The claims of a killed worker last 15 s and are noticed by the second check after, 5 s each. */
const DRAIN_DEADLINE_MS = 120_000;
/** What is published in one go; the jobs of a go have one size. */
const EVENTS_AT_ONCE = 250;

/**
 * Publishes a history in rounds and disturbs each at a random moment while its events are under way; then waits
 * until the queue is empty, stops the workers and verifies. A first round goes undisturbed: it tells how long one takes.
 */
async function runDisturbed(options: DisturbedRun): Promise<KillReport> {
  const startedAt = performance.now();
  const queue = await observeQueue(options.queueUrl);
  const publisher = await openPersistentPublisher(options.queueUrl);
  let fleet: WorkerFleet | undefined;
  try {
    fleet = await startWorkerFleet(WORKERS, options);
    await disturbRounds(options, { fleet, publisher, queue });
    const disturbedAt = performance.now();
    await queue.drain(DRAIN_DEADLINE_MS);
    const recoveryMs = performance.now() - disturbedAt;
    const memoryBytes = await fleet.largestMemory().catch(() => Number.NaN);
    const exitCodes = await fleet.stop();
    return {
      deviations: [
        ...(await findDeviations(options.pool, queue, options.history)),
        ...findCrashes(fleet.outputs()),
        ...exitCodes.filter((code) => code !== 0).map((code) => `a worker stopped with exit code ${code}`),
      ],
      memoryBytes,
      outputs: fleet.outputs(),
      durationMs: performance.now() - startedAt,
      recoveryMs,
    };
  } finally {
    await fleet?.kill();
    await publisher.close();
    await queue.close();
  }
}

interface RunningSystem {
  readonly fleet: WorkerFleet;
  readonly publisher: PersistentPublisher;
  readonly queue: ObservedQueue;
}

async function disturbRounds(options: DisturbedRun, running: RunningSystem): Promise<void> {
  const { history, random, rounds, disturb } = options;
  let shortestMs = Number.POSITIVE_INFINITY;
  const load = async (events: readonly object[]) => {
    const startedAt = performance.now();
    await publishUntilTaken(events, options, running);
    shortestMs = Math.min(shortestMs, performance.now() - startedAt);
  };
  const [first = [], ...others] = divide(history.events, rounds + 1);
  await load(first);
  for (const portion of others) {
    const disturbing = delay(random() * (shortestMs + COMMIT_MS)).then(() => disturb(running.fleet));
    await Promise.all([load(portion), disturbing]);
  }
}

function divide<Item>(items: readonly Item[], parts: number): (readonly Item[])[] {
  const size = Math.ceil(items.length / parts);
  return Array.from({ length: parts }, (_, part) => items.slice(part * size, (part + 1) * size));
}

/** Publishes as fast as it can, in goes whose jobs have one size each, and waits until workers have claimed them all. */
async function publishUntilTaken(
  events: readonly object[],
  { batchSizes, random }: DisturbedRun,
  { publisher, queue }: RunningSystem,
): Promise<void> {
  const goes = divide(events, Math.ceil(events.length / EVENTS_AT_ONCE));
  await Promise.all(
    goes.map((go) => publisher.publish(go, batchSizes[random.below(batchSizes.length)] ?? 1)),
  );
  await waitUntil(
    'no job waits',
    async () => {
      return (await queue.countWaiting().catch(() => 1)) === 0;
    },
    TAKEN_DEADLINE_MS,
  );
}
