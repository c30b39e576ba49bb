/** Maximum number of headers of a request. Behind a few proxies, the request of a browser has some 40 headers. */
export const MAX_HEADERS = 100;

/**
 * Limits for sizes, numbers and times. The defaults suit a machine with 512 MB behind a proxy, which limits what a
 * single address may do.
 */
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
  /** Maximum number of connections. Further ones are closed. It is above the places that a proxy has for the app. */
  readonly maxConnections: number;
  /** Maximum number of running requests. */
  readonly maxRunning: number;
  /** Maximum number of running and waiting requests. */
  readonly maxInFlight: number;
  /** Maximum estimated wait of a request. A request with a longer estimated wait is refused at once. */
  readonly maxWaitMs: number;
  /**
   * Maximum time until an answer, counted from the end of the headers, or of a body that may arrive later. After this
   * time, the answer is databaseUnavailable.
   */
  readonly answerDeadlineMs: number;
  /** Maximum time that `close` waits for running answers. */
  readonly closeDeadlineMs: number;
  /** Memory for bodies of more than 64 KB. When all of it is used, further ones wait. */
  readonly maxBodiesBytes: number;
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
  // About half of the requests query the database, which has half as many connections.
  maxRunning: 16,
  maxInFlight: 200,
  maxWaitMs: 250,
  // The promise is an answer within 3 s.
  answerDeadlineMs: 2_800,
  closeDeadlineMs: 5_000,
  maxBodiesBytes: 16_000_000,
  compressAboveBytes: 2_048,
};
