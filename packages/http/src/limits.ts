/** A body up to this size waits for no room; its bytes count as what its connection holds. */
export const SMALL_BODY_BYTES = 65_536;

/** A request with more headers is refused. Behind a few proxies, the request of a browser has some 40. */
export const MAX_HEADERS = 100;

/** Bounds of sizes, numbers and times; each has a default that fits a machine with 512 MB. */
export interface HttpLimits {
  /** Request line and headers together. */
  readonly maxHeaderBytes: number;
  /** From the first byte of a request to its last; also from connecting to the last byte of the headers. */
  readonly requestTimeoutMs: number;
  /** How often the above is checked. */
  readonly requestTimeoutCheckMs: number;
  /** How long a connection is kept for its next request. */
  readonly keepAliveTimeoutMs: number;
  /** How long a client may take nothing of an answer that is being sent. */
  readonly stalledClientTimeoutMs: number;
  /** One more makes room by ending the connection that has done nothing for longest. */
  readonly maxConnections: number;
  /** From one remote address, unless that is a trusted proxy. */
  readonly maxConnectionsPerAddress: number;
  /** Answers that clients do not take, and requests behind them, over all connections. */
  readonly maxHeldBytes: number;
  /** Requests in work or waiting for it, at a time. */
  readonly maxInFlight: number;
  /** From the address of one client, which has the same share of `maxRunning`. */
  readonly maxInFlightPerAddress: number;
  /** Requests in work at a time: half of them asks the database, whose connections these are twice. */
  readonly maxRunning: number;
  /** A request that would wait longer for its turn is refused at once. */
  readonly maxWaitMs: number;
  /** From the first byte of a request to its answer; answered with databaseUnavailable after that. */
  readonly answerDeadlineMs: number;
  /** How long `close` waits for running answers. */
  readonly closeDeadlineMs: number;
  /** For larger bodies, and for what smaller ones expand to, at a time; the next ones wait. */
  readonly maxBodiesBytes: number;
  /** Any other body is never used; one up to this size is read, so that its connection can be kept. */
  readonly maxIgnoredBodyBytes: number;
  /** Smaller answers are not compressed. */
  readonly compressAboveBytes: number;
}

export const defaultHttpLimits: HttpLimits = {
  // Room for a $filter as long as it may be, of which a third is percent encoded.
  maxHeaderBytes: 32_768,
  requestTimeoutMs: 10_000,
  requestTimeoutCheckMs: 1_000,
  // Longer than the 60 s for which load balancers commonly keep a connection: whoever closes second loses a request.
  keepAliveTimeoutMs: 65_000,
  stalledClientTimeoutMs: 30_000,
  maxConnections: 2_000,
  // Half of the whole, and below half of the requests: one address cannot shut the others out, and through a proxy all of
  // the throughput is still to be had, because far fewer requests keep the database busy.
  maxConnectionsPerAddress: 1_000,
  maxHeldBytes: 10_000_000,
  maxInFlight: 200,
  maxInFlightPerAddress: 150,
  maxRunning: 16,
  maxWaitMs: 250,
  // An answer is promised within 3 s.
  answerDeadlineMs: 2_800,
  closeDeadlineMs: 5_000,
  maxBodiesBytes: 16_000_000,
  maxIgnoredBodyBytes: 65_536,
  compressAboveBytes: 2_048,
};
