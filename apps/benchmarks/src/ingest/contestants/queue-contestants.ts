import { fileURLToPath } from 'node:url';
import { startApp, whenStarted } from '@takt/database/testing';
import { type ObservedProcess, spawnObserved } from '@takt/test-support';
import type { Figures } from '../../harness.js';
import { type IngestContestant, measure, type RunContext } from '../measure.js';
import { concurrencyOf, openPosting, openPublishing, type Producer } from '../producers.js';
import { fillQueue, openPausedQueue, waitUntilDrained } from '../queue.js';

type StartWorker = (context: RunContext) => Promise<ObservedProcess>;
type OpenProducer = (context: RunContext, eventsPerCall: number) => Promise<Producer>;

const counted = (events: number) => `${events} ${events === 1 ? 'event' : 'events'}`;
const startTakt: StartWorker = ({ fresh, redisUrl }) =>
  startApp('worker', { databaseUrl: fresh.url, queueUrl: redisUrl });

/** Makes the contestant that is apps/worker. All events are in the queue before the measurement starts. */
export const takt = (eventsPerJob: number): IngestContestant => ({
  name: `takt, ${counted(eventsPerJob)} a job`,
  share: 1,
  figures: 'all',
  run: (context) => drainFilledQueue(context, eventsPerJob, startTakt),
});

/** Makes the contestant that shows the upper limit of the queue: a BullMQ worker that only acknowledges jobs. */
export const doNothing = (concurrency: number): IngestContestant => ({
  name: `do nothing, concurrency ${concurrency}`,
  share: 1,
  figures: 'none',
  run: (context) => drainFilledQueue(context, 1, ({ redisUrl }) => startBullmqWorker(redisUrl, concurrency)),
});

/**
 * Makes the contestant that is the obvious first implementation of a worker. For each job, it reads, changes and writes
 * in one transaction.
 */
export const naive = (concurrency: number): IngestContestant => ({
  name: `naive, concurrency ${concurrency}`,
  share: concurrency === 1 ? 0.03 : 0.06,
  figures: 'without months',
  run: (context) =>
    drainFilledQueue(context, 1, ({ redisUrl, fresh }) =>
      startBullmqWorker(redisUrl, concurrency, fresh.url),
    ),
});

/** Makes the contestant whose publisher publishes events while apps/worker works. */
export const publishing = (eventsPerJob: number): IngestContestant => ({
  name: `publish and work, ${counted(eventsPerJob)} a job`,
  share: 1,
  figures: 'all',
  run: (context) => produceAndDrain(context, eventsPerJob, openPublishing),
});

/** Makes the contestant whose intake receives events by HTTP and publishes them while apps/worker works. */
export const posting = (eventsPerRequest: number): IngestContestant => ({
  name: `intake and work, ${counted(eventsPerRequest)} a request`,
  share: 1,
  figures: 'all',
  run: (context) => produceAndDrain(context, eventsPerRequest, openPosting),
});

async function startBullmqWorker(
  redisUrl: string,
  concurrency: number,
  databaseUrl = '',
): Promise<ObservedProcess> {
  const program = fileURLToPath(new URL('bullmq-worker-main.js', import.meta.url));
  const environment = {
    QUEUE_URL: redisUrl,
    DATABASE_URL: databaseUrl,
    CONCURRENCY: String(concurrency),
  };
  const worker = spawnObserved([program], environment);
  await whenStarted('the BullMQ worker', worker, () => worker.output().includes('taking jobs'));
  return worker;
}

/**
 * Measures a contestant whose queue has been filled before. The measurement lasts from the release of the workers until
 * the last event is acknowledged.
 */
async function drainFilledQueue(
  context: RunContext,
  eventsPerJob: number,
  start: StartWorker,
): Promise<Figures> {
  const queue = await openPausedQueue(context.redisUrl, context.defer);
  await fillQueue(queue, context.workload.completions, eventsPerJob);
  const worker = await start(context);
  context.defer(() => worker.stop());
  return measure(context, { worker: worker.pid }, async () => {
    const startedAt = performance.now();
    await queue.resume();
    await waitUntilDrained(queue);
    return (performance.now() - startedAt) / 1_000;
  });
}

/**
 * Measures a contestant whose events are added while the workers work. The measurement lasts from the first call of the
 * producer until the last event is acknowledged.
 */
async function produceAndDrain(
  context: RunContext,
  eventsPerCall: number,
  open: OpenProducer,
): Promise<Figures> {
  const { workload, redisUrl, defer } = context;
  const queue = await openPausedQueue(redisUrl, defer);
  const producer = await open(context, eventsPerCall);
  const worker = await startTakt(context);
  defer(() => worker.stop());
  await queue.resume();
  const pids = { worker: worker.pid, intake: producer.intakePid, client: process.pid };
  return measure(context, pids, async () => {
    const startedAt = performance.now();
    let sent = 0;
    const keepSending = async () => {
      while (sent < workload.completions.length) {
        const from = sent;
        sent += eventsPerCall;
        await producer.send(workload.completions.slice(from, sent));
      }
    };
    await Promise.all(Array.from({ length: concurrencyOf(eventsPerCall) }, keepSending));
    await waitUntilDrained(queue);
    return (performance.now() - startedAt) / 1_000;
  });
}
