import { fileURLToPath } from 'node:url';
import { type ObservedProcess, spawnObserved, startWorkerProcess, whenStarted } from '@takt/test-support';
import { type Contestant, type Measurement, measure, type RunContext } from '../measure.js';
import { openPosting, openPublishing, type Producer } from '../producers.js';
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

/** Calls or requests under way at a time. */
const SINGLES_AT_ONCE = 50;
const BATCHES_AT_ONCE = 4;

const atOnce = (events: number) => (events === 1 ? SINGLES_AT_ONCE : BATCHES_AT_ONCE);
const many = (events: number) => `${events} ${events === 1 ? 'event' : 'events'}`;

/** From the first call of the publisher until the worker has acknowledged the last event. */
export function publishing(eventsPerJob: number): Contestant {
  return {
    name: `publish and work, ${many(eventsPerJob)} a job`,
    about: `our publisher, ${atOnce(eventsPerJob)} calls at once, while apps/worker takes what it publishes`,
    share: 1,
    figures: 'all',
    run: (context) => runWith(context, eventsPerJob, openPublishing(context, eventsPerJob)),
  };
}

/** From the first request until the worker has acknowledged the last event. */
export function posting(eventsPerRequest: number): Contestant {
  return {
    name: `intake and work, ${many(eventsPerRequest)} a request`,
    about: `HTTP over ${atOnce(eventsPerRequest)} connections that are kept, while apps/worker takes what comes`,
    share: 1,
    figures: 'all',
    run: (context) => runWith(context, eventsPerRequest, openPosting(context, atOnce(eventsPerRequest))),
  };
}

async function runWith(context: RunContext, eventsPerCall: number, opening: Promise<Producer>) {
  const run = await openQueueRun(context.redisUrl);
  const producer = await opening;
  try {
    const worker = await startWorkerProcess({ databaseUrl: context.fresh.url, queueUrl: context.redisUrl });
    try {
      await run.queue.resume();
      const pids = { worker: worker.pid, intake: producer.pid, client: process.pid };
      return await measure(context, pids, async () => {
        const startedAt = performance.now();
        await sendAll(producer, context.workload.completions, eventsPerCall);
        const sentMs = performance.now() - startedAt;
        return sentMs / 1_000 + (await run.drain());
      });
    } finally {
      await worker.stop();
    }
  } finally {
    await producer.close();
    await run.close();
  }
}

/** Keeps as many calls under way as there may be, until everything is sent. */
async function sendAll(producer: Producer, events: readonly unknown[], eventsPerCall: number): Promise<void> {
  let sent = 0;
  const keepSending = async () => {
    while (sent < events.length) {
      const from = sent;
      sent += eventsPerCall;
      await producer.send(events.slice(from, from + eventsPerCall));
    }
  };
  await Promise.all(Array.from({ length: atOnce(eventsPerCall) }, keepSending));
}
