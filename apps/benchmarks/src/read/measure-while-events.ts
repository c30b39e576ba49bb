import { setTimeout as delay } from 'node:timers/promises';
import { openPublisher, type Publisher } from '@takt/events';
import { generateEvents } from '@takt/events/generator';
import { startTestRedis, startWorkerProcess, waitUntil } from '@takt/test-support';
import { median, say } from '../harness.js';
import { type LoadResult, runHttpLoad } from './contest/http-load.js';
import { FIRST_PAGES, pathOf } from './contest/peer-questions.js';
import { COMPANY, type ServedSize } from './fill-database.js';

/** What pages took at a table that nobody changes, and while the worker changes it. */
export interface WhileEvents {
  /** As many as were really taken. */
  readonly eventsPerSecond: number;
  readonly idleP50Ms: number;
  readonly idleP99Ms: number;
  readonly busyP50Ms: number;
  readonly busyP99Ms: number;
}

interface WhileEventsOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly seed: number;
}

const EVENTS_PER_SECOND = 5_000;
const EVENTS_PER_JOB = 500;
/** Structure versions that a shop floor works on meanwhile, here and there in the table. */
const STRUCTURES = 300;
const WARM_UP_MS = 2_000;
const DRAIN_DEADLINE_MS = 120_000;

/**
 * One client asks for one page after the other: what is compared is what a page takes, not how many fit beside the
 * worker. Events come as batch jobs through Redis to the worker as it ships.
 */
export async function measureWhileEvents(
  size: ServedSize,
  { rounds, seconds, seed }: WhileEventsOptions,
): Promise<WhileEvents> {
  const redis = await startTestRedis(['--auto-aof-rewrite-min-size', '1gb']);
  const publisher = await openPublisher(redis.url);
  const worker = await startWorkerProcess({ databaseUrl: size.url, queueUrl: redis.url });
  const requests = FIRST_PAGES.map((question) => ({ path: pathOf('takt', question) }));
  const readPages = () =>
    runHttpLoad({ origin: size.api.origin, requests, token: size.token, connections: 1, seconds });
  const stream = makeStream(size.rows, seed, EVENTS_PER_SECOND * (seconds + WARM_UP_MS / 1_000 + 1) * rounds);
  try {
    await readPages();
    const [idle, busy, taken]: [LoadResult[], LoadResult[], number[]] = [[], [], []];
    for (let round = 0; round < rounds; round++) {
      idle.push(await readPages());
      const stop = publishSteadily(publisher, stream);
      await delay(WARM_UP_MS);
      const [before, startedAt] = [await countTaken(size), performance.now()];
      busy.push(await readPages());
      taken.push(((await countTaken(size)) - before) / ((performance.now() - startedAt) / 1_000));
      await stop();
      await waitUntil(
        'the worker has taken all events',
        async () => (await countTaken(size)) === stream.published,
        DRAIN_DEADLINE_MS,
      );
      say(
        `round ${round + 1}: p99 ${idle.at(-1)?.p99Ms.toFixed(2)} ms, ${busy.at(-1)?.p99Ms.toFixed(2)} ms while ${taken.at(-1)?.toFixed(0)} events/s are taken`,
      );
    }
    return {
      eventsPerSecond: median(taken),
      idleP50Ms: median(idle.map(({ p50Ms }) => p50Ms)),
      idleP99Ms: median(idle.map(({ p99Ms }) => p99Ms)),
      busyP50Ms: median(busy.map(({ p50Ms }) => p50Ms)),
      busyP99Ms: median(busy.map(({ p99Ms }) => p99Ms)),
    };
  } finally {
    await worker.stop();
    await publisher.close();
    await redis.close();
  }
}

interface EventStream {
  readonly events: readonly unknown[];
  published: number;
}

/** Completions of structure versions that are in the table. */
function makeStream(rows: number, seed: number, events: number): EventStream {
  const completions: unknown[] = [];
  const options = { events, structureVersions: STRUCTURES, companies: [COMPANY], seed };
  for (const { data, ...event } of generateEvents(options)) {
    if (event.type !== 'work-order-operation.completed.v1') continue;
    const productStructureVersionId =
      1 + ((Number(data['productStructureVersionId']) * Math.ceil(rows / STRUCTURES)) % rows);
    completions.push({ ...event, data: { ...data, productStructureVersionId } });
  }
  return { events: completions, published: 0 };
}

/** Publishes a batch whenever one is due, until what it gives is called. */
function publishSteadily(publisher: Publisher, stream: EventStream): () => Promise<void> {
  let isOver = false;
  const publish = async () => {
    const everyMs = (1_000 * EVENTS_PER_JOB) / EVENTS_PER_SECOND;
    for (let dueAt = performance.now(); !isOver; dueAt += everyMs) {
      await delay(Math.max(0, dueAt - performance.now()));
      const batch = stream.events.slice(stream.published, stream.published + EVENTS_PER_JOB);
      await publisher.publish(batch, { batchSize: EVENTS_PER_JOB });
      stream.published += batch.length;
    }
  };
  const publishing = publish();
  return () => {
    isOver = true;
    return publishing;
  };
}

/** Events of the generator alone: their numbers are above those of the ledger that was filled in. */
async function countTaken({ database }: ServedSize): Promise<number> {
  const { rows } = await database.pool.query<{ readonly count: string }>(
    'SELECT count(*) FROM takt.work_order_operations WHERE work_order_operation_id > 1000000',
  );
  return Number(rows[0]?.count);
}
