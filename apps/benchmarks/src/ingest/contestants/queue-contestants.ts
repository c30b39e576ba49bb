import { fileURLToPath } from 'node:url';
import { type ObservedProcess, spawnObserved, startWorkerProcess, whenStarted } from '@takt/test-support';
import type { Contestant, Measurement, RunContext } from '../contestant.js';
import { measure } from '../measure.js';
import { openQueueRun, READY } from '../queue-run.js';

/** Concurrencies at which the ceiling and the naive worker are tried; the best of each counts. */
export const DO_NOTHING_CONCURRENCIES = [50, 100, 200];
export const NAIVE_CONCURRENCIES = [1, 4, 8, 16];

export function takt(eventsPerJob: number): Contestant {
  return {
    name: `takt, ${eventsPerJob} ${eventsPerJob === 1 ? 'event' : 'events'} a job`,
    about: 'apps/worker as it ships',
    share: 1,
    figures: 'all',
    run: (context) =>
      runOnQueue(context, eventsPerJob, () =>
        startWorkerProcess({ databaseUrl: context.fresh.url, queueUrl: context.redisUrl }),
      ),
  };
}

export function doNothing(concurrency: number): Contestant {
  return {
    name: `do nothing, concurrency ${concurrency}`,
    about: "a BullMQ worker that acknowledges and does nothing: the queue's ceiling",
    share: 1,
    figures: 'none',
    run: (context) =>
      runOnQueue(context, 1, () =>
        startContestant('do-nothing-worker-main.js', {
          QUEUE_URL: context.redisUrl,
          CONCURRENCY: String(concurrency),
        }),
      ),
  };
}

export function naive(concurrency: number): Contestant {
  return {
    name: `naive, concurrency ${concurrency}`,
    about: 'one job, one transaction, read, modify, write',
    share: concurrency === 1 ? 0.03 : 0.06,
    figures: 'without months',
    run: (context) =>
      runOnQueue(context, 1, () =>
        startContestant('naive-worker-main.js', {
          DATABASE_URL: context.fresh.url,
          QUEUE_URL: context.redisUrl,
          CONCURRENCY: String(concurrency),
        }),
      ),
  };
}

/** Starts one of the contestants beside this file. */
async function startContestant(
  file: 'do-nothing-worker-main.js' | 'naive-worker-main.js',
  environment: Readonly<Record<string, string>>,
): Promise<ObservedProcess> {
  const contestant = spawnObserved([fileURLToPath(new URL(file, import.meta.url))], environment);
  await whenStarted(file, contestant, () => contestant.output().includes(READY));
  return contestant;
}

async function runOnQueue(
  context: RunContext,
  eventsPerJob: number,
  start: () => Promise<ObservedProcess>,
): Promise<Measurement> {
  const run = await openQueueRun(context.redisUrl);
  try {
    await run.fill(context.workload.completions, eventsPerJob);
    const worker = await start();
    try {
      return await measure(context, { worker: worker.pid }, run.drain);
    } finally {
      await worker.stop();
    }
  } finally {
    await run.close();
  }
}
