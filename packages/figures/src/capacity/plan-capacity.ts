import { aggregatedProductionTimes, queryFieldsOf } from '@takt/catalogue/resources';
import type { MeasuredCosts } from './measured-costs.js';

/** The load for which resources are planned. */
export interface Load {
  /** Average number of events per second during production. */
  readonly eventsPerSecond: number;
  /** Number of structure versions that lists show, in all companies together. */
  readonly structureVersions: number;
  readonly eventsPerDay: number;
  /** Number of different operations per day, by which the ledger grows. */
  readonly operationsPerDay: number;
  /** Number of days until operations are pruned. */
  readonly keptDays: number;
  /** Factor by which the peak load exceeds the average, and the duration of the peak. */
  readonly burst: number;
  readonly burstSeconds: number;
  /** Number of pages that are requested from the API per second. */
  readonly requestsPerSecond: number;
  /** True if producers send batches of some 500 events, false if they send single events. */
  readonly inBatches: boolean;
  /** Duration of the longest outage of the database during which Redis keeps all events. */
  readonly outageSeconds: number;
  readonly companies: number;
}

/** A resource that the load requires. */
export interface Need {
  readonly part: 'worker' | 'PostgreSQL' | 'Redis' | 'API' | 'disk' | 'network' | 'freshness';
  readonly what: string;
  readonly amount: number;
  readonly unit: 'cores' | 'processes' | 'servers' | 'connections' | 'bytes' | 'bytes/s' | 'seconds';
  /** Text that shows how the need was calculated from the load and the measured costs. */
  readonly how: string;
}

export interface CapacityPlan {
  readonly needs: readonly Need[];
  /** Further needs of the load, with one sentence for each. */
  readonly advice: readonly string[];
}

/**
 * Share of each resource that the average load may use. The rest is left for bursts, vacuum, checkpoints and backups.
 */
const TARGET_USE = 0.5;
const HALF_BUSY = `${TARGET_USE * 100} % busy`;
const ONE_CORE_EACH = `one core each, ${HALF_BUSY}, at least 2`;

/**
 * Number of sortable fields in the list of figures that have an index. Every change of a row updates these indexes. The
 * index of keys is left out, because a company with numbers has no entries in it.
 */
const ORDERS = [...queryFieldsOf(aggregatedProductionTimes).values()].filter(
  ({ isUnindexed, sorting }) => !isUnindexed && sorting === undefined,
).length;

/**
 * Number of pages that change when a row of figures changes: one page in the table, and one page in each index (primary
 * key, product, and one index per sortable field).
 */
export const PAGES_A_ROW = 3 + ORDERS;

const PAGE_BYTES = 8_192;
/**
 * Time between two checkpoints. max_wal_size must be large enough for it. The default of 5 minutes would write more
 * full-page images.
 */
const CHECKPOINT_SECONDS = 1_800;
/**
 * Factor by which compression shrinks a page in the write-ahead log. It assumes wal_compression = lz4 or zstd, and
 * index pages that are half full.
 */
const PAGE_COMPRESSION = 0.4;
/**
 * Number of structure versions with which the cost of changing a row was measured. With fewer structure versions the
 * cost is not lower.
 */
const VERSIONS_OF_BASE_COST = 3_000;
const [CONNECTIONS_A_WORKER, CONNECTIONS_AN_API] = [5, 10];
/** Limits of one server. A load that exceeds them needs several servers. */
const SERVER = { cores: 32, logBytesPerSecond: 200e6, diskBytes: 8e12 };
/**
 * Number of cluster nodes that replace one server. In measurements, an event cost a node up to twice as much as a
 * single server (docs/operating/scale.md).
 */
const NODES_A_SERVER = 2;

/**
 * Computes the needs of a load by multiplying its rates by the measured costs. It assumes that all structure versions
 * are equally busy, which is the worst case for log and memory.
 */
