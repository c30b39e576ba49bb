import { findDeviations } from '../../src/find-deviations.js';
import { observeQueue } from '../../src/observed-queue.js';
import { generateHistory } from '../../src/operation-history.js';
import { openPersistentPublisher } from '../../src/publish-persistently.js';
import { randomFrom } from '../../src/random.js';
import type { FireReport } from '../../src/run-under-fire.js';
import { waitUntil } from '../../src/wait-until.js';
import { startWorkerProcess } from '../../src/worker-process.js';
import { lockFigures } from './lock-figures.js';
import { type Arena, COMPANY } from './open-arena.js';
import { terminateWorkerConnections } from './terminate-worker-connections.js';

const EVENTS = 200;
const KILLS = 3;
const CLAIM_DEADLINE_MS = 60_000;
const BLOCK_DEADLINE_MS = 2_000;

export interface KillHoldersOptions {
  readonly nodeArguments: readonly string[];
}

/**
 * Lets one job be claimed and its worker be killed, again and again: the job cannot be committed meanwhile, because
 * the figures are locked. Then lets a last worker have it, verifies and closes the arena.
 */
export async function killHoldersOfOneJob(
  arena: Arena,
  { nodeArguments }: KillHoldersOptions,
): Promise<Pick<FireReport, 'deviations' | 'outputs'>> {
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
    const unlock = await lockFigures(arena);
    for (let kill = 1; kill <= KILLS; kill++) {
      const worker = await startWorkerProcess({ ...arena, nodeArguments });
      await waitUntil(`the job is claimed a ${kill}. time or is gone`, CLAIM_DEADLINE_MS, async () => {
        return (await queue.countClaimsOfActive()) === kill || (await queue.countUnfinished()) === 0;
      });
      await waitForBlockedStatement(arena);
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

/** Waits until a worker has got as far as the lock; one that has nothing to do does not, which may be so. */
async function waitForBlockedStatement({ pool }: Arena): Promise<void> {
  await waitUntil('a statement waits for the figures', BLOCK_DEADLINE_MS, async () => {
    const { rows } = await pool.query(
      `SELECT FROM pg_locks WHERE NOT granted AND relation = 'takt.product_structure_versions'::regclass`,
    );
    return rows.length > 0;
  }).catch(() => undefined);
}
