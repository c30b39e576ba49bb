import type { WorkOrderOperationEvent } from '@takt/figures';
import { decadesAbove, measuredCosts, met, PAGES_A_ROW, statementMicroseconds } from '@takt/figures/capacity';
import { randomFrom } from '@takt/test-support';
import { Redis } from 'ioredis';
import type pg from 'pg';
import { applyBatches } from '../apply/apply-batches.js';
import {
  type Contestant,
  type Defer,
  type Figures,
  figureOf,
  type Row,
  readNumber,
  report,
  runRounds,
  startCpuMeter,
  startServer,
  withCleanup,
} from '../harness.js';
import { takt } from '../ingest/contestants/queue-contestants.js';
import { fillQueue, openPausedQueue } from '../ingest/queue.js';
import { makeWorkload, startServers } from '../ingest/servers.js';
import { COMPANY, fillDatabase } from '../read/fill-database.js';
import { LIST_PATH, makeQueries } from '../read/requests.js';
import { openFilled, startMeasuredApi } from '../read/serve-list.js';

const EVENTS = Number(process.env['BENCH_EVENTS'] ?? 10_000);
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5);
const SEED = Number(process.env['BENCH_SEED'] ?? 1);
const EVENTS_PER_TRANSACTION = 1_000;
const CPU = 'backend CPU µs/event';
const LOG = 'WAL bytes/event';
const REQUESTS = 300;
/**
 * Numbers of structure versions for the measurements. With 300, a transaction changes each row many times. With larger
 * numbers, nearly every event changes a different row, and a smaller part of the indexes fits into memory. The model is
 * derived from all sizes except 20,000, which is used to check the model.
 */
const [FEW, SOME, CHECK, MANY] = [300, 3_000, 20_000, 100_000];

const random = randomFrom(SEED);
let nextOperation = 1;
const costs: Row[] = [];
const note = (cost: string, measured: number, modelled: number) =>
  costs.push({ cost, measured, 'in the model': modelled, ratio: measured / modelled });
await withCleanup(measureDatabase);
await withCleanup(measureQueue);
await report('capacity', { events: EVENTS, rounds: ROUNDS, seed: SEED }, { 'Measured costs': costs });

/** Measures the costs of a statement and of a page. */
async function measureDatabase(defer: Defer): Promise<void> {
  const server = await startServer(defer, { max_wal_size: '8GB', checkpoint_timeout: '1h' });
  const setWholePages = async (value: 'on' | 'off') => {
    await server.admin.query(`ALTER SYSTEM SET full_page_writes = ${value}`);
    await server.admin.query('SELECT pg_reload_conf()');
  };
  const open = async (versions: number) => {
    const url = await server.createDatabase(`bench_${versions}`);
    await fillDatabase(url, { structureVersions: versions });
    const filled = await openFilled(defer, url);
    return { ...filled, name: String(versions), run: () => applyEvents(filled.database.pool, versions) };
  };
  const many = await open(MANY);
  await setWholePages('off');
  const contestants: readonly Contestant[] = [await open(FEW), await open(SOME), await open(CHECK), many];
  const results = await runRounds(contestants, ROUNDS);
  const costOf = (versions: number, title: string) => figureOf(results, String(versions), title);
  const rowsAnEvent = (versions: number) => met(versions, EVENTS_PER_TRANSACTION) / EVENTS_PER_TRANSACTION;
  const perRow = (title: string) =>
    (costOf(SOME, title) - costOf(FEW, title)) / (rowsAnEvent(SOME) - rowsAnEvent(FEW));
  const perEvent = (title: string) => costOf(FEW, title) - rowsAnEvent(FEW) * perRow(title);
  const perRowOfMany = (costOf(MANY, CPU) - perEvent(CPU)) / rowsAnEvent(MANY);
  const perDecade = (perRowOfMany - perRow(CPU)) / decadesAbove(MANY);
  const { ledgerLogBytes, figuresLogBytes } = measuredCosts;
  note('PostgreSQL CPU µs per event, for the ledger', perEvent(CPU), measuredCosts.ledgerMicroseconds);
  note('PostgreSQL CPU µs per row of figures', perRow(CPU), measuredCosts.figuresMicroseconds);
  note('more for each tenfold number of rows', perDecade, measuredCosts.figuresMicrosecondsPerDecade);
  note('write-ahead log bytes per event, for the ledger', perEvent(LOG), ledgerLogBytes);
  note('write-ahead log bytes per row of figures', perRow(LOG), figuresLogBytes);
  for (const versions of [FEW, SOME, CHECK, MANY]) {
    const modelled = statementMicroseconds(versions, EVENTS_PER_TRANSACTION, measuredCosts);
    note(`PostgreSQL µs an event, of ${versions} versions`, costOf(versions, CPU), modelled);
  }
  const modelledBytes = ledgerLogBytes + rowsAnEvent(CHECK) * figuresLogBytes;
  note(`write-ahead log bytes per event, of ${CHECK} versions`, costOf(CHECK, LOG), modelledBytes);

  const { pool } = many.database;
  await setWholePages('on');
  const pages = await readNumber(pool, "pg_total_relation_size('takt.product_structure_versions') / 8192");
  const { 'whole pages': wholePages = 0 } = await many.run();
  const changed = met(MANY, EVENTS_PER_TRANSACTION) * (EVENTS / EVENTS_PER_TRANSACTION);
  note('full-page images in the write-ahead log', wholePages, met(pages, changed * PAGES_A_ROW));
  const ledgerBytes = await readNumber(pool, "pg_total_relation_size('takt.work_order_operations')");
  const operations = await readNumber(pool, '(SELECT count(*) FROM takt.work_order_operations)');
  note('bytes an operation', ledgerBytes / operations, measuredCosts.operationBytes);

  await pool.query('VACUUM ANALYZE');
  const api = await startMeasuredApi(defer, many.url);
  const headers = { authorization: `Bearer ${many.token}`, 'accept-encoding': 'identity' };
  const askAll = async () => {
    let bytes = 0;
    for (const query of makeQueries('ordered', REQUESTS, SEED)) {
      const response = await fetch(`${api.origin}${LIST_PATH}?${query}&$format=json`, { headers });
      bytes += (await response.arrayBuffer()).byteLength;
    }
    return bytes;
  };
  await askAll();
  const cpuSince = await startCpuMeter(pool, { 'API CPU µs': [api.pid] });
  const bytes = await askAll();
  const { 'API CPU µs': apiCpu = 0, 'PostgreSQL CPU µs': postgresCpu = 0 } = cpuSince(REQUESTS);
  note('API µs a page', apiCpu, measuredCosts.requestMicroseconds);
  note('PostgreSQL µs a page', postgresCpu, measuredCosts.requestPostgresMicroseconds);
  note('bytes a page', bytes / REQUESTS, measuredCosts.pageBytes);
}

