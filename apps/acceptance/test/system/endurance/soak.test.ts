import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { createAccessToken } from '@takt/access';
import { type Database, openDatabase } from '@takt/database';
import { type AppProcess, startApp } from '@takt/database/testing';
import { type EventInput, openPublisher, type Publisher } from '@takt/events';
import { generateEvents } from '@takt/events/generator';
import { auditProductionTimes } from '@takt/figures';
import { addCompany } from '@takt/figures/master-data';
import {
  needsProgram,
  type ObservedProcess,
  randomFrom,
  shareOf,
  startTestRedis,
  type TestRedis,
  testSeed,
} from '@takt/test-support';
import { expect } from 'chai';
import { collectingGarbage, readHeldMb } from '../../support/collect-garbage.js';
import { type OwnPostgres, startOwnPostgres } from '../../support/own-postgres.js';
import { LIST } from '../../support/production-times.js';
import { floors, median, type Sample, slopePerMinute } from '../../support/trends.js';
import { findCrashes } from '../faults/find-deviations.js';
import { type ObservedQueue, observeQueue } from '../faults/queue.js';

const MINUTES = Number(process.env['TAKT_SOAK_MINUTES'] ?? shareOf(3, 3));
const SOAK_MS = MINUTES * 60_000;
/**
 * Share of the samples that do not count. During these samples caches fill, code is compiled and index pages are split.
 */
const WARM_UP_SHARE = 1 / 3;
const WINDOW_MS = 10_000;
const SAMPLE_MS = 1_000;

const COMPANIES = ['SOAK-NO', 'SOAK-SE'] as const;
const STRUCTURE_VERSIONS = 2_000;
const BATCH_SIZE = 500;
/** Number of events that measure the events per second of this machine. */
const TRIAL_EVENTS = 15_000;
/** Maximum number of waiting jobs. If more jobs wait, the machine has become slower, and the test pauses publishing. */
const MAX_WAITING_JOBS = 20;
const READERS = 2;
const READER_PAUSE_MS = 50;
/**
 * Number of requests before any measurement. With only twenty requests a second, the API would compile its code for
 * minutes.
 */
const WARM_UP_ANSWERS = 2_000;
const DRAIN_DEADLINE_MS = 120_000;
const LISTED_REFUSALS = 5;
const LISTED_CHARACTERS = 500;

/** Runs autovacuum often enough to show its effect in this test. The default is once a minute. */
const POSTGRES_SETTINGS = { autovacuum_naptime: '10s' };

/** Maximum growth of the memory in use, in MB per minute. */
const MAX_MEMORY_SLOPE_MB = 1;
/**
 * Maximum relative growth of the resident memory from the first to the second half after the warm-up. The resident
 * memory varies by more within a minute.
 */
const MAX_RESIDENT_GROWTH = 0.15;
/** Maximum number of connections in the pools of both apps together. The pools open and close connections on demand. */
const MAX_CONNECTIONS = 6 + 8 + 2;
/**
 * Maximum relative growth of the indexes of the figures after the warm-up. The indexes grow several times as much
 * without vacuum.
 */
const MAX_INDEX_GROWTH = 1;

const QUERIES = [
  '$orderby=AverageRunTime desc&$top=50',
  '$orderby=LongestSetupTime&$top=20&$format=xml',
  '$filter=AverageRunTime gt RunTime&$top=50&$format=html',
  `$filter=contains(ProductName,'ge')&$inlinecount=allpages`,
  '$top=80&$expand=PagingDetails&$format=jsonstream',
];

/** All samples, by the name under which they are printed. They are taken once a second. */
type Measured = Record<
  | 'worker MB held'
  | 'api MB held'
  | 'worker MB resident'
  | 'api MB resident'
  | 'worker files'
  | 'api files'
  | 'connections'
  | 'index MB',
  Sample[]
>;

