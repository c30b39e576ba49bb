import { aggregatedProductionTimes, queryFieldsOf } from '@takt/catalogue/resources';
import type { MeasuredCosts } from './measured-costs.js';

/** The load that Takt is to carry. */
export interface Load {
  /** On average while there is production. */
  readonly eventsPerSecond: number;
  /** Listed, of all companies together. */
  readonly structureVersions: number;
  /** Events of a day. */
  readonly eventsPerDay: number;
  /** Different operations of a day: what the ledger grows by. */
  readonly operationsPerDay: number;
  /** Until operations are pruned. */
  readonly keptDays: number;
  /** How many times the average a burst is, and how long it lasts. */
  readonly burst: number;
  readonly burstSeconds: number;
  /** Pages that the API is asked for. */
  readonly requestsPerSecond: number;
  /** True if producers send batches of some 500 events, false if they send each event alone. */
  readonly inBatches: boolean;
  /** How long the database may be away while Redis keeps what arrives. */
  readonly outageSeconds: number;
  readonly companies: number;
}

/** One thing that is needed. */
export interface Need {
  readonly part: 'worker' | 'PostgreSQL' | 'Redis' | 'API' | 'disk' | 'network' | 'freshness';
  readonly what: string;
  readonly amount: number;
  readonly unit: 'cores' | 'processes' | 'servers' | 'connections' | 'bytes' | 'bytes/s' | 'seconds';
  /** How it follows from the load and from what was measured. */
  readonly how: string;
}

export interface CapacityPlan {
  readonly needs: readonly Need[];
  /** What the load asks of the operator beyond machines, a sentence each. */
  readonly advice: readonly string[];
}

/** So much of what there is may be used on average: the rest is for bursts, vacuum, checkpoints and backups. */
const TARGET_USE = 0.5;
const HALF_BUSY = `${TARGET_USE * 100} % busy`;
const ONE_CORE_EACH = `one core each, ${HALF_BUSY}, at least 2`;

/** The orders of the list of figures that have an index, which every change of a row writes into. */
const ORDERS = [...queryFieldsOf(aggregatedProductionTimes).values()].filter(
  ({ isUnindexed }) => !isUnindexed,
).length;

/** Pages that a change of a row of figures touches: its own, and those of the primary key, of what finds products, and of the orders. */
export const PAGES_A_ROW = 3 + ORDERS;

const PAGE_BYTES = 8_192;
/** max_wal_size must allow it; the default of 5 minutes writes more whole pages. */
const CHECKPOINT_SECONDS = 1_800;
/** wal_compression = lz4 or zstd; of whole pages of indexes that are half full. */
const PAGE_COMPRESSION = 0.4;
/** At so many structure versions the cost of changing a row was measured; of fewer it is no lower. */
const VERSIONS_OF_BASE_COST = 3_000;
const [CONNECTIONS_A_WORKER, CONNECTIONS_AN_API] = [5, 10];
/** What one server can have; above it, several are needed. */
const SERVER = { cores: 32, logBytesPerSecond: 200e6, diskBytes: 8e12 };
/** Measured: an event costs a node up to twice what it costs a single server (docs/operating/scale.md). */
const NODES_A_SERVER = 2;

/**
 * The needs of a load: its rates times the measured costs. Structure versions are taken to be evenly busy, which is the
 * worst case for log and memory.
 */
