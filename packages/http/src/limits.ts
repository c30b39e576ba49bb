/** Maximum size in bytes of a small body. A small body needs no room; it counts as memory of its connection. */
export const SMALL_BODY_BYTES = 65_536;

/** Maximum number of headers of a request. Behind a few proxies, the request of a browser has some 40 headers. */
export const MAX_HEADERS = 100;

/** Limits for sizes, numbers and times. The defaults suit a machine with 512 MB. */
export interface HttpLimits {
  /** Maximum size of the request line and all headers together. */
  readonly maxHeaderBytes: number;
  /** Maximum time from the first to the last byte of a request, and from connecting to the end of the headers. */
  readonly requestTimeoutMs: number;
  /** Interval between two checks for requests that exceed requestTimeoutMs. */
  readonly requestTimeoutCheckMs: number;
  /** Maximum time that an idle connection stays open. */
  readonly keepAliveTimeoutMs: number;
  /** Maximum time for which a client may stop reading an answer. */
  readonly stalledClientTimeoutMs: number;
  /** Maximum number of connections. When it is exceeded, the connection that has been idle longest is closed. */
  readonly maxConnections: number;
  /** Maximum number of connections from one remote address. Trusted proxies are exempt. */
  readonly maxConnectionsPerAddress: number;
  /**
   * Maximum memory of answers that clients have not read yet and of the requests that wait behind these answers, over
   * all connections.
   */
  readonly maxHeldBytes: number;
  /** Maximum number of running and waiting requests. */
  readonly maxInFlight: number;
  /**
   * Maximum number of running and waiting requests for one client address. An address may use the same share of
   * `maxRunning`.
   */
  readonly maxInFlightPerAddress: number;
  /**
   * Maximum number of running requests. The default is twice the number of database connections, because about half of
   * the requests query the database.
   */
  readonly maxRunning: number;
  /** Maximum estimated wait of a request. A request with a longer estimated wait is refused at once. */
  readonly maxWaitMs: number;
  /**
   * Maximum time until an answer, counted from the first byte of the request. After this time, the answer is
   * databaseUnavailable.
   */
  readonly answerDeadlineMs: number;
  /** Maximum time that `close` waits for running answers. */
  readonly closeDeadlineMs: number;
  /** Memory for larger bodies and for unpacking bodies. When all of it is used, further bodies wait. */
  readonly maxBodiesBytes: number;
  /** Maximum size of an unused body that is read. If an unused body is larger, its connection is closed instead. */
  readonly maxIgnoredBodyBytes: number;
  /** Answers of fewer bytes are not compressed. */
  readonly compressAboveBytes: number;
}

export const defaultHttpLimits: HttpLimits = {
  // The size has room for the longest $filter, of which a third is percent-encoded.
  maxHeaderBytes: 32_768,
  requestTimeoutMs: 10_000,
  requestTimeoutCheckMs: 1_000,
  // The timeout is longer than the usual 60 s of load balancers. So the load balancer closes an idle connection first,
  // and no request is lost.
  keepAliveTimeoutMs: 65_000,
  stalledClientTimeoutMs: 30_000,
  maxConnections: 2_000,
  // One address may have half of all connections. So it cannot shut out other addresses, and a proxy can still use the
  // whole throughput, because far fewer requests keep the database busy.
  maxConnectionsPerAddress: 1_000,
  maxHeldBytes: 10_000_000,
  maxInFlight: 200,
  maxInFlightPerAddress: 150,
  maxRunning: 16,
  maxWaitMs: 250,
  // The promise is an answer within 3 s.
  answerDeadlineMs: 2_800,
  closeDeadlineMs: 5_000,
  maxBodiesBytes: 16_000_000,
  maxIgnoredBodyBytes: 65_536,
  compressAboveBytes: 2_048,
};
