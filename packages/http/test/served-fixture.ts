import { describeError, type ErrorEntry, errorCatalogue } from '@takt/catalogue/errors';
import type { RawAnswer } from '@takt/test-support';
import { expect } from 'chai';
import { pino, stdSerializers } from 'pino';
import type { ApiAnswer, ApiRequest, Pieces, Route, Service, StaticRoute } from '../src/answer.js';
import { createAnswerError } from '../src/answer-error.js';
import type { HttpLimits } from '../src/limits.js';
import { type HttpServer, startHttpServer } from '../src/start-http-server.js';

const STYLE_HASH = 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=';
export const LARGE_TEXT = JSON.stringify(
  Array.from({ length: 5_000 }, (_, index) => ({ index, name: 'Løftebord' })),
);

/** What /body takes. */
export const MAX_BODY_BYTES = 300_000;
/** A busy machine may hold client and server up for as long as a promise lasts; where one is tested, it is given. */
const PATIENT: Partial<HttpLimits> = { answerDeadlineMs: 20_000, maxWaitMs: 20_000 };

export interface Fixture extends HttpServer {
  /** Every line that was logged, as text. */
  readonly log: readonly string[];
  /** Lets the answers of /slow go. */
  release(): void;
  /** How many calls of /slow wait. */
  waiting(): number;
  /** Gives up the clients of /given-up, which has one piece and waits for the next. */
  giveUp(): void;
  /** How many pieces /endless has made. */
  pieces(): number;
  problems: string[];
}

export interface FixtureOptions {
  readonly limits?: Partial<HttpLimits>;
  /** How long /body waits for a body; by default as long as it takes. */
  readonly arrivalMs?: number;
  readonly basePath?: string;
  readonly extraRoutes?: readonly StaticRoute[];
  readonly trustedProxies?: readonly string[];
  readonly logLevel?: 'debug' | 'info';
  /** At which each request is logged, as a logger says that is read on a terminal. */
  readonly requestLevel?: 'debug';
}

/** The HTTP layer around a service of a few routes, each of which shows one behaviour. */
export async function startFixture({
  limits = {},
  arrivalMs = 20_000,
  basePath = '',
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
    host: '127.0.0.1',
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
        maxIgnoredBytes: 2 * MAX_BODY_BYTES,
        mayBring: async ({ headers }) => headers.authorization !== 'nobody',
        answer: async ({ body }) =>
          json(JSON.stringify(body.problem === undefined ? { text: body.bytes.toString() } : body)),
      },
    ],
    logger,
    htmlStyleHash: STYLE_HASH,
    trustedProxies,
    limits: { ...PATIENT, ...limits },
  });
  return {
    ...server,
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

/** 60 pieces of which each takes 5 ms to make. */
function* laborious(): Generator<string> {
  for (let piece = 0; piece < 60; piece += 1) {
    const readyAt = performance.now() + 5;
    while (performance.now() < readyAt);
    yield 'x';
  }
}

/** JSON, or where XML is asked for an element, to see that the request has been taken along. */
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

/** Asserts that it is the catalogue's error with everything that must go with one. */
export function expectError(answer: RawAnswer, status: number, code: string): ErrorBody {
  const body: ErrorBody = JSON.parse(answer.body.toString());
  expect(body.code).to.equal(code);
  expect(answer.status).to.equal(status);
  expect(body.hTTPStatusCode).to.equal(String(status));
  expect(answer.headers['cache-control']).to.equal('no-store');
  expectHeaders(answer);
  return body;
}

/** The headers that every answer has, whoever wrote it. */
export function expectHeaders({ headers }: RawAnswer): void {
  expect(headers['content-security-policy']).to.equal(
    `default-src 'none';style-src '${STYLE_HASH}';img-src 'self' data:;form-action 'self';base-uri 'none';frame-ancestors 'none'`,
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