export function planCapacity(load: Load, costs: MeasuredCosts): CapacityPlan {
  const { eventsPerSecond: rate, structureVersions: versions, requestsPerSecond: requests } = load;
  const single = load.inBatches ? { worker: 1, redis: 1, postgres: 1 } : costs.singleJobs;
  // Events that a transaction takes in while there is enough to do, as a worker under load collects them.
  const events = load.inBatches ? 1_000 : 100;
  const rowsAnEvent = met(versions, events) / events;
  const worker = costs.workerMicroseconds * single.worker;
  const redis = costs.redisMicroseconds * single.redis;
  const postgres = statementMicroseconds(versions, events, costs) * single.postgres;
  const workerCores = (rate * worker) / 1e6;
  const redisCores = (rate * redis) / 1e6;
  const apiCores = (requests * costs.requestMicroseconds) / 1e6;
  const postgresCores = (rate * postgres + requests * costs.requestPostgresMicroseconds) / 1e6;
  const figuresBytes = versions * costs.structureVersionBytes * costs.swelling;
  const ledgerBytesPerDay = load.operationsPerDay * costs.operationBytes;
  const storedBytes = figuresBytes + load.keptDays * ledgerBytesPerDay;
  const wholePages = met(figuresBytes / PAGE_BYTES, rate * rowsAnEvent * PAGES_A_ROW * CHECKPOINT_SECONDS);
  const wholePageBytes = (wholePages * PAGE_BYTES * PAGE_COMPRESSION) / CHECKPOINT_SECONDS / rate;
  const logBytes = costs.ledgerLogBytes + rowsAnEvent * costs.figuresLogBytes;
  const logBytesPerSecond = rate * (logBytes + wholePageBytes);
  const workers = Math.max(2, Math.ceil(workerCores / TARGET_USE));
  const apis = requests > 0 ? Math.max(2, Math.ceil(apiCores / TARGET_USE)) : 0;
  const pace = rate / TARGET_USE;

  const serversBy = {
    [`${SERVER.cores} cores`]: postgresCores / TARGET_USE / SERVER.cores,
    [`${SERVER.logBytesPerSecond / 1e6} MB/s of log`]: logBytesPerSecond / SERVER.logBytesPerSecond,
    [`${SERVER.diskBytes / 1e12} TB of disk, half full`]: storedBytes / TARGET_USE / SERVER.diskBytes,
  };
  const servers = Math.max(1, ...Object.values(serversBy).map(Math.ceil));
  const byWhat = Object.entries(serversBy).map(([by, count]) => `${by}: ${Math.ceil(count)}`);

  const rows: readonly Row[] = [
    ['worker', 'busy cores', workerCores, 'cores', `${round(worker)} µs an event x ${rate}/s`],
    ['worker', 'processes', workers, 'processes', ONE_CORE_EACH],
    [
      ...(['PostgreSQL', 'busy cores', postgresCores, 'cores'] as const),
      `${round(postgres)} µs an event with ${round(rowsAnEvent)} rows of figures, and ${requests} pages/s`,
    ],
    ['PostgreSQL', 'cores', postgresCores / TARGET_USE, 'cores', HALF_BUSY],
    ['PostgreSQL', 'servers', servers, 'servers', `by ${byWhat.join(', ')}`],
    [
      // Corrections reach a day of the ledger.
      ...(['PostgreSQL', 'memory for what is busy', figuresBytes + ledgerBytesPerDay, 'bytes'] as const),
      `structure versions, swollen by ${costs.swelling}, and a day of the ledger`,
    ],
    [
      ...(['PostgreSQL', 'connections'] as const),
      workers * CONNECTIONS_A_WORKER + apis * CONNECTIONS_AN_API,
      ...(['connections', `${CONNECTIONS_A_WORKER} a worker, ${CONNECTIONS_AN_API} an API`] as const),
    ],
    [
      ...(['Redis', 'busy cores', redisCores, 'cores'] as const),
      `${round(redis)} µs an event; one core is all that one node uses`,
    ],
    [
      ...(['Redis', 'memory for what waits'] as const),
      rate * load.outageSeconds * costs.waitingEventBytes,
      'bytes',
      `${costs.waitingEventBytes} bytes an event for ${load.outageSeconds} s without the database`,
    ],
    ['API', 'busy cores', apiCores, 'cores', `${round(costs.requestMicroseconds)} µs a page of 80`],
    ['API', 'processes', apis, 'processes', ONE_CORE_EACH],
    ['disk', 'ledger a day', ledgerBytesPerDay, 'bytes', `${costs.operationBytes} bytes an operation`],
    [
      ...(['disk', 'all of it', storedBytes, 'bytes'] as const),
      `${load.keptDays} days of the ledger and the structure versions`,
    ],
    [
      ...(['disk', 'log', logBytesPerSecond, 'bytes/s'] as const),
      `${round(logBytes)} bytes an event and ${round(wholePageBytes)} of whole pages`,
    ],
    [
      ...(['disk', 'log a day', (logBytes + wholePageBytes) * load.eventsPerDay, 'bytes'] as const),
      'what an archive for recovery to a moment holds',
    ],
    [
      ...(['network', 'through Redis', 3 * rate * costs.eventBytes, 'bytes/s'] as const),
      `${costs.eventBytes} bytes an event in, out, and to PostgreSQL`,
    ],
    [
      ...(['network', 'from the API', requests * costs.pageBytes, 'bytes/s'] as const),
      `${costs.pageBytes} bytes a page, not compressed`,
    ],
    [
      ...(['freshness', 'at the end of a burst'] as const),
      (Math.max(0, load.burst * rate - pace) * load.burstSeconds) / pace,
      'seconds',
      `${load.burst} times as much for ${load.burstSeconds} s, at all that is planned`,
    ],
  ];
  const advice: readonly (readonly [applies: boolean, sentence: string])[] = [
    [
      redisCores > TARGET_USE,
      'One Redis node is too busy: publish in batches, or give each group of companies a Redis and workers of its own.',
    ],
    [
      servers > 1,
      `One PostgreSQL server is not enough: spread the companies over ${servers * NODES_A_SERVER} nodes of a Citus cluster (takt cluster init), of which each carries half of what a single server does, or give groups of companies databases of their own.`,
    ],
    [
      isSerial(load, events, postgres),
      'The transactions of one company wait for each other, for its structure versions are few and its events many: no machine helps beyond one core for each company.',
    ],
    [!load.inBatches, 'Each event alone costs four times as much in the worker: publish in batches.'],
    [storedBytes > 1e12, 'Prune: the ledger alone is above a terabyte.'],
  ];
  return {
    needs: rows.map(([part, what, amount, unit, how]) => ({ part, what, amount, unit, how })),
    advice: advice.filter(([applies]) => applies).map(([, sentence]) => sentence),
  };
}

