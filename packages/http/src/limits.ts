/** A body up to this size needs no room; it counts as memory of its connection. */
export const SMALL_BODY_BYTES = 65_536;

/** Behind a few proxies a browser's request has some 40 headers. */
export const MAX_HEADERS = 100;

/** Limits of sizes, numbers and times. The defaults fit a machine with 512 MB. */
export interface HttpLimits {
  /** Request line and headers together. */
  readonly maxHeaderBytes: number;
  /** Maximum time from the first to the last byte of a request, and from connecting to the end of the headers. */
  readonly requestTimeoutMs: number;
  /** Interval at which the timeout of requests is checked. */
  readonly requestTimeoutCheckMs: number;
  /** Maximum time that an idle connection stays open. */
  readonly keepAliveTimeoutMs: number;
  /** Maximum time for which a client may stop reading an answer. */
  readonly stalledClientTimeoutMs: number;
  /** Above it, the longest idle connection is closed. */
  readonly maxConnections: number;
  /** Per remote address; trusted proxies are exempt. */
  readonly maxConnectionsPerAddress: number;
  /** Maximum memory of unread answers, and of the requests that wait behind them, over all connections. */
  readonly maxHeldBytes: number;
  /** Maximum number of running and waiting requests. */
  readonly maxInFlight: number;
  /**
   * Maximum number of running and waiting requests per client address; the address may use the same share of
   * `maxRunning`.
   */
  readonly maxInFlightPerAddress: number;
  /** Twice the number of database connections, since about half of the requests query the database. */
  readonly maxRunning: number;
  /** A request with a longer estimated wait is refused at once. */
  readonly maxWaitMs: number;
  /** Deadline of an answer, counted from the first byte of the request. After it the answer is databaseUnavailable. */
  readonly answerDeadlineMs: number;
  /** Maximum time that `close` waits for running answers. */
  readonly closeDeadlineMs: number;
  /** Memory for larger bodies and for unpacking; when it is used up, bodies wait. */
  readonly maxBodiesBytes: number;
  /** Larger unused bodies close their connection instead of being read. */
  readonly maxIgnoredBodyBytes: number;
  /** Smaller answers are not compressed. */
  readonly compressAboveBytes: number;
}

export const defaultHttpLimits: HttpLimits = {
  // Room for the longest $filter, with a third of it percent-encoded.
  maxHeaderBytes: 32_768,
  requestTimeoutMs: 10_000,
  requestTimeoutCheckMs: 1_000,
  // Longer than the usual 60 s of load balancers: no request is lost if the load balancer closes the connection first.
  keepAliveTimeoutMs: 65_000,
  stalledClientTimeoutMs: 30_000,
  maxConnections: 2_000,
  // Half of all connections: one address cannot shut out the others, and a proxy can still use the whole throughput,
  // because far fewer requests keep the database busy.
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
