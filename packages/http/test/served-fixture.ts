import { describeError, type ErrorEntry, errorCatalogue } from '@takt/catalogue/errors';
import type { RawAnswer } from '@takt/test-support';
import { expect } from 'chai';
import { pino, stdSerializers } from 'pino';
import type { ApiAnswer, ApiRequest, Pieces, Route, Service, StaticRoute } from '../src/answer.js';
import { createAnswerError } from '../src/answer-error.js';
import type { HttpLimits } from '../src/limits.js';
import { type HttpServer, startHttpServer } from '../src/start-http-server.js';

export const LARGE_TEXT = JSON.stringify(
  Array.from({ length: 5_000 }, (_, index) => ({ index, name: 'Løftebord' })),
);

/** The maximum size of a body for the route /body. */
export const MAX_BODY_BYTES = 300_000;
/**
 * Long deadlines, because a busy machine may delay the client and the server. A test that checks a deadline sets its
 * own.
 */
const PATIENT: Partial<HttpLimits> = { answerDeadlineMs: 20_000, maxWaitMs: 20_000 };

export interface Fixture extends HttpServer {
  /** Every logged line, as text. */
  readonly log: readonly string[];
  /** Lets the waiting calls of /slow answer. */
  release(): void;
  /** The number of calls of /slow that are waiting. */
  waiting(): number;
  /** Drops the clients of /given-up. The answer of that route has one piece, and then waits for the next. */
  giveUp(): void;
  /** The number of pieces that /endless has generated so far. */
  pieces(): number;
  problems: string[];
  /** The uploads that have ended. */
  readonly uploads: readonly { readonly bytes: number; readonly outcome: string }[];
}

export interface FixtureOptions {
  readonly limits?: Partial<HttpLimits>;
  /** The maximum time that /body waits until its body has arrived; unlimited by default. */
  readonly arrivalMs?: number;
  readonly basePath?: string;
  readonly host?: string;
  readonly extraRoutes?: readonly StaticRoute[];
  readonly trustedProxies?: readonly string[];
  readonly logLevel?: 'debug' | 'info';
  /** The log level of requests. An app on a terminal uses debug. */
  readonly requestLevel?: 'debug';
}

/** Starts the HTTP layer in front of a few routes. Each route serves to test one behaviour. */
export async function startFixture({
  limits = {},
  arrivalMs = 20_000,
  basePath = '',
  host = '127.0.0.1',
  extraRoutes = [],
  trustedProxies = [],
  logLevel = 'debug',
  ...terminal
}: FixtureOptions = {}): Promise<Fixture> {
  const log: string[] = [];
  const problems: string[] = [];
  const waiting: (() => void)[] = [];
  let pieces = 0;
  const giving = new AbortController();
  const uploads: { bytes: number; outcome: string }[] = [];
  const answers: Readonly<Record<string, (request: ApiRequest) => ApiAnswer | Promise<ApiAnswer>>> = {
    '/things': () => json('{"things":[]}'),
    '/things/{thingId}/parts/{partId}': (request) => json(JSON.stringify(request)),
    '/large': () => json(LARGE_TEXT),
    '/forbidden': ({ id }) => ({ ...json(id), status: 403, headers: { 'WWW-Authenticate': 'Bearer' } }),
    '/kept-by-nobody': () => ({ ...json('{}'), headers: { 'Cache-Control': 'no-store' } }),
    '/slow': async () => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return json('"slow"');
    },
    '/fails-late': async () => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      throw new Error('secret detail');
    },
    '/hangs': () => new Promise(() => undefined),
    '/rejects': () => Promise.reject(new Error('secret detail')),
    '/rejects-nothing': () => Promise.reject(null),
    '/bad-header': () => ({ ...json('{}'), headers: { ETag: '"one"', 'Resource-Id': 'a\r\nb' } }),
    '/stream': () => ({
      ...json(''),
      body: [LARGE_TEXT.slice(0, 9), '', LARGE_TEXT.slice(9)],
      isStreamed: true,
    }),
    '/breaks-at-once': () => ({ ...json(''), body: breakAfter([]), isStreamed: true }),
    '/breaks-whole': () => ({ ...json(''), body: breakAfter(['[1']) }),
    '/breaks-later': () => ({ ...json(''), body: breakAfter(['[1', ',2']), isStreamed: true }),
    '/laborious': () => ({ ...json(''), body: laborious(), isStreamed: true }),
    '/given-up': () => ({ ...json(''), body: givenUp(giving.signal), isStreamed: true }),
    '/endless': () => ({
      ...json(''),
      body: endless(() => {
        pieces += 1;
      }),
      isStreamed: true,
    }),
  };
  const routes: Route[] = Object.entries(answers).map(([path, answer]) => ({
    path,
    answer: async (request) => answer(request),
  }));
  const serializers = { error: stdSerializers.err };
  const output = { write: (line: string) => void log.push(line) };
  const logger = Object.assign(pino({ level: logLevel, serializers }, output), terminal);
  const answerError = createAnswerError({ write: writeError, logger });
  const service: Service = { routes, answerError, findProblems: async () => problems };
  const server = await startHttpServer({
    host,
    port: 0,
    basePath,
    service,
    extraRoutes,
    bodyRoutes: [
      {
        path: '/form',
        contentTypes: ['application/x-www-form-urlencoded'],
        maxBytes: 16_384,
        answer: async ({ body, address }) =>
          json(
            JSON.stringify({ formText: body.problem === undefined ? body.bytes.toString() : null, address }),
          ),
      },
      {
        path: '/body',
        contentTypes: ['application/json', 'text/plain'],
        maxBytes: MAX_BODY_BYTES,
        arrivalMs,
        authorizeBody: async ({ headers }) => headers.authorization !== 'nobody',
        answer: async ({ body }) =>
          json(JSON.stringify(body.problem === undefined ? { text: body.bytes.toString() } : body)),
      },
    ],
    streamRoutes: [
      {
        path: '/upload',
        answer: async ({ stream }) => {
          let bytes = 0;
          const outcome = await (async () => {
            for await (const chunk of stream) {
              bytes += chunk.length;
              // A disk is slower than the network.
              await new Promise(setImmediate);
            }
            return 'whole';
          })().catch(() => 'broken');
          uploads.push({ bytes, outcome });
          return json(JSON.stringify({ bytes }));
        },
      },
    ],
    logger,
    trustedProxies,
    limits: { ...PATIENT, ...limits },
  });
  return {
    ...server,
    uploads,
    log,
    problems,
    release: () =>
      waiting.splice(0).forEach((go) => {
        go();
      }),
    waiting: () => waiting.length,
    pieces: () => pieces,
    giveUp: () => giving.abort(),
  };
}