async function applyEvents(pool: pg.Pool, versions: number): Promise<Figures> {
  const client = await pool.connect();
  try {
    const makeBatch = () => Array.from({ length: EVENTS_PER_TRANSACTION }, () => makeEvent(versions));
    // The first batch fills the plan cache.
    await applyBatches(client, [makeBatch()]);
    await client.query('CHECKPOINT');
    return await applyBatches(
      client,
      Array.from({ length: Math.ceil(EVENTS / EVENTS_PER_TRANSACTION) }, makeBatch),
    );
  } finally {
    client.release();
  }
}

function makeEvent(versions: number): WorkOrderOperationEvent {
  return {
    type: 'work-order-operation.completed.v1',
    database: COMPANY,
    workOrderOperationId: nextOperation++,
    workOrderId: 1 + Math.floor(nextOperation / 5),
    revision: 1,
    productStructureVersionId: 1 + random.below(versions),
    completedAt: '2026-01-05T06:00:00.000Z',
    runTime: (random() * 5).toFixed(6),
    setupTime: (random() * 2).toFixed(6),
    cleanupTime: random() < 0.5 ? null : random().toFixed(6),
  };
}

/** Measures the costs of the worker and of Redis, once with batch jobs and once with jobs of one event. */
async function measureQueue(defer: Defer): Promise<void> {
  const workload = makeWorkload(EVENTS, FEW, SEED);
  const { completions } = workload;
  const { makeDatabase, redisUrl } = await startServers(defer, workload.masterData);
  const toContestant = (eventsPerJob: number): Contestant => ({
    name: String(eventsPerJob),
    run: () =>
      withCleanup(async (deferClose) => {
        const fresh = await makeDatabase(deferClose);
        return takt(eventsPerJob).run({ workload, fresh, redisUrl, defer: deferClose });
      }),
  });
  const results = await runRounds([500, 1].map(toContestant), 1);
  const costOf = (title: string, eventsPerJob = 500) => figureOf(results, String(eventsPerJob), title);
  const times = (title: string) => costOf(title, 1) / costOf(title);
  const { workerMicroseconds, redisMicroseconds, singleJobs, eventBytes, waitingEventBytes } = measuredCosts;
  note('worker µs an event', costOf('worker CPU µs'), workerMicroseconds);
  note('Redis µs an event', costOf('Redis CPU µs'), redisMicroseconds);
  note('one event per job: times the worker cost of a batch', times('worker CPU µs'), singleJobs.worker);
  note('one event per job: times the Redis cost of a batch', times('Redis CPU µs'), singleJobs.redis);
  note(
    'one event per job: times the PostgreSQL cost of a batch',
    times('PostgreSQL CPU µs'),
    singleJobs.postgres,
  );
  const bytes = completions.reduce<number>((sum, event) => sum + JSON.stringify(event).length, 0);
  note('bytes an event', bytes / completions.length, eventBytes);

  const queue = await openPausedQueue(redisUrl, defer);
  const client = new Redis(redisUrl);
  defer(async () => client.disconnect());
  const usedBytes = async () => Number(/used_memory:(\d+)/.exec(await client.info('memory'))?.[1]);
  const before = await usedBytes();
  await fillQueue(queue, completions, 500);
  note('bytes per waiting event', ((await usedBytes()) - before) / completions.length, waitingEventBytes);
}
