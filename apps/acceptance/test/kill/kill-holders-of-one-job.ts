import { randomFrom, startWorkerProcess, waitUntil } from '@takt/test-support';
import { lockFigures, terminateWorkerConnections, waitForBlockedCommits } from './disturbances.js';
import { findDeviations } from './find-deviations.js';
import { generateHistory } from './operation-history.js';
import { observeQueue, openPersistentPublisher } from './queue.js';
import { COMPANY, type KillTestSystem } from './system.js';

const EVENTS = 200;
const KILLS = 3;
const CLAIM_DEADLINE_MS = 60_000;

export interface Verdict {
  /** What is not as it must be; empty where everything arrived exactly once. */
  readonly deviations: readonly string[];
  /** What the workers wrote. */
  readonly outputs: readonly string[];
}

export interface KillHoldersOptions {
  readonly nodeArguments: readonly string[];
}

/**
 * Lets one job be claimed and its worker be killed, again and again: the job cannot be committed meanwhile, because
 * the figures are locked. Then lets a last worker have it, verifies and closes the system.
 */
export async function killHoldersOfOneJob(
  system: KillTestSystem,
  { nodeArguments }: KillHoldersOptions,
): Promise<Verdict> {
  const history = generateHistory({
    database: COMPANY,
    events: EVENTS,
    structureVersions: 5,
    random: randomFrom(1),
  });
  const queue = await observeQueue(system.queueUrl);
  const publisher = await openPersistentPublisher(system.queueUrl);
  const outputs: string[] = [];
  try {
    await publisher.publish(history.events, EVENTS);
    const unlock = await lockFigures(system);
    for (let kill = 1; kill <= KILLS && (await queue.countUnfinished()) > 0; kill++) {
      const worker = await startWorkerProcess({ ...system, nodeArguments });
      await waitUntil(
        `the job is claimed a ${kill}. time or is gone`,
        async () => {
          return (await queue.countClaimsOfActive()) === kill || (await queue.countUnfinished()) === 0;
        },
        CLAIM_DEADLINE_MS,
      );
      // One that has nothing to do does not get that far, which may be so.
      await waitForBlockedCommits(system, 1);
      await worker.stop('SIGKILL');
      // PostgreSQL does not notice that the worker is gone while its statement waits for the lock.
      await terminateWorkerConnections(system.pool);
      outputs.push(worker.output());
    }
    await unlock();
    const last = await startWorkerProcess({ ...system, nodeArguments });
    await queue.drain(CLAIM_DEADLINE_MS);
    await last.stop();
    outputs.push(last.output());
    return { deviations: await findDeviations(system.pool, queue, history), outputs };
  } finally {
    await publisher.close();
    await queue.close();
    await system.close();
  }
}
