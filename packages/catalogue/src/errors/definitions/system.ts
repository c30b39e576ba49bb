import type { ErrorDefinitions } from '../error-definition.js';

/** The errors of the service and of the HTTP layer. Their identifiers are 100000 to 100099. */
export const systemErrors = {
  resourceNotFound: {
    errorMessageId: 100000,
    status: 404,
    namespace: 'system',
    parameters: ['verb', 'path'],
    technicalDescription:
      'No resource has this path, or the resource does not accept this method. Resources are read with GET and HEAD; compare the path with the description of the interface.',
    text: 'There is no resource for {0} {1}. Check the path; resources answer to GET and HEAD only.',
  },
  internalError: {
    errorMessageId: 100001,
    status: 500,
    namespace: 'system',
    parameters: [],
    technicalDescription:
      'A fault of the service that no request should cause. Its details are in the log of the service under the X-Request-Id of the response; report that value.',
    text: 'Something went wrong on our side. Try again; if it happens again, report the X-Request-Id of this response.',
  },
  overloaded: {
    errorMessageId: 100002,
    status: 500,
    namespace: 'system',
    parameters: [],
    technicalDescription:
      'The service has the maximum of running and waiting requests. Nothing was done; repeat the request after the seconds of the Retry-After header.',
    retryAfterSeconds: 1,
    text: 'The service is overloaded right now. Try again after the time given in Retry-After.',
  },
  databaseUnavailable: {
    errorMessageId: 100003,
    status: 500,
    namespace: 'system',
    parameters: [],
    technicalDescription:
      'The database did not answer in time or could not be reached. Nothing was done; repeat the request after the seconds of the Retry-After header.',
    retryAfterSeconds: 2,
    text: 'The database is not answering right now. Try again after the time given in Retry-After.',
  },
  malformedRequest: {
    errorMessageId: 100004,
    status: 400,
    namespace: 'system',
    parameters: [],
    technicalDescription:
      'The data are not an HTTP/1.1 request, for example because of an invalid request line or header. The connection is closed after the response; correct the request and use a new one.',
    text: 'The HTTP request could not be read. Check its request line and headers, then send it again.',
  },
  headerTooLarge: {
    errorMessageId: 100005,
    status: 400,
    namespace: 'system',
    parameters: ['limit'],
    technicalDescription:
      'The request line and the headers together are larger than the limit, in bytes. The connection is closed after the response; shorten the URL or the headers and use a new one.',
    text: 'The URL and headers of the request are larger than {0} bytes. Shorten the URL, or send fewer or shorter headers.',
  },
  requestTimeout: {
    errorMessageId: 100006,
    status: 400,
    namespace: 'system',
    parameters: ['seconds'],
    technicalDescription:
      'The request did not arrive completely within its time, in seconds. The connection is closed after the response; send the request again on a new one.',
    text: 'The request did not arrive completely within {0} s. Send it again on a new connection.',
  },
  shuttingDown: {
    errorMessageId: 100007,
    status: 500,
    namespace: 'system',
    parameters: [],
    technicalDescription:
      'This instance of the service is being stopped and takes no new requests. Nothing was done; repeat the request on a new connection after the seconds of the Retry-After header.',
    retryAfterSeconds: 1,
    text: 'The service is shutting down. Try again after the time given in Retry-After.',
  },
  requestBudgetSpent: {
    errorMessageId: 100008,
    status: 500,
    namespace: 'system',
    parameters: [],
    technicalDescription:
      'So much time had passed since the first byte of the request that it could no longer be answered within 3 seconds: it arrived slowly, or waited for its turn. Nothing was done; repeat the request after the seconds of the Retry-After header.',
    retryAfterSeconds: 1,
    text: 'The time for this request had passed before it could be begun. Try again after the time given in Retry-After.',
  },
  hostHeaders: {
    errorMessageId: 100009,
    status: 400,
    namespace: 'system',
    parameters: ['count'],
    technicalDescription:
      'An HTTP/1.1 request has exactly one Host header (RFC 9112, section 3.2), so that all servers on its way agree on its target. The connection is closed after the response; correct the request and use a new one.',
    text: 'The request has {0} Host headers, and HTTP/1.1 asks for exactly one. Send one, then try again.',
  },
  tooManyHeaders: {
    errorMessageId: 100010,
    status: 400,
    namespace: 'system',
    parameters: ['limit'],
    technicalDescription:
      'The request has more headers than the limit. The connection is closed after the response; leave out headers and use a new one.',
    text: 'The request has more than {0} headers. Send fewer, then try again.',
  },
  chunksTooSmall: {
    errorMessageId: 100011,
    status: 400,
    namespace: 'system',
    parameters: [],
    isObsolete: true,
    technicalDescription:
      'Takt 1.0 refused bodies that came with Transfer-Encoding: chunked in more than 256 chunks of less than 16 bytes on average. Later versions accept them.',
    text: 'The body came in very many, very small chunks. Send it in larger chunks, or with Content-Length.',
  },
} as const satisfies ErrorDefinitions<'system'>;
