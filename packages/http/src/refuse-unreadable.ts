import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError } from '@takt/catalogue/errors';
import { bodyOf, type WholeAnswer } from './answer.js';
import { chooseRequestId, pathWithoutTokens, readRequestTarget } from './http-request.js';
import type { HttpLimits } from './limits.js';
import type { Serving } from './request-record.js';

/** Time for which a connection stays open after its last answer. */
const LINGER_MS = 1_000;

/**
 * Answers what Node's parser refuses, and CONNECT, with an error of the service, and closes the connection. Node.js would
 * use a format of its own, and would not answer CONNECT.
 * @param running the answers that have not ended, and their connections
 */
export function refuseUnreadable(
  server: Server,
  running: ReadonlyMap<ServerResponse, Socket>,
  { answerError, fixedHeaders, limits, observer }: Serving,
): void {
  const refused = new WeakSet<Socket>();
  const refuse = (
    socket: Socket,
    error: ServiceError,
    { method = '', url = '', headers = {} },
    reason = '',
  ) => {
    // Node.js reports an error again for each further piece on the connection.
    if (refused.has(socket)) return;
    refused.add(socket);
    const [last] = [...running].findLast(([, own]) => own === socket) ?? [];
    if (last !== undefined) {
      endAfter(last, socket);
      return;
    }
    if (!socket.writable || socket.bytesRead === 0) return void socket.destroy();
    const startedAtMs = performance.now();
    observer.begin();
    const id = chooseRequestId(new Map(Object.entries(headers)).get('x-request-id'));
    const target = url === '' ? { path: '', queryText: '' } : readRequestTarget(url);
    const request = { ...target, headers, id, address: socket.remoteAddress ?? '' };
    const answer = answerError(error, { ...request, pathParameters: {} });
    const message = writeAnswer(answer, { ...fixedHeaders, 'X-Request-Id': id });
    endSlowly(socket, message);
    observer.end({
      requestId: id,
      method,
      path: request.path,
      route: '',
      status: answer.status,
      contentType: answer.headers['Content-Type'] ?? '',
      bytesSent: message.length,
      durationMs: performance.now() - startedAtMs,
      isAborted: false,
      reason,
    });
  };
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET') return void socket.destroy();
    refuse(socket, errorOf(error.code, limits), {}, error.code);
  });
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => socket.destroy());
    const path = pathWithoutTokens(readRequestTarget(request.url ?? '').path);
    refuse(socket, new ServiceError('resourceNotFound', { verb: 'CONNECT', path }), request);
  });
}

/** Ends a connection after its last answer. A reader of the body of its request hears that the rest does not arrive. */
function endAfter(last: ServerResponse, socket: Socket): void {
  const { req } = last;
  const isHeard = !req.complete && req.listenerCount('error') > 0;
  if (isHeard) req.emit('error', new Error('the body is malformed'));
  last.once('finish', () => endSlowly(socket));
}

/** Ends a connection, and drops for a while what the client still sends, so that it can read the last answer. */
function endSlowly(socket: Socket, message: Buffer | string = ''): void {
  socket.end(message).resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** Returns the error of the service for an error code of Node's parser. */
function errorOf(code: string | undefined, limits: HttpLimits): ServiceError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new ServiceError('headerTooLarge', { limit: String(limits.maxHeaderBytes) });
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ServiceError('requestTimeout', { seconds: String(limits.requestTimeoutMs / 1000) });
    default:
      return new ServiceError('malformedRequest');
  }
}

function writeAnswer(
  { status, headers, ...answer }: WholeAnswer,
  fixedHeaders: Readonly<Record<string, string>>,
): Buffer {
  const body = bodyOf({ status, headers, ...answer });
  const all = new Headers(fixedHeaders);
  for (const [name, value] of Object.entries(headers)) {
    if (name.toLowerCase() !== 'vary') all.delete(name);
    all.append(name, value);
  }
  all.set('Cache-Control', 'no-store');
  all.set('Connection', 'close');
  all.set('Content-Length', String(body.length));
  all.set('Date', new Date().toUTCString());
  const lines = [...all].map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines}\r\n`), body]);
}