export function planCapacity(load: Load, costs: MeasuredCosts): CapacityPlan {
  const use = useOf(load, costs);
  return { needs: needsOf(load, costs, use), advice: adviceFor(load, use) };
}

type Use = ReturnType<typeof useOf>;

/** Computes how much of each resource the load uses: cores, bytes, and the processes and servers that provide them. */
function useOf(load: Load, costs: MeasuredCosts) {
  const { eventsPerSecond: rate, structureVersions: versions, requestsPerSecond: requests } = load;
  const single = load.inBatches ? { worker: 1, redis: 1, postgres: 1 } : costs.singleJobs;
  // Number of events per transaction under load.
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

  const serversBy = {
    [`${SERVER.cores} cores`]: postgresCores / TARGET_USE / SERVER.cores,
    [`${SERVER.logBytesPerSecond / 1e6} MB/s of log`]: logBytesPerSecond / SERVER.logBytesPerSecond,
    [`${SERVER.diskBytes / 1e12} TB of disk, half full`]: storedBytes / TARGET_USE / SERVER.diskBytes,
  };
  const servers = Math.max(1, ...Object.values(serversBy).map(Math.ceil));
  return {
    ...{ events, rowsAnEvent, worker, redis, postgres },
    ...{ workerCores, redisCores, postgresCores, apiCores, workers, apis, servers, serversBy },
    ...{ figuresBytes, ledgerBytesPerDay, storedBytes, logBytes, wholePageBytes, logBytesPerSecond },
  };
}

function needsOf(load: Load, costs: MeasuredCosts, use: Use): readonly Need[] {
  const { eventsPerSecond: rate, requestsPerSecond: requests } = load;
  const { rowsAnEvent, worker, redis, postgres, workers, apis, servers } = use;
  const { workerCores, redisCores, postgresCores, apiCores } = use;
  const { figuresBytes, ledgerBytesPerDay, storedBytes, logBytes, wholePageBytes, logBytesPerSecond } = use;
  const pace = rate / TARGET_USE;
  const byWhat = Object.entries(use.serversBy).map(([by, count]) => `${by}: ${Math.ceil(count)}`);
  const rows: readonly Row[] = [
    ['worker', 'busy cores', workerCores, 'cores', `${round(worker)} µs per event x ${rate}/s`],
    ['worker', 'processes', workers, 'processes', ONE_CORE_EACH],
    [
      ...(['PostgreSQL', 'busy cores', postgresCores, 'cores'] as const),
      `${round(postgres)} µs per event with ${round(rowsAnEvent)} rows of figures, and ${requests} pages/s`,
    ],
    ['PostgreSQL', 'cores', postgresCores / TARGET_USE, 'cores', HALF_BUSY],
    ['PostgreSQL', 'servers', servers, 'servers', `by ${byWhat.join(', ')}`],
    [
      // The ledger contributes only one day of operations, because corrections concern recent operations.
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
      `${round(redis)} µs per event; one core is all that one node uses`,
    ],
    [
      ...(['Redis', 'memory for what waits'] as const),
      rate * load.outageSeconds * costs.waitingEventBytes,
      'bytes',
      `${costs.waitingEventBytes} bytes per event for ${load.outageSeconds} s without the database`,
    ],
    ['API', 'busy cores', apiCores, 'cores', `${round(costs.requestMicroseconds)} µs per page of 80`],
    ['API', 'processes', apis, 'processes', ONE_CORE_EACH],
    ['disk', 'ledger a day', ledgerBytesPerDay, 'bytes', `${costs.operationBytes} bytes per operation`],
    [
      ...(['disk', 'all of it', storedBytes, 'bytes'] as const),
      `${load.keptDays} days of the ledger and the structure versions`,
    ],
    [
      ...(['disk', 'log', logBytesPerSecond, 'bytes/s'] as const),
      `${round(logBytes)} bytes per event and ${round(wholePageBytes)} of full-page images`,
    ],
    [
      ...(['disk', 'log a day', (logBytes + wholePageBytes) * load.eventsPerDay, 'bytes'] as const),
      'size of an archive for point-in-time recovery',
    ],
    [
      ...(['network', 'through Redis', 3 * rate * costs.eventBytes, 'bytes/s'] as const),
      `${costs.eventBytes} bytes per event in, out, and to PostgreSQL`,
    ],
    [
      ...(['network', 'from the API', requests * costs.pageBytes, 'bytes/s'] as const),
      `${costs.pageBytes} bytes per page, not compressed`,
    ],
    [
      ...(['freshness', 'at the end of a burst'] as const),
      (Math.max(0, load.burst * rate - pace) * load.burstSeconds) / pace,
      'seconds',
      `${load.burst} times as much for ${load.burstSeconds} s, at all that is planned`,
    ],
  ];
  return rows.map(([part, what, amount, unit, how]) => ({ part, what, amount, unit, how }));
}

