/**
 * What Takt was measured to cost. Times are processor time on one of two shared virtual cores (x86-64, 2026-11), which a
 * core of one's own does in half to two thirds of it; bytes are those of the schema. `npm run bench:capacity` measures
 * all of them again and prints what it found beside what stands here.
 */
export interface MeasuredCosts {
  /** Of the worker, an event, in batch jobs of 500. */
  readonly workerMicroseconds: number;
  /** Of Redis, an event, in batch jobs of 500: taken in, handed out, acknowledged. */
  readonly redisMicroseconds: number;
  /** Of PostgreSQL, an event: into the ledger. */
  readonly ledgerMicroseconds: number;
  /** Of PostgreSQL, a row of figures that a transaction changes, with its orders and its month, of some thousand structure versions. */
  readonly figuresMicroseconds: number;
  /** What is added to that each time that there are ten times as many: indexes are deeper and less of them is at hand. */
  readonly figuresMicrosecondsPerDecade: number;
  /** Where each event is a job of its own: what the three above are multiplied by. */
  readonly singleJobs: { readonly worker: number; readonly redis: number; readonly postgres: number };
  /** Of the write-ahead log, an event, without whole pages. */
  readonly ledgerLogBytes: number;
  /** Of the write-ahead log, a row of figures that a transaction changes, and its month, without whole pages. */
  readonly figuresLogBytes: number;
  /** An operation in the ledger with its indexes. */
  readonly operationBytes: number;
  /** A structure version with its product, what it is found by, its months in generated events, and all indexes; packed. */
  readonly structureVersionBytes: number;
  /** By how much updates between two `takt maintain` swell the table of structure versions and its indexes, as a factor. */
  readonly swelling: number;
  /** An event as JSON. */
  readonly eventBytes: number;
  /** An event that waits in Redis, in a batch job of 500. */
  readonly waitingEventBytes: number;
  /** Of the API, a page of 80 as JSON. */
  readonly requestMicroseconds: number;
  /** Of PostgreSQL, the same, in any order, of what is in memory. */
  readonly requestPostgresMicroseconds: number;
  /** A page of 80 as JSON, before compression. */
  readonly pageBytes: number;
}

export const measuredCosts: MeasuredCosts = {
  workerMicroseconds: 25,
  redisMicroseconds: 3.5,
  ledgerMicroseconds: 10,
  figuresMicroseconds: 118,
  figuresMicrosecondsPerDecade: 34,
  singleJobs: { worker: 5, redis: 20, postgres: 1.7 },
  ledgerLogBytes: 350,
  figuresLogBytes: 3_300,
  operationBytes: 224,
  structureVersionBytes: 2_770,
  swelling: 2,
  eventBytes: 370,
  waitingEventBytes: 400,
  requestMicroseconds: 2_700,
  requestPostgresMicroseconds: 1_300,
  pageBytes: 82_000,
};
