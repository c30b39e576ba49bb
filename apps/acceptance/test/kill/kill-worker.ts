import { setTimeout as delay } from 'node:timers/promises';
import type { Disturbance } from './fight.js';
import { lockFigures } from './lock-figures.js';

const LONGEST_BLOCK_MS = 200;

/** Kills a random worker, every other time one that cannot commit; then starts another. */
export function killWorkerAnyhow(disturbance: Disturbance): Promise<void> {
  return disturbance.random() < 0.5 ? killWorker(disturbance) : killBlockedWorker(disturbance);
}

/** Kills a random worker with kill -9 and starts another in its place. */
export async function killWorker({ fleet, random }: Disturbance): Promise<void> {
  const replace = await fleet.killOne(random);
  await replace();
}

/**
 * The same, but while the figures are locked, so that what the worker has claimed lately is certainly not committed: on
 * an idle server a commit takes so little time that a kill rarely falls into it.
 */
export async function killBlockedWorker({ arena, fleet, random }: Disturbance): Promise<void> {
  const unlock = await lockFigures(arena);
  await delay(random() * LONGEST_BLOCK_MS);
  const replace = await fleet.killOne(random);
  await unlock();
  await replace();
}
