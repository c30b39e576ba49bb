import { setTimeout as delay } from 'node:timers/promises';
import { randomFrom, startWorkerProcess, testSeed, waitUntil } from '@takt/test-support';
import { findCrashes, findDeviations } from './find-deviations.js';
import { generateHistory } from './operation-history.js';
import { observeQueue, openPersistentPublisher } from './queue.js';
import { COMPANY, type KillTestSystem } from './system.js';

export interface StopOptions {
  readonly name: string;
  /** What happens to the servers before the signal. */
  readonly before?: () => Promise<unknown>;
  /** Mends it, after the worker has ended. */
  readonly after?: () => Promise<unknown>;
}

export interface StopReport {
  readonly exitCode: number | null;
  /** From the signal to the end of the process. */
  readonly stopMs: number;
  /** Jobs still claimed once the worker had ended and the servers were back. */
  readonly claimsLeft: number;
  /** What another worker, which took the rest, left undone. */
  readonly deviations: readonly string[];
}

const EVENTS = 3_000;
const BATCH_SIZES = [1, 20, 500];
const CLAIM_DEADLINE_MS = 60_000;
const DRAIN_DEADLINE_MS = 120_000;
const LONGEST_LOAD_MS = 300;

/**
 * Stops a lone worker with SIGTERM at a random moment while it has more to do than it can, lets another take the rest,
 * verifies and closes the system.
 */
export async function stopUnderLoad(
  opening: Promise<KillTestSystem>,
  { name, before, after }: StopOptions,
): Promise<StopReport> {
  const random = randomFrom(testSeed());
  const system = await opening;
  const history = generateHistory({ database: COMPANY, events: EVENTS, structureVersions: 40, random });
  const queue = await observeQueue(system.queueUrl);
  const publisher = await openPersistentPublisher(system.queueUrl);
  try {
    const size = EVENTS / BATCH_SIZES.length;
    for (const [index, batchSize] of BATCH_SIZES.entries()) {
      await publisher.publish(history.events.slice(index * size, (index + 1) * size), batchSize);
    }
    const worker = await startWorkerProcess(system);
    await waitUntil('a job is claimed', async () => (await queue.countActive()) > 0, CLAIM_DEADLINE_MS);
    await delay(random() * LONGEST_LOAD_MS);
    await before?.();
    const stoppedAt = performance.now();
    const exitCode = await worker.stop('SIGTERM');
    const stopMs = performance.now() - stoppedAt;
    await after?.();
    const claimsLeft = await queue.countActive();
    const other = await startWorkerProcess(system);
    await queue.drain(DRAIN_DEADLINE_MS);
    await other.stop();
    const deviations = [
      ...(await findDeviations(system.pool, queue, history)),
      ...findCrashes([worker.output(), other.output()]),
    ];
    console.log(`      ${name}: ended after ${(stopMs / 1_000).toFixed(1)} s, ${claimsLeft} claims left`);
    return { exitCode, stopMs, claimsLeft, deviations };
  } finally {
    await publisher.close();
    await queue.close();
    await system.close();
  }
}
