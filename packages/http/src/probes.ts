import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Connections } from './connections.js';
import { chooseEncoding, type Encoding, shareEncodings } from './encodings.js';
import type { Headers } from './headers.js';
import { chooseRequestId, hostFault } from './http-request.js';
import type { HttpLimits } from './limits.js';
import {
  answerObservation,
  OBSERVATION_PATHS,
  type ObservationAnswer,
  type Observed,
} from './observation.js';
import { type RequestObserver, recordRequest } from './request-record.js';
import type { Turns } from './turns.js';

export interface ProbesOptions {
  readonly observed: Observed;
  readonly limits: Pick<HttpLimits, 'compressAboveBytes'>;
  readonly fixedHeaders: Headers;
  readonly turns: Turns;
  readonly connections: Connections;
  readonly observer: RequestObserver;
  readonly isClosing: () => boolean;
}

/** What supervisors and operators ask, answered before anything that strangers could fill. */
export interface Probes {
  /** Answers what is a plain GET or HEAD of a probe, and says whether it was. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
  /** What all who ask together are told. */
  observe(path: string): Promise<Observation>;
}

export interface Observation {
  readonly status: number;
  readonly type: string;
  readonly content: Buffer;
  /** Each encoding is made once. */
  readonly encoded: (encoding: Encoding) => Promise<Buffer>;
}

const LIVE = '/health/live';

/**
 * `/health/live` is answered from bytes that are there, in the turn of the event loop that its request comes in: it takes no
 * place and waits for nobody. The others are found out once for all who ask meanwhile, and nobody is refused them.
 */
export function createProbes(options: ProbesOptions): Probes {
  const { observed, limits, turns, fixedHeaders, connections, observer, isClosing } = options;
  const live = toObservation({ status: 200, type: 'text/plain; charset=utf-8', text: 'live\n' });
  const running = new Map<string, Promise<Observation>>();
  const observe = (path: string): Promise<Observation> => {
    const known = running.get(path);
    if (known !== undefined) return known;
    // Begun behind those who have asked by now: to find out what needs no waiting would be over before the second asks.
    const made = new Promise<void>((resolve) => turns.add(resolve))
      .then(() => answerObservation(path, observed))
      .then(toObservation)
      .finally(() => running.delete(path));
    running.set(path, made);
    return made;
  };
  const shared = Object.entries({
    ...fixedHeaders,
    'Cache-Control': 'no-store',
    Vary: [fixedHeaders['Vary'], 'Accept-Encoding'].filter((name) => name !== undefined).join(', '),
  }).flat();
  const send = (
    { status, type }: Observation,
    { body, encoding, id }: { readonly body: Buffer; readonly encoding: Encoding; readonly id: string },
    response: ServerResponse,
  ) => {
    const own = ['X-Request-Id', id, 'Content-Type', type, 'Content-Length', String(body.length)];
    if (encoding !== 'identity') own.push('Content-Encoding', encoding);
    if (isClosing()) own.push('Connection', 'close');
    response.writeHead(status, [...shared, ...own]);
    response.end(body);
  };
  const find = async (path: string, request: IncomingMessage, response: ServerResponse, id: string) => {
    const found = await observe(path);
    const isSmall = found.content.length < limits.compressAboveBytes;
    const encoding = chooseEncoding(request.headers['accept-encoding']?.toString(), isSmall);
    const body = await found.encoded(encoding);
    turns.add(() => send(found, { body, encoding, id }, response));
  };
  return {
    observe,
    answer: (request, response) => {
      const { method = '', url = '' } = request;
      const path = OBSERVATION_PATHS.find((known) => known === url);
      if (path === undefined || !isPlain(request)) return false;
      const id = chooseRequestId(request.headers['x-request-id']);
      const answered = () => ({ route: path, contentType: live.type });
      recordRequest({ observer, connections, request, response }, { id, method, path, answered });
      if (path === LIVE) {
        send(live, { body: live.content, encoding: 'identity', id }, response);
      } else {
        find(path, request, response, id).catch((error: Error) => response.destroy(error));
      }
      return true;
    },
  };
}

/** What is more than a question, or none at all, goes the way of all requests. */
function isPlain(request: IncomingMessage): boolean {
  const { method, headers } = request;
  const hasBody = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  return (
    (method === 'GET' || method === 'HEAD') &&
    !hasBody &&
    headers.expect === undefined &&
    hostFault(request) === undefined
  );
}

function toObservation({ status, type, text }: ObservationAnswer): Observation {
  const content = Buffer.from(text);
  return { status, type, content, encoded: shareEncodings(content) };
}
