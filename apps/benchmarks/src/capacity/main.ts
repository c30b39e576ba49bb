import { cpus } from 'node:os';
import { createAccessToken } from '@takt/access';
import { applyWorkOrderOperationEvents, type WorkOrderOperationEvent } from '@takt/figures';
import { decadesAbove, measuredCosts, met, PAGES_A_ROW, statementMicroseconds } from '@takt/figures/capacity';
import { type Random, randomFrom, startApiProcess } from '@takt/test-support';
import { Redis } from 'ioredis';
import type pg from 'pg';
import {
  type BenchServer,
  median,
  readCpuMs,
  readServerCpuMs,
  report,
  say,
  table,
  withServer,
} from '../harness.js';
import { takt } from '../ingest/contestants/queue-contestants.js';
import { findPostmaster } from '../ingest/measure.js';
import { openQueueRun } from '../ingest/queue-run.js';
import { makeWorkload, startServers } from '../ingest/servers.js';
import { COMPANY, type Filled, fillDatabase } from '../read/fill-database.js';
import { LIST_PATH, makeQueries } from '../read/make-requests.js';

/**
 * Of 300 a transaction of 1,000 events changes each row many times, of more nearly another row for each event; the more
 * there are, the less of the indexes is at hand. The model is made from three sizes and tried on the fourth.
 */
const [FEW, SOME, BETWEEN, MANY] = [300, 3_000, 20_000, 100_000];
type Size = 'few' | 'some' | 'between' | 'many';

const VERSIONS: Readonly<Record<Size, number>> = { few: FEW, some: SOME, between: BETWEEN, many: MANY };
const SIZES = ['few', 'some', 'between', 'many'] as const;

const EVENTS = Number(process.env['BENCH_EVENTS'] ?? 10_000);
const SEED = Number(process.env['BENCH_SEED'] ?? 1);
const EVENTS_PER_TRANSACTION = 1_000;
const ROUNDS = 5;
const REQUESTS = 300;

interface Finding {
  readonly what: string;
  readonly measured: number;
  readonly modelled: number;
}

const findings: Finding[] = [];
let nextOperation = 1;
const note = (what: string, measured: number, modelled: number) => {
  findings.push({ what, measured, modelled });
  say(`${what}: ${measured.toFixed(1)} measured, ${modelled.toFixed(1)} in the model`);
};

say(`${EVENTS} events a round, ${FEW} to ${MANY} structure versions, seed ${SEED}, ${cpus().length} cores`);
await withServer(measureDatabase, { max_wal_size: '8GB', checkpoint_timeout: '1h' });
await measureQueue();
await report('capacity', toMarkdown());

async function measureDatabase({ createDatabase }: BenchServer): Promise<void> {
  const fill = async (name: string, structureVersions: number) =>
    fillDatabase(await createDatabase(name), { structureVersions, operations: 0 });
  const few = await fill('few', FEW);
  const some = await fill('of_some', SOME);
  const between = await fill('between', BETWEEN);
  const many = await fill('many', MANY);
  await setWholePages(few, false);
  await measureStatement({ few, some, between, many });
  await setWholePages(few, true);
  await measureWholePages(many);
  await measureSizes(many);
  await measureRequests(many);
  await Promise.all([few, some, between, many].map(({ database }) => database.close()));
}

interface StatementCost {
  readonly microseconds: number;
  readonly logBytes: number;
  readonly wholePages: number;
}