type Row = readonly [part: Need['part'], what: string, amount: number, unit: Need['unit'], how: string];

/**
 * Where two transactions of a company mostly have some row in common, they run one after the other, and one core is all
 * that the company can have.
 */
function isSerial(load: Load, events: number, postgresMicroseconds: number): boolean {
  const versions = load.structureVersions / load.companies;
  const coresOfCompany = (load.eventsPerSecond * postgresMicroseconds) / 1e6 / load.companies;
  return met(versions, events) ** 2 / versions >= 1 && coresOfCompany > TARGET_USE;
}

/** The cost of an event in PostgreSQL, in µs, where a transaction takes in so many of them. */
export function statementMicroseconds(
  structureVersions: number,
  events: number,
  costs: MeasuredCosts,
): number {
  const { ledgerMicroseconds, figuresMicroseconds, figuresMicrosecondsPerDecade } = costs;
  const row = figuresMicroseconds + figuresMicrosecondsPerDecade * decadesAbove(structureVersions);
  return ledgerMicroseconds + (met(structureVersions, events) / events) * row;
}

/** How often there are ten times as many structure versions as the cost of a row was measured at. */
export function decadesAbove(structureVersions: number): number {
  return Math.max(0, Math.log10(structureVersions / VERSIONS_OF_BASE_COST));
}

/**
 * How many of `all` things are met by so many picks that are evenly distributed, for what is picked twice counts once: rows
 * of figures that the events of a transaction change, pages that changes touch between two checkpoints.
 */
export function met(all: number, picks: number): number {
  // expm1: of ten million versions a batch meets a share that 1 - (1 - 1/n)^k would round away.
  return all === 0 ? 0 : -all * Math.expm1(-picks / all);
}

function round(value: number): string {
  return Number(value.toPrecision(3)).toString();
}