describe(`the product under half of the maximum load of this machine for ${MINUTES} minutes`, function () {
  this.timeout(SOAK_MS + 400_000);
  let postgres: OwnPostgres;
  let database: Database;
  let redis: TestRedis;
  let worker: ObservedProcess;
  let api: AppProcess;
  let publisher: Publisher;
  let queue: ObservedQueue;
  let token: string;
  let published = 0;
  const statuses = new Map<number, number>();
  /** The requests that were not answered with 200, and the begins of their answers. */
  const refusals: string[] = [];
  const measured: Measured = {
    'worker MB held': [],
    'api MB held': [],
    'worker MB resident': [],
    'api MB resident': [],
    'worker files': [],
    'api files': [],
    connections: [],
    'index MB': [],
  };

  before(async function () {
    needsProgram(this, 'redis-server');
    postgres = await startOwnPostgres({ settings: POSTGRES_SETTINGS });
    const databaseUrl = await postgres.createDatabase('soak');
    database = openDatabase({ url: databaseUrl, applicationName: 'takt test' });
    redis = await startTestRedis(['--auto-aof-rewrite-min-size', '1gb']);
    for (const code of COMPANIES) await addCompany(database, code, `Company ${code}`);
    const request = { companyCodes: COMPANIES, expiresInMs: 2 * SOAK_MS + 3_600_000 };
    ({ token } = await createAccessToken(database, request));
    const nodeArguments = ['--expose-gc', collectingGarbage()];
    worker = await startApp('worker', { databaseUrl, queueUrl: redis.url, nodeArguments });
    api = await startApp('api', { databaseUrl, nodeArguments });
    publisher = await openPublisher(redis.url);
    queue = await observeQueue(redis.url);
    await soak();
  });

  after(async () => {
    await publisher?.close();
    await queue?.close();
    await Promise.all([worker?.stop(), api?.stop()]);
    await redis?.close();
    await database?.close();
    await postgres?.close();
  });

  for (const app of ['worker', 'api'] as const) {
    it(`does not leak memory in the ${app}`, () => {
      const slope = slopePerMinute(floors(afterWarmUp(`${app} MB held`), WINDOW_MS));
      console.info(`      ${describeSamples(`${app} MB held`)}, ${slope.toFixed(2)} a minute`);
      console.info(`      ${describeSamples(`${app} MB resident`)}`);
      expect(slope).to.be.below(MAX_MEMORY_SLOPE_MB);
      const [early, late] = halves(afterWarmUp(`${app} MB resident`));
      expect(late / early - 1, 'resident').to.be.below(MAX_RESIDENT_GROWTH);
    });
  }

  it('does not leak connections or files', () => {
    for (const what of ['worker files', 'api files'] as const) {
      console.info(`      ${describeSamples(what)}`);
      const [early, late] = halves(floors(afterWarmUp(what), WINDOW_MS));
      expect(late, what).to.be.at.most(early);
    }
    console.info(`      ${describeSamples('connections')}`);
    expect(Math.max(...measured.connections.map(({ value }) => value))).to.be.at.most(MAX_CONNECTIONS);
  });

  it('does not let the indexes of the figures grow', () => {
    console.info(`      ${describeSamples('index MB')}`);
    const [begin = Number.NaN, ...others] = afterWarmUp('index MB').map(({ value }) => value);
    expect(Math.max(...others) / begin - 1).to.be.below(MAX_INDEX_GROWTH);
  });

  it('answers every request, processes every event and keeps exact figures', async () => {
    console.info(`      ${published} events; answers by status: ${JSON.stringify([...statuses])}`);
    await queue.drain(DRAIN_DEADLINE_MS);
    expect(await queue.describeUnfinished()).to.deep.equal([]);
    expect(await queue.listFailed()).to.deep.equal([]);
    expect((await auditProductionTimes(database.pool)).differences).to.deep.equal([]);
    expect(refusals.length, refusals.slice(0, LISTED_REFUSALS).join('\n')).to.equal(0);
    expect(findCrashes([worker.output(), api.output()])).to.deep.equal([]);
  });

  async function soak(): Promise<void> {
    const events = generateEvents({
      // A number that is never reached. The generator creates only the events that are published.
      events: 100_000_000,
      structureVersions: STRUCTURE_VERSIONS,
      companies: COMPANIES,
      seed: testSeed(),
      corrections: 0.02,
      duplicates: 0.01,
    });
    const take = (count: number) => Array.from({ length: count }, () => events.next().value as EventInput);
    const publish = async (count: number) => {
      await publisher.publish(take(count), { batchSize: BATCH_SIZE });
      published += count;
    };
    // The first events of the stream are master data.
    await publish(STRUCTURE_VERSIONS * 2);
    await queue.drain(DRAIN_DEADLINE_MS);
    const startedAt = performance.now();
    for (let done = 0; done < TRIAL_EVENTS; done += TRIAL_EVENTS / 6) await publish(TRIAL_EVENTS / 6);
    await queue.drain(DRAIN_DEADLINE_MS);
    const perSecond = TRIAL_EVENTS / ((performance.now() - startedAt) / 1_000);
    console.info(`      ${perSecond.toFixed(0)} events a second at most, half of them are offered`);

    const isWarm = () => [...statuses.values()].reduce((sum, count) => sum + count, 0) >= WARM_UP_ANSWERS;
    await Promise.all(Array.from({ length: READERS }, (_, index) => read(index, isWarm, 0)));
    const endsAt = performance.now() + SOAK_MS;
    const isOver = () => performance.now() > endsAt;
    const offer = async () => {
      while (!isOver()) {
        const nextAt = performance.now() + (BATCH_SIZE / perSecond) * 2 * 1_000;
        if ((await queue.countWaiting()) < MAX_WAITING_JOBS) await publish(BATCH_SIZE);
        await delay(Math.max(0, nextAt - performance.now()));
      }
    };
    const readers = Array.from({ length: READERS }, (_, index) => read(index, isOver, READER_PAUSE_MS));
    await Promise.all([offer(), sampleUntil(isOver), ...readers]);
  }

  async function read(reader: number, isOver: () => boolean, pauseMs: number): Promise<void> {
    const random = randomFrom(testSeed() + reader);
    while (!isOver()) {
      const target = `${LIST}?$db=${random.pick(COMPANIES)}&${random.pick(QUERIES)}`;
      const response = await fetch(encodeURI(`${api.origin}${target}`), {
        headers: { authorization: `Bearer ${token}` },
      });
      const text = await response.text();
      if (response.status !== 200) refusals.push(`${target}: ${text.slice(0, LISTED_CHARACTERS)}`);
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      await delay(pauseMs);
    }
  }

  async function sampleUntil(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      for (const one of [worker, api]) if (!one.runs()) throw new Error(`an app ended: ${one.output()}`);
      const values = await look();
      const atMs = performance.now();
      for (const [what, value] of Object.entries(values))
        measured[what as keyof Measured].push({ atMs, value });
      await delay(SAMPLE_MS);
    }
  }

  async function look(): Promise<Record<keyof Measured, number>> {
    const databasePort = Number(new URL(postgres.url).port);
    const { rows } = await database.pool.query<{ connections: number; indexBytes: number }>(
      `SELECT pg_indexes_size('takt.product_structure_versions')::float8 AS "indexBytes",
         (SELECT count(*)::integer FROM pg_stat_activity
          WHERE datname = current_database() AND application_name IN ('takt worker', 'takt api')) AS connections`,
    );
    const [row = { connections: Number.NaN, indexBytes: Number.NaN }] = rows;
    return {
      'worker MB held': readHeldMb(worker.pid),
      'api MB held': readHeldMb(api.pid),
      'worker MB resident': residentMb(worker),
      'api MB resident': residentMb(api),
      'worker files': openFiles(worker, databasePort),
      'api files': openFiles(api, databasePort),
      connections: row.connections,
      'index MB': row.indexBytes / 2 ** 20,
    };
  }

  function afterWarmUp(what: keyof Measured): readonly Sample[] {
    const samples = measured[what];
    return samples.slice(Math.floor(samples.length * WARM_UP_SHARE));
  }

  function describeSamples(what: keyof Measured): string {
    const thirds = [0, 1, 2].map((third) => {
      const { length } = measured[what];
      const part = measured[what].slice((third * length) / 3, ((third + 1) * length) / 3);
      return median(part.map(({ value }) => value)).toFixed(1);
    });
    return `${what}, medians of the thirds: ${thirds.join(', ')}`;
  }
});

/** Returns the median of the first half and the median of the second half of the samples. */
function halves(samples: readonly Sample[]): readonly [number, number] {
  const values = samples.map(({ value }) => value);
  return [median(values.slice(0, values.length / 2)), median(values.slice(values.length / 2))];
}

function residentMb({ pid }: ObservedProcess): number {
  return Number(/^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
}

/**
 * Returns the number of open file descriptors. Leaves out database connections, because the pools limit their number.
 */
function openFiles({ pid }: ObservedProcess, databasePort: number): number {
  const remote = `:${databasePort.toString(16).toUpperCase().padStart(4, '0')}`;
  const connections = readFileSync(`/proc/${pid}/net/tcp`, 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , remoteAddress]) => remoteAddress?.endsWith(remote))
    .map((columns) => `socket:[${columns[9]}]`);
  const left = new Set(['', ...connections]);
  return readdirSync(`/proc/${pid}/fd`).filter((fd) => !left.has(readLink(`/proc/${pid}/fd/${fd}`))).length;
}

/** Returns the target of a link, or an empty text if the descriptor has been closed in the meantime. */
function readLink(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