function adviceFor(load: Load, use: Use): readonly string[] {
  const { redisCores, servers, storedBytes } = use;
  const advice: readonly (readonly [applies: boolean, sentence: string])[] = [
    [
      redisCores > TARGET_USE,
      'One Redis node is too busy: publish in batches, or give each group of companies a Redis and workers of its own.',
    ],
    [
      servers > 1,
      `One PostgreSQL server is not enough: spread the companies over ${servers * NODES_A_SERVER} nodes of a Citus cluster (takt cluster init; each node carries half of what a single server does), or give groups of companies databases of their own.`,
    ],
    [
      isSerial(load, use.events, use.postgres),
      'The transactions of one company wait for each other, because it has few structure versions and many events: no machine helps beyond one core for each company.',
    ],
    [!load.inBatches, 'Each event alone costs four times as much in the worker: publish in batches.'],
    [storedBytes > 1e12, 'Prune: the ledger alone is above a terabyte.'],
  ];
  return advice.filter(([applies]) => applies).map(([, sentence]) => sentence);
}

type Row = readonly [part: Need['part'], what: string, amount: number, unit: Need['unit'], how: string];

/**
 * Returns true if a company can use only one core and needs more than one. A company can use only one core if most
 * pairs of its transactions change a common row, because then they run one after the other.
 */
function isSerial(load: Load, events: number, postgresMicroseconds: number): boolean {
  const versions = load.structureVersions / load.companies;
  const coresOfCompany = (load.eventsPerSecond * postgresMicroseconds) / 1e6 / load.companies;
  return met(versions, events) ** 2 / versions >= 1 && coresOfCompany > TARGET_USE;
}

/** Returns the cost of an event in PostgreSQL, in µs, if a transaction has this many events. */
export function statementMicroseconds(
  structureVersions: number,
  events: number,
  costs: MeasuredCosts,
): number {
  const { ledgerMicroseconds, figuresMicroseconds, figuresMicrosecondsPerDecade } = costs;
  const row = figuresMicroseconds + figuresMicrosecondsPerDecade * decadesAbove(structureVersions);
  return ledgerMicroseconds + (met(structureVersions, events) / events) * row;
}

/** Returns how many factors of ten the number is above VERSIONS_OF_BASE_COST. */
export function decadesAbove(structureVersions: number): number {
  return Math.max(0, Math.log10(structureVersions / VERSIONS_OF_BASE_COST));
}

/**
 * Returns the expected number of distinct things after this many random picks among `all` things. The things are the
 * rows that the events of a transaction change, or the pages that change between two checkpoints.
 */
export function met(all: number, picks: number): number {
  // expm1 is used, because with ten million structure versions 1 - (1 - 1/n)^k would lose a small share to rounding.
  return all === 0 ? 0 : -all * Math.expm1(-picks / all);
}

function round(value: number): string {
  return Number(value.toPrecision(3)).toString();
}
