import { type IncomingMessage, METHODS, type Server, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError } from '@takt/catalogue/errors';
import { type ApiRequest, bodyOf, type WholeAnswer } from './answer.js';
import { breakBody } from './bodies.js';
import { chooseRequestId, pathWithoutTokens, readRequestTarget } from './http-request.js';
import { type HttpLimits, MAX_HEADERS } from './limits.js';

import type { Serving } from './request-record.js';

type RawAnswersOptions = Pick<
  Serving,
  'answerError' | 'fixedHeaders' | 'limits' | 'connections' | 'observer'
>;

interface EarlyError {
  readonly error: ServiceError;
  readonly request: ApiRequest;
  readonly method: string;
  readonly reason?: string | undefined;
}

/** Error code for a head with too many headers. It is used in addition to Node's own error codes. */
export const TOO_MANY_HEADERS = 'TAKT_TOO_MANY_HEADERS';
/**
 * Time for which a connection stays open after its last answer, so that a client that is still writing can read the
 * answer.
 */
const LINGER_MS = 1_000;

/**
 * Answers malformed requests. Node.js would use its own format, statuses and headers, or (for CONNECT) would not
 * answer. The connection closes after the answer. Upgrade needs no handling: without a listener, Node.js ignores the
 * header, as HTTP allows.
 */
export function answerUnreadable(server: Server, options: RawAnswersOptions): void {
  const { limits, connections } = options;
  const refused = new WeakSet<Socket>();
  server.on('clientError', (error: ParserError, socket: Socket) => {
    // Node.js reports the error again for each further piece on the connection.
    if (refused.has(socket) || socket.destroyed) return;
    refused.add(socket);
    const unfinished = connections.giveUp(socket);
    if (error.code === 'ECONNRESET' || socket.bytesRead === 0) {
      socket.destroy();
    }
    // The error is in the body of a request that has or will get its own answer, so nothing else is sent.
    else if (unfinished !== undefined) {
      breakBody(unfinished);
      connections.whenIdle(socket, () => finish(socket, ''));
    } else {
      const early = refuseUnreadable(error, socket, limits);
      connections.whenIdle(socket, () => refuse(socket, early, options));
    }
  });
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    connections.giveUp(socket);
    const early = refuseTunnel(request);
    connections.whenIdle(socket, () => refuse(socket, early, options));
  });
}

/** An error of Node's parser, with the last data and the number of bytes of these data that were parsed. */
interface ParserError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
  readonly bytesParsed?: number;
}

function refuseUnreadable(error: ParserError, socket: Socket, limits: HttpLimits): EarlyError {
  const common = {
    ...{ headers: {}, id: chooseRequestId(undefined), pathParameters: {} },
    address: socket.remoteAddress ?? '',
  };
  const reason = error.code ?? 'unknown';
  const unknown = readUnknownMethod(error);
  if (unknown !== undefined) {
    const { method, path, queryText } = unknown;
    const request = { ...common, path, queryText };
    return { error: new ServiceError('resourceNotFound', { verb: method, path }), request, method, reason };
  }
  const request = { ...common, path: '', queryText: '' };
  return { error: refusalOf(error.code, limits), request, method: '', reason };
}

const REQUEST_LINE = /^([!#$%&'*+.^_`|~\w-]{1,64}) (\S+) HTTP\/1\.[01]\r?$/;

/**
 * Reads the request line of a request whose method Node's parser does not know. Such a request gets the same error as a
 * request with a known method that the path does not accept. This works only if the whole line came in one piece;
 * otherwise the request counts as malformed.
 */
function readUnknownMethod({ rawPacket, bytesParsed = 0 }: ParserError) {
  if (rawPacket === undefined) return undefined;
  const begin = bytesParsed === 0 ? 0 : rawPacket.lastIndexOf('\n', bytesParsed - 1) + 1;
  const end = rawPacket.indexOf('\n', begin);
  if (end < 0) return undefined;
  const [, method = '', target = ''] = REQUEST_LINE.exec(rawPacket.toString('latin1', begin, end)) ?? [];
  return method === '' || METHODS.includes(method) ? undefined : { method, ...readRequestTarget(target) };
}

/** Returns the error of the API for an error code of Node.js. */
function refusalOf(code: string | undefined, limits: HttpLimits): ServiceError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ServiceError('headerTooLarge', { limit: String(limits.maxHeaderBytes) });
    case TOO_MANY_HEADERS:
      return new ServiceError('tooManyHeaders', { limit: String(MAX_HEADERS) });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ServiceError('requestTimeout', { seconds: String(limits.requestTimeoutMs / 1000) });
    default:
      return new ServiceError('malformedRequest');
  }
}

function refuseTunnel({ method = '', url = '', headers, socket }: IncomingMessage): EarlyError {
  const { path, queryText } = readRequestTarget(url);
  const id = chooseRequestId(headers['x-request-id']);
  const address = socket.remoteAddress ?? '';
  return {
    error: new ServiceError('resourceNotFound', { verb: method, path: pathWithoutTokens(path) }),
    request: { path, queryText, headers, id, address, pathParameters: {} },
    method,
  };
}

function refuse(
  socket: Socket,
  { error, request, method, reason }: EarlyError,
  options: RawAnswersOptions,
): void {
  options.observer.begin();
  const startedAtMs = performance.now();
  const answer = options.answerError(error, request);
  const message = writeAnswer(answer, { ...options.fixedHeaders, 'x-request-id': request.id });
  const isAborted = !socket.writable;
  finish(socket, message);
  options.observer.end({
    requestId: request.id,
    method,
    path: request.path,
    route: '',
    status: answer.status,
    contentType: answer.headers['Content-Type'] ?? '',
    bytesSent: isAborted ? 0 : Buffer.byteLength(message),
    durationMs: performance.now() - startedAtMs,
    isAborted,
    reason,
  });
}

/** Serialises a whole answer as it is sent over the connection. */
function writeAnswer(answer: WholeAnswer, fixedHeaders: Readonly<Record<string, string>>): string {
  const body = bodyOf(answer).toString();
  const headers = new Headers(fixedHeaders);
  for (const [name, value] of Object.entries(answer.headers)) {
    if (name.toLowerCase() === 'vary') {
      headers.append(name, value);
    } else {
      headers.set(name, value);
    }
  }
  headers.set('cache-control', 'no-store');
  headers.set('connection', 'close');
  headers.set('content-length', String(Buffer.byteLength(body)));
  headers.set('date', new Date().toUTCString());
  const lines = [...headers].map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\n${lines.join('')}\r\n${body}`;
}

function finish(socket: Socket, message: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(message);
  // Later bytes are discarded. If the socket were destroyed at once, the operating system would drop the answer before
  // the client has read it.
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}