/** The cost of an event, of a row of figures and of their number follow from three mixtures of them. */
async function measureStatement(databases: Readonly<Record<Size, Filled>>): Promise<void> {
  const random = randomFrom(SEED);
  const costs: Record<Size, StatementCost[]> = { few: [], some: [], between: [], many: [] };
  // In turn: the machine is not as fast at every moment.
  for (let round = 0; round < ROUNDS; round++) {
    for (const size of SIZES) costs[size].push(await apply(databases[size], VERSIONS[size], random));
  }
  const cost = (size: Size, of: keyof StatementCost) => median(costs[size].map((one) => one[of]));
  const rows = (size: Size) => met(VERSIONS[size], EVENTS_PER_TRANSACTION) / EVENTS_PER_TRANSACTION;
  const perRow = (of: keyof StatementCost) =>
    (cost('some', of) - cost('few', of)) / (rows('some') - rows('few'));
  const perEvent = (of: keyof StatementCost) => cost('few', of) - rows('few') * perRow(of);
  const ofMany = (cost('many', 'microseconds') - perEvent('microseconds')) / rows('many');
  const perDecade = (ofMany - perRow('microseconds')) / decadesAbove(MANY);
  note('PostgreSQL µs an event, into the ledger', perEvent('microseconds'), measuredCosts.ledgerMicroseconds);
  note('PostgreSQL µs a row of figures', perRow('microseconds'), measuredCosts.figuresMicroseconds);
  note('and for ten times as many', perDecade, measuredCosts.figuresMicrosecondsPerDecade);
  note('log bytes an event, into the ledger', perEvent('logBytes'), measuredCosts.ledgerLogBytes);
  note('log bytes a row of figures', perRow('logBytes'), measuredCosts.figuresLogBytes);
  for (const size of SIZES) {
    const modelled = statementMicroseconds(VERSIONS[size], EVENTS_PER_TRANSACTION, measuredCosts);
    note(`PostgreSQL µs an event, of ${VERSIONS[size]} versions`, cost(size, 'microseconds'), modelled);
  }
  const { ledgerLogBytes, figuresLogBytes } = measuredCosts;
  note(
    `log bytes an event, of ${BETWEEN} versions`,
    cost('between', 'logBytes'),
    ledgerLogBytes + rows('between') * figuresLogBytes,
  );
}

async function apply({ database }: Filled, versions: number, random: Random): Promise<StatementCost> {
  const client = await database.pool.connect();
  try {
    // The first ones make the plans.
    await applyWorkOrderOperationEvents(client, makeEvents(EVENTS_PER_TRANSACTION, versions, random));
    await client.query('CHECKPOINT');
    const before = await readUse(client);
    for (let done = 0; done < EVENTS; done += EVENTS_PER_TRANSACTION) {
      await applyWorkOrderOperationEvents(client, makeEvents(EVENTS_PER_TRANSACTION, versions, random));
    }
    const after = await readUse(client);
    return {
      microseconds: ((after.cpuMs - before.cpuMs) * 1_000) / EVENTS,
      logBytes: (after.logBytes - before.logBytes) / EVENTS,
      wholePages: after.wholePages - before.wholePages,
    };
  } finally {
    client.release();
  }
}

async function readUse(client: pg.PoolClient) {
  await client.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await client.query<{ pid: number; position: string; wholePages: string }>(
    `SELECT pg_backend_pid() AS pid, pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS position,
       wal_fpi AS "wholePages" FROM pg_stat_wal`,
  );
  const [row = { pid: 0, position: '0', wholePages: '0' }] = rows;
  return { cpuMs: readCpuMs(row.pid), logBytes: Number(row.position), wholePages: Number(row.wholePages) };
}

function makeEvents(count: number, versions: number, random: Random): WorkOrderOperationEvent[] {
  return Array.from({ length: count }, () => ({
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
  }));
}

async function setWholePages({ database }: Filled, isOn: boolean): Promise<void> {
  await database.pool.query(`ALTER SYSTEM SET full_page_writes = ${isOn ? 'on' : 'off'}`);
  await database.pool.query('SELECT pg_reload_conf()');
  await database.pool.query('CHECKPOINT');
}

/** After a checkpoint, of rows that are spread over all pages. */
async function measureWholePages(many: Filled): Promise<void> {
  const { pool } = many.database;
  const { rows } = await pool.query<{ pages: string }>(
    "SELECT pg_total_relation_size('takt.product_structure_versions') / 8192 AS pages",
  );
  const { wholePages } = await apply(many, MANY, randomFrom(SEED + 1));
  const changed = met(MANY, EVENTS_PER_TRANSACTION) * (EVENTS / EVENTS_PER_TRANSACTION);
  note('whole pages in the log', wholePages, met(Number(rows[0]?.pages), changed * PAGES_A_ROW));
}

