/**
 * Measured costs. Times are CPU time on one of two shared virtual cores (x86-64, 2026-11); a dedicated core needs half
 * to two thirds of it. Bytes are those of the current schema. `npm run bench:capacity` measures all of them again and
 * prints them next to these.
 */
export interface MeasuredCosts {
  /** Worker, per event, in batch jobs of 500. */
  readonly workerMicroseconds: number;
  /** Redis, per event, in batch jobs of 500: added, claimed and acknowledged. */
  readonly redisMicroseconds: number;
  /** PostgreSQL, per event: the change of the ledger. */
  readonly ledgerMicroseconds: number;
  /**
   * PostgreSQL, per changed row of figures in a transaction, with its indexes and month, for a few thousand structure
   * versions.
   */
  readonly figuresMicroseconds: number;
  /**
   * Added to figuresMicroseconds for each factor of ten in structure versions: indexes are deeper and a smaller part is
   * cached.
   */
  readonly figuresMicrosecondsPerDecade: number;
  /** Factors for the times of worker, Redis and PostgreSQL above if each event is a job of its own. */
  readonly singleJobs: { readonly worker: number; readonly redis: number; readonly postgres: number };
  /** Write-ahead log per event, without full-page images. */
  readonly ledgerLogBytes: number;
  /** Write-ahead log per changed row of figures with its month, without full-page images. */
  readonly figuresLogBytes: number;
  /** An operation in the ledger with its indexes. */
  readonly operationBytes: number;
  /** A structure version with its product, search text, months in generated events, and all indexes; without bloat. */
  readonly structureVersionBytes: number;
  /** Growth of the table of structure versions and its indexes between two runs of `takt maintain`, as a factor. */
  readonly swelling: number;
  /** An event as JSON. */
  readonly eventBytes: number;
  /** A waiting event in Redis, in a batch job of 500. */
  readonly waitingEventBytes: number;
  /** API, per page of 80 as JSON. */
  readonly requestMicroseconds: number;
  /** PostgreSQL, per such page, in any order, from memory. */
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
