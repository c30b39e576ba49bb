import { findDeviations } from '../../src/find-deviations.js';
import { observeQueue } from '../../src/observed-queue.js';
import { generateHistory } from '../../src/operation-history.js';
import { openPersistentPublisher } from '../../src/publish-persistently.js';
import { randomFrom } from '../../src/random.js';
import { waitUntil } from '../../src/wait-until.js';
import { startWorkerProcess } from '../../src/worker-process.js';
import { lockLedger } from './lock-ledger.js';
import { type Arena, COMPANY } from './open-arena.js';
import { terminateWorkerConnections } from './terminate-worker-connections.js';

const EVENTS = 200;
const KILLS = 3;
const CLAIM_DEADLINE_MS = 60_000;

/**
 * Lets one job be claimed and its worker be killed, again and again: the job cannot be committed meanwhile, because
 * the ledger is locked. Then lets a last worker have it, verifies and closes the arena.
 */
export async function killHoldersOfOneJob(arena: Arena, nodeArguments: readonly string[]) {
  const history = generateHistory({
    database: COMPANY,
    events: EVENTS,
    structureVersions: 5,
    random: randomFrom(1),
  });
  const queue = await observeQueue(arena.queueUrl);
  const publisher = await openPersistentPublisher(arena.queueUrl);
  const outputs: string[] = [];
  try {
    await publisher.publish(history.events, EVENTS);
    const unlock = await lockLedger(arena);
    for (let kill = 1; kill <= KILLS; kill++) {
      const worker = await startWorkerProcess({ ...arena, nodeArguments });
      await waitUntil(`the job is claimed a ${kill}. time or has failed`, CLAIM_DEADLINE_MS, async () => {
        return (await queue.countClaimsOfActive()) === kill || (await queue.countUnfinished()) === 0;
      });
      await worker.stop('SIGKILL');
      // PostgreSQL does not notice that the worker is gone while its statement waits for the lock.
      await terminateWorkerConnections(arena.pool);
      outputs.push(worker.output());
    }
    await unlock();
    const last = await startWorkerProcess({ ...arena, nodeArguments });
    await queue.drain(CLAIM_DEADLINE_MS);
    await last.stop();
    outputs.push(last.output());
    return { deviations: await findDeviations(arena.pool, queue, history), outputs };
  } finally {
    await publisher.close();
    await queue.close();
    await arena.close();
  }
}
