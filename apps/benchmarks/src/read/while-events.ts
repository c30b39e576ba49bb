import { setTimeout as delay } from 'node:timers/promises';
import { startApp } from '@takt/database/testing';
import { type EventInput, openPublisher } from '@takt/events';
import { generateEvents } from '@takt/events/generator';
import { startTestRedis, waitUntil } from '@takt/test-support';
import { type Results, runRounds, withCleanup } from '../harness.js';
import { COMPANY } from './fill-database.js';
import { runHttpLoad } from './load.js';
import { FIRST_PAGES, pathOf } from './requests.js';
import type { ServedList } from './serve-list.js';

interface WhileEventsOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly seed: number;
}

const EVENTS_PER_SECOND = 5_000;
const EVENTS_PER_JOB = 500;
/** Number of structure versions that have events. They are spread over the table. */
const STRUCTURES = 300;
const WARM_UP_MS = 2_000;
const DRAIN_DEADLINE_MS = 120_000;

/**
 * Measures one client that reads first pages, once without events (`idle`) and once while events arrive. The result is
 * the latency of a page, not the number of pages that can be read beside the worker. `events/s` is the rate at which
 * the worker commits events.
 */
export function measureWhileEvents(
  { rows, url, database, api, token }: ServedList,
  { rounds, seconds, seed }: WhileEventsOptions,
): Promise<Results> {
  return withCleanup(async (defer) => {
    const redis = await startTestRedis(['--auto-aof-rewrite-min-size', '1gb']);
    defer(redis.close);
    const publisher = await openPublisher(redis.url);
    defer(publisher.close);
    const worker = await startApp('worker', { databaseUrl: url, queueUrl: redis.url });
    defer(() => worker.stop());
    const requests = FIRST_PAGES.map((question) => ({ path: pathOf('takt', question) }));
    const readPages = async () => {
      const load = { origin: api.origin, token, requests, connections: 1, seconds };
      const { 'p50 ms': p50, 'p99 ms': p99 } = await runHttpLoad(load);
      return { 'p50 ms': p50, 'p99 ms': p99 };
    };
    const countCommitted = async () => {
      // The generator gives its operations numbers above those in the filled ledger.
      const { rows: counts } = await database.pool.query<{ count: number }>(
        `SELECT count(*)::integer AS count FROM takt.work_order_operations
         WHERE work_order_operation_id > 1000000`,
      );
      return counts[0]?.count ?? 0;
    };
    const events = makeCompletions(
      rows,
      EVENTS_PER_SECOND * (seconds + WARM_UP_MS / 1_000 + 1) * rounds,
      seed,
    );
    let published = 0;
    const readWhileEvents = async () => {
      let isOver = false;
      const keepPublishing = async () => {
        const everyMs = (1_000 * EVENTS_PER_JOB) / EVENTS_PER_SECOND;
        for (let dueAt = performance.now(); !isOver; dueAt += everyMs) {
          await delay(Math.max(0, dueAt - performance.now()));
          const batch = events.slice(published, published + EVENTS_PER_JOB);
          await publisher.publish(batch, { batchSize: EVENTS_PER_JOB });
          published += batch.length;
        }
      };
      const publishing = keepPublishing();
      await delay(WARM_UP_MS);
      const [before, startedAt] = [await countCommitted(), performance.now()];
      const pages = await readPages();
      const committed = ((await countCommitted()) - before) / ((performance.now() - startedAt) / 1_000);
      isOver = true;
      await publishing;
      const isDrained = async () => (await countCommitted()) === published;
      await waitUntil('the worker has committed all events', isDrained, DRAIN_DEADLINE_MS);
      return { ...pages, 'events/s': committed };
    };
    await readPages();
    return runRounds(
      [
        { name: 'idle', run: readPages },
        { name: 'while events arrive', run: readWhileEvents },
      ],
      rounds,
    );
  });
}

/** Makes completions of operations for structure versions that are in the table. */
function makeCompletions(rows: number, events: number, seed: number): readonly EventInput[] {
  const options = { events, structureVersions: STRUCTURES, companies: [COMPANY], seed };
  return [...generateEvents(options)]
    .filter((event) => event.type === 'work-order-operation.completed.v1')
    .map(({ data, ...event }) => {
      const id = Number(data.productStructureVersionId) * Math.ceil(rows / STRUCTURES);
      return { ...event, data: { ...data, productStructureVersionId: 1 + (id % rows) } };
    });
}
