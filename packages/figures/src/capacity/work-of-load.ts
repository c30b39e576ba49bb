import { aggregatedProductionTimes, queryFieldsOf } from '@takt/catalogue/resources';
import type { MeasuredCosts } from './measured-costs.js';

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

/** What a load keeps busy and leaves behind. Costs and bytes are those of an event, unless their names say more. */
export type Work = ReturnType<typeof workOf>;

/** Rate times cost, of everything. */
export function workOf(load: Load, costs: MeasuredCosts) {
  const { eventsPerSecond: rate, structureVersions, requestsPerSecond } = load;
  const single = load.inBatches ? { worker: 1, redis: 1, postgres: 1 } : costs.singleJobs;
  const events = eventsPerTransaction(load);
  const rowsAnEvent = met(structureVersions, events) / events;
  const workerMicroseconds = costs.workerMicroseconds * single.worker;
  const redisMicroseconds = costs.redisMicroseconds * single.redis;
  const postgresMicroseconds = statementMicroseconds(structureVersions, events, costs) * single.postgres;
  const figuresBytes = structureVersions * costs.structureVersionBytes * costs.swelling;
  const ledgerBytesPerDay = load.operationsPerDay * costs.operationBytes;
  const touches = rate * rowsAnEvent * PAGES_A_ROW * CHECKPOINT_SECONDS;
  const wholePages = met(figuresBytes / PAGE_BYTES, touches);
  const wholePageBytesPerSecond = (wholePages * PAGE_BYTES * PAGE_COMPRESSION) / CHECKPOINT_SECONDS;
  const logBytes = costs.ledgerLogBytes + rowsAnEvent * costs.figuresLogBytes;
  return {
    rowsAnEvent,
    workerMicroseconds,
    redisMicroseconds,
    postgresMicroseconds,
    workerCores: (rate * workerMicroseconds) / 1e6,
    redisCores: (rate * redisMicroseconds) / 1e6,
    postgresCores:
      (rate * postgresMicroseconds + requestsPerSecond * costs.requestPostgresMicroseconds) / 1e6,
    apiCores: (requestsPerSecond * costs.requestMicroseconds) / 1e6,
    // Corrections reach a day of the ledger.
    hotBytes: figuresBytes + ledgerBytesPerDay,
    storedBytes: figuresBytes + load.keptDays * ledgerBytesPerDay,
    ledgerBytesPerDay,
    logBytes,
    wholePageBytes: wholePageBytesPerSecond / rate,
    logBytesPerSecond: rate * logBytes + wholePageBytesPerSecond,
  };
}

/** Of PostgreSQL, an event, where a transaction takes in so many of them. */
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

/** Events that a transaction takes in while there is enough to do, as a worker under load collects them. */
export function eventsPerTransaction({ inBatches }: Load): number {
  return inBatches ? 1_000 : 100;
}

/**
 * How many of `all` things are met by so many picks that are evenly distributed, for what is picked twice counts once: rows
 * of figures that the events of a transaction change, pages that changes touch between two checkpoints.
 */
export function met(all: number, picks: number): number {
  // expm1: of ten million versions a batch meets a share that 1 - (1 - 1/n)^k would round away.
  return all === 0 ? 0 : -all * Math.expm1(-picks / all);
}
