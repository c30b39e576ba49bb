import { startWorkerProcess } from '@takt/test-support';
import type { Contestant, RunContext } from '../contestant.js';
import { measure } from '../measure.js';
import { openPosting, openPublishing, type Producer } from '../producers.js';
import { openQueueRun } from '../queue-run.js';

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
