import type { MeasuredCosts } from './measured-costs.js';
import { PAGES_A_ROW } from './pages-a-row.js';
import { decadesAbove, pagesTouched, rowsPerTransaction } from './touched.js';

/** What is asked of Takt. */
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
  /** Whether producers send batches of some 500 events or each event alone. */
  readonly inBatches: boolean;
  /** How long the database may be away while Redis keeps what arrives. */
  readonly outageSeconds: number;
  readonly companies: number;
}

/** So much of what there is may be used on average: the rest is for bursts, vacuum, checkpoints and backups. */
export const TARGET_USE = 0.5;

/** As a worker under load collects them. */
const EVENTS_PER_TRANSACTION = { inBatches: 1_000, alone: 100 };
const PAGE_BYTES = 8_192;
/** max_wal_size must allow it; the default of 5 minutes writes more whole pages. */
const CHECKPOINT_SECONDS = 1_800;
/** wal_compression = lz4 or zstd; of whole pages of indexes that are half full. */
const PAGE_COMPRESSION = 0.4;
/** Of the ledger that corrections reach, by days. */
const BUSY_LEDGER_DAYS = 1;

/** What it keeps busy and what it leaves behind. */
export interface Work {
  readonly rowsAnEvent: number;
  readonly workerMicroseconds: number;
  readonly redisMicroseconds: number;
  readonly postgresMicroseconds: number;
  readonly workerCores: number;
  readonly redisCores: number;
  readonly postgresCores: number;
  readonly apiCores: number;
  readonly hotBytes: number;
  readonly storedBytes: number;
  readonly ledgerBytesPerDay: number;
  readonly logBytes: number;
  /** A second. */
  readonly wholePageBytes: number;
  readonly logBytesPerSecond: number;
}

/** By the measured costs, of a load. */
export function workOf(load: Load, costs: MeasuredCosts): Work {
  const { eventsPerSecond: rate, structureVersions, requestsPerSecond } = load;
  const single = load.inBatches ? { worker: 1, redis: 1, postgres: 1 } : costs.singleJobs;
  const events = eventsPerTransaction(load);
  const rowsAnEvent = rowsPerTransaction(structureVersions, events) / events;
  const workerMicroseconds = costs.workerMicroseconds * single.worker;
  const redisMicroseconds = costs.redisMicroseconds * single.redis;
  const postgresMicroseconds = statementMicroseconds(structureVersions, events, costs) * single.postgres;
  const cores = (microseconds: number, perSecond = rate) => (microseconds * perSecond) / 1e6;
  const figuresBytes = structureVersions * costs.structureVersionBytes * costs.swelling;
  const ledgerBytesPerDay = load.operationsPerDay * costs.operationBytes;
  const touches = rate * rowsAnEvent * PAGES_A_ROW * CHECKPOINT_SECONDS;
  const wholePageBytes =
    (pagesTouched(figuresBytes / PAGE_BYTES, touches) * PAGE_BYTES * PAGE_COMPRESSION) / CHECKPOINT_SECONDS;
  const logBytes = costs.ledgerLogBytes + rowsAnEvent * costs.figuresLogBytes;
  return {
    rowsAnEvent,
    workerMicroseconds,
    redisMicroseconds,
    postgresMicroseconds,
    workerCores: cores(workerMicroseconds),
    redisCores: cores(redisMicroseconds),
    postgresCores: cores(postgresMicroseconds) + cores(costs.requestPostgresMicroseconds, requestsPerSecond),
    apiCores: cores(costs.requestMicroseconds, requestsPerSecond),
    hotBytes: figuresBytes + BUSY_LEDGER_DAYS * ledgerBytesPerDay,
    storedBytes: figuresBytes + load.keptDays * ledgerBytesPerDay,
    ledgerBytesPerDay,
    logBytes,
    wholePageBytes,
    logBytesPerSecond: rate * logBytes + wholePageBytes,
  };
}

/** Of PostgreSQL, an event, where a transaction takes in so many of them. */
export function statementMicroseconds(
  structureVersions: number,
  events: number,
  costs: MeasuredCosts,
): number {
  const { ledgerMicroseconds, figuresMicroseconds, figuresMicrosecondsPerDecade } = costs;
  const rowMicroseconds =
    figuresMicroseconds + figuresMicrosecondsPerDecade * decadesAbove(structureVersions);
  return ledgerMicroseconds + (rowsPerTransaction(structureVersions, events) / events) * rowMicroseconds;
}

/** Events that a transaction takes in while there is enough to do. */
export function eventsPerTransaction({ inBatches }: Load): number {
  return EVENTS_PER_TRANSACTION[inBatches ? 'inBatches' : 'alone'];
}

/**
 * Where two transactions of a company mostly have some row in common, they run one after the other, and one core is all
 * that the company can have.
 */
export function isSerial(load: Load, { postgresMicroseconds }: Work): boolean {
  const versions = load.structureVersions / load.companies;
  const rowsInCommon = rowsPerTransaction(versions, eventsPerTransaction(load)) ** 2 / versions;
  return (
    rowsInCommon >= 1 && (load.eventsPerSecond * postgresMicroseconds) / 1e6 / load.companies > TARGET_USE
  );
}
