/**
 * The measured costs of events and requests. Times are CPU time on one of two shared virtual cores (x86-64, 2026-11); a
 * dedicated core needs half to two thirds of it. Bytes are those of the current schema. `npm run bench:capacity`
 * measures all costs again and prints the results next to these values.
 */
export interface MeasuredCosts {
  /** CPU time of the worker for an event, in batch jobs of 500. */
  readonly workerMicroseconds: number;
  /** CPU time of Redis for an event that is added, claimed and acknowledged, in batch jobs of 500. */
  readonly redisMicroseconds: number;
  /** CPU time of PostgreSQL for an event: the change of the ledger. */
  readonly ledgerMicroseconds: number;
  /**
   * CPU time of PostgreSQL for each row of figures that a transaction changes, with the indexes and the month of the
   * row. Measured with a few thousand structure versions.
   */
  readonly figuresMicroseconds: number;
  /**
   * Time that is added to figuresMicroseconds for each factor of ten in the number of structure versions, because the
   * indexes are deeper and a smaller part of them is cached.
   */
  readonly figuresMicrosecondsPerDecade: number;
  /**
   * If each event is a job of its own, the times of worker, Redis and PostgreSQL above are multiplied by these factors.
   */
  readonly singleJobs: { readonly worker: number; readonly redis: number; readonly postgres: number };
  /** Bytes of the write-ahead log for an event, without full-page images. */
  readonly ledgerLogBytes: number;
  /** Bytes of the write-ahead log for each changed row of figures and its month, without full-page images. */
  readonly figuresLogBytes: number;
  /** Bytes that an operation takes in the ledger, including indexes. */
  readonly operationBytes: number;
  /**
   * Bytes that a structure version takes with its product, its search text, its months in generated events and all
   * indexes. Bloat is not included.
   */
  readonly structureVersionBytes: number;
  /** Factor by which the table of structure versions and its indexes grow between two runs of `takt maintain`. */
  readonly swelling: number;
  /** Size of an event as JSON. */
  readonly eventBytes: number;
  /** Bytes that a waiting event takes in Redis, in a batch job of 500. */
  readonly waitingEventBytes: number;
  /** CPU time of the API for a page of 80 as JSON. */
  readonly requestMicroseconds: number;
  /** CPU time of PostgreSQL for such a page, in any order, if the data are in memory. */
  readonly requestPostgresMicroseconds: number;
  /** Size of a page of 80 as JSON, before compression. */
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
  operationBytes: 260,
  structureVersionBytes: 2_770,
  swelling: 2,
  eventBytes: 370,
  waitingEventBytes: 400,
  requestMicroseconds: 2_700,
  requestPostgresMicroseconds: 1_300,
  pageBytes: 82_000,
};