function json(text: string): ApiAnswer {
  return {
    status: 200,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      Vary: 'Accept, Authorization',
      ETag: 'W/"one"',
      'Resource-Id': '132',
      'Resource-Version': '11',
    },
    body: [text],
    isStreamed: false,
  };
}

function* breakAfter(pieces: readonly string[]): Generator<string> {
  yield* pieces;
  throw new Error('secret detail');
}

function* endless(count: () => void): Generator<string> {
  for (;;) {
    count();
    yield 'x'.repeat(1_000);
  }
}

function givenUp(signal: AbortSignal): Pieces {
  let isFirst = true;
  const next = async () => {
    if (!isFirst) return new Promise<never>(() => undefined);
    isFirst = false;
    return 'the first piece';
  };
  return { next, end: async () => undefined, signal };
}

/** Yields 60 pieces, and uses 5 ms of CPU time for each. */
function* laborious(): Generator<string> {
  for (let piece = 0; piece < 60; piece += 1) {
    const readyAt = performance.now() + 5;
    while (performance.now() < readyAt);
    yield 'x';
  }
}

/**
 * Writes errors as JSON, or as an element if the request asks for XML. So tests can see that the writer receives the
 * request.
 */
const writeError: Parameters<typeof createAnswerError>[0]['write'] = (error, { queryText, headers }) => {
  const { status, message, errorMessageId, parameters } = describeError(error, 'eng');
  const { retryAfterSeconds }: ErrorEntry = errorCatalogue[error.code];
  const isXml = queryText.includes('format=xml') || headers.accept === 'application/xml';
  return {
    status,
    headers: {
      'Content-Type': isXml ? 'application/xml; charset=utf-8' : 'application/json; charset=utf-8',
      'Content-Language': /\$lang=(\w+)/.exec(queryText)?.[1] ?? headers['accept-language'] ?? 'en',
      Vary: 'Accept, Authorization',
      ...(retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }),
    },
    body: isXml
      ? [`<Error>${error.code}</Error>`]
      : [
          JSON.stringify({
            hTTPStatusCode: String(status),
            code: error.code,
            message,
            errorMessageId,
            parameters,
          }),
        ],
    isStreamed: false,
  };
};

interface ErrorBody {
  readonly code: string;
  readonly hTTPStatusCode: string;
  readonly parameters: readonly { readonly value: string }[];
}

/** Expects an error of the catalogue, with all headers and fields of an error. */
export function expectError(answer: RawAnswer, status: number, code: string): ErrorBody {
  const body: ErrorBody = JSON.parse(answer.body.toString());
  expect(body.code).to.equal(code);
  expect(answer.status).to.equal(status);
  expect(body.hTTPStatusCode).to.equal(String(status));
  expect(answer.headers['cache-control']).to.equal('no-store');
  expectHeaders(answer);
  return body;
}

/** Expects the headers that every answer must have. */
export function expectHeaders({ headers }: RawAnswer): void {
  expect(headers['content-security-policy']).to.equal(
    "default-src 'none';style-src 'self';script-src 'self';connect-src 'self';img-src 'self' data:;form-action 'self';base-uri 'none';frame-ancestors 'none'",
  );
  expect(headers).to.include({
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-resource-policy': 'cross-origin',
    'cross-origin-opener-policy': 'same-origin',
    'access-control-allow-origin': '*',
    'access-control-expose-headers':
      'Content-Disposition,ETag,Resource-Id,Resource-Version,Retry-After,WWW-Authenticate,X-Request-Id',
  });
  expect(headers['x-request-id']).to.match(/^[A-Za-z0-9._-]{1,64}$/);
  expect(headers['date']).to.match(/ GMT$/);
  expect(headers['vary'] ?? '').to.match(/Origin/);
  expect(headers).to.not.have.any.keys(
    'strict-transport-security',
    'x-powered-by',
    'access-control-allow-credentials',
  );
}