/** What a structure version takes is measured by a test, in which its operations are of several months. */
async function measureSizes({ database }: Filled): Promise<void> {
  const { rows } = await database.pool.query<{ bytes: number }>(
    `SELECT pg_total_relation_size('takt.work_order_operations')::float8
       / (SELECT count(*) FROM takt.work_order_operations) AS bytes`,
  );
  note('bytes an operation', rows[0]?.bytes ?? Number.NaN, measuredCosts.operationBytes);
}

async function measureRequests({ url, database }: Filled): Promise<void> {
  const { token } = await createAccessToken(database, { companyCodes: [COMPANY], expiresInMs: 3_600_000 });
  await database.pool.query('VACUUM ANALYZE');
  const postmaster = await findPostmaster(database.pool);
  const api = await startApiProcess({ databaseUrl: url });
  try {
    let bytes = 0;
    const askAll = async () => {
      for (const query of makeQueries('ordered', REQUESTS, SEED)) {
        const response = await fetch(`${api.origin}${LIST_PATH}?${query}&$format=json`, {
          headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' },
        });
        bytes += (await response.arrayBuffer()).byteLength;
      }
    };
    await askAll();
    bytes = 0;
    const read = () => ({ api: readCpuMs(api.pid), postgres: readServerCpuMs(postmaster) });
    const before = read();
    await askAll();
    const after = read();
    const { requestMicroseconds, requestPostgresMicroseconds, pageBytes } = measuredCosts;
    note('API µs a page', ((after.api - before.api) * 1_000) / REQUESTS, requestMicroseconds);
    note(
      'PostgreSQL µs a page',
      ((after.postgres - before.postgres) * 1_000) / REQUESTS,
      requestPostgresMicroseconds,
    );
    note('bytes a page', bytes / REQUESTS, pageBytes);
  } finally {
    await api.stop();
  }
}

/** Through a worker process, as bench:ingest does. */
async function measureQueue(): Promise<void> {
  const workload = makeWorkload(EVENTS, FEW, SEED);
  const servers = await startServers(workload);
  try {
    const run = async (eventsPerJob: number) => {
      const fresh = await servers.makeDatabase();
      try {
        return await takt(eventsPerJob).run({ workload, fresh, redisUrl: servers.redis.url });
      } finally {
        await fresh.close();
      }
    };
    const batch = await run(500);
    const single = await run(1);
    const { workerMicroseconds, redisMicroseconds, singleJobs } = measuredCosts;
    const times = (of: 'workerCpuMicroseconds' | 'redisCpuMicroseconds' | 'postgresCpuMicroseconds') =>
      (single[of] ?? Number.NaN) / (batch[of] ?? Number.NaN);
    note('worker µs an event', batch.workerCpuMicroseconds ?? Number.NaN, workerMicroseconds);
    note('Redis µs an event', batch.redisCpuMicroseconds ?? Number.NaN, redisMicroseconds);
    note('an event a job: worker, times', times('workerCpuMicroseconds'), singleJobs.worker);
    note('an event a job: Redis, times', times('redisCpuMicroseconds'), singleJobs.redis);
    note('an event a job: PostgreSQL, times', times('postgresCpuMicroseconds'), singleJobs.postgres);
    const bytes = workload.completions.reduce<number>((sum, event) => sum + JSON.stringify(event).length, 0);
    note('bytes an event', bytes / workload.completions.length, measuredCosts.eventBytes);
    note(
      'bytes an event that waits',
      await waitingBytes(servers.redis.url, workload.completions),
      measuredCosts.waitingEventBytes,
    );
  } finally {
    await servers.close();
  }
}

async function waitingBytes(redisUrl: string, events: readonly unknown[]): Promise<number> {
  const run = await openQueueRun(redisUrl);
  const client = new Redis(redisUrl);
  try {
    const used = async () => Number(/used_memory:(\d+)/.exec(await client.info('memory'))?.[1]);
    const before = await used();
    await run.fill(events, 500);
    return ((await used()) - before) / events.length;
  } finally {
    client.disconnect();
    await run.close();
  }
}

function toMarkdown(): string {
  const rows = findings.map(({ what, measured, modelled }) => [
    ...[what, measured.toFixed(1), modelled.toFixed(1), (measured / modelled).toFixed(2)],
  ]);
  return table(['cost', 'measured:', 'in the model:', 'ratio:'], rows).join('\n');
}
