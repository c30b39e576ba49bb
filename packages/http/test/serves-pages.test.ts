import { createAppMetrics } from '@takt/run/monitoring';
import { exchange, openConnection, request, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { pino } from 'pino';
import type { ApiAnswer, MountedRequest } from '../src/answer.js';
import { createAnswerError } from '../src/answer-error.js';
import type { HttpLimits } from '../src/limits.js';
import { type HttpServer, startHttpServer } from '../src/start-http-server.js';

const HEADERS = { 'Cache-Control': 'no-store', 'Referrer-Policy': 'same-origin' };

/** A server with pages for browsers. It has headers of its own, mounted handlers and server-sent events. */
interface Pages extends HttpServer {
  readonly log: readonly string[];
  /** Sends a piece to all clients that read the stream. */
  tell(text: string): void;
  /** Ends the streams of all clients. */
  endAll(): void;
  watchers(): number;
}

async function startPages(limits: Partial<HttpLimits> = {}): Promise<Pages> {
  const log: string[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => void log.push(line) });
  let watchers = 0;
  let waiting: ((text: string | undefined) => void)[] = [];
  const tellAll = (text: string | undefined) => {
    const told = waiting;
    waiting = [];
    for (const tell of told) tell(text);
  };
  const page = (body: string, status: ApiAnswer['status'] = 200): ApiAnswer & { readonly body: Buffer } => ({
    ...{ status, headers: { 'Content-Type': 'text/html; charset=utf-8' } },
    ...{ body: Buffer.from(body), isStreamed: false },
  });
  const answerError = createAnswerError({ logger, write: (error) => page(error.code, 503) });
  const told = (name: string) => async (asked: MountedRequest) => {
    const { method, path, queryText, address } = asked;
    return page(JSON.stringify({ name, method, path, queryText, address }), 405);
  };
  const watch = async (): Promise<ApiAnswer> => {
    watchers += 1;
    return {
      status: 200,
      headers: { 'Content-Type': 'text/event-stream; charset=utf-8' },
      body: {
        next: () => new Promise((resolve) => void waiting.push(resolve)),
        end: async () => {
          watchers -= 1;
        },
      },
      isStreamed: true,
    };
  };
  const server = await startHttpServer({
    ...{ host: '127.0.0.1', port: 0, basePath: '/ops', mayLackBasePath: true, logger, limits },
    ...{ logsRequests: false, headers: HEADERS, registry: createAppMetrics().registry },
    service: {
      routes: [
        { path: '/live', answer: watch },
        { path: '/slow', answer: () => new Promise(() => undefined) },
        { path: '/page', answer: async () => page('<p>page</p>'.repeat(500)) },
      ],
      answerError,
      findProblems: async () => [],
    },
    bodyRoutes: [
      { path: '/form', contentTypes: ['text/plain'], maxBytes: 9, answer: async () => page('posted') },
    ],
    mounts: [
      { prefix: '/queues/', answer: told('queues') },
      { prefix: '/', answer: told('rest') },
    ],
  });
  return {
    ...server,
    log,
    tell: tellAll,
    endAll: () => tellAll(undefined),
    watchers: () => watchers,
  };
}

describe('The HTTP layer of an app with pages', () => {
  let pages: Pages;
  afterEach(() => pages.close());

  const ask = async (target: string, method = 'GET', headers: Readonly<Record<string, string>> = {}) =>
    exchange(pages.port, request(target, headers, method), method === 'HEAD' ? 'HEAD' : 'GET');

  it('serves all paths below a mount, with any method, unless a route matches', async () => {
    pages = await startPages();
    for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
      for (const [path, name] of [
        ['/queues/', 'queues'],
        ['/queues/a%2Fb', 'queues'],
        ['/queues', 'rest'],
        ['/nothing', 'rest'],
      ] as const) {
        const { status, body } = await ask(`${path}?x=1`, method);
        expect([status, JSON.parse(body.toString())], `${method} ${path}`).to.deep.equal([
          405,
          { name, method, path, queryText: 'x=1', address: '127.0.0.1' },
        ]);
      }
    }
    expect((await ask('/page')).status).to.equal(200);
    expect((await ask('/page', 'HEAD')).status).to.equal(200);
    expect((await ask('/queues/', 'HEAD')).status).to.equal(405);
    expect((await ask('/page', 'OPTIONS')).status).to.equal(405);
    expect((await ask('/page', 'POST')).status).to.equal(405);
    expect((await ask('/form')).status).to.equal(405);
    expect((await ask('/form', 'POST', { 'Content-Type': 'text/plain' })).status).to.equal(200);
    expect((await ask('/health/live')).body.toString()).to.equal('live\n');
    const metrics = (await ask('/metrics')).body.toString();
    expect(metrics).to.include('takt_http_requests_total{route="/queues/",status="405",format="html"}');
    expect(metrics).to.include('takt_http_requests_total{route="",status="405",format="html"}');
  });

  it('serves pages below the path of the base URL, even if a proxy has removed that path', async () => {
    pages = await startPages();
    for (const target of ['/page', '/ops/page']) expect((await ask(target)).status, target).to.equal(200);
    for (const target of ['/form', '/ops/form']) {
      const { status } = await ask(target, 'POST', { 'Content-Type': 'text/plain' });
      expect(status, target).to.equal(200);
    }
    expect(JSON.parse((await ask('/ops')).body.toString()).path).to.equal('/');
    expect(JSON.parse((await ask('/opsx')).body.toString()).path).to.equal('/opsx');
  });

  it('sends only the headers of the app, even with an error', async () => {
    pages = await startPages({ maxInFlight: 1 });
    const kept = await openConnection(pages.port);
    kept.send(request('/slow'));
    await waitUntil('there is no place left', async () => (await ask('/page')).status === 503);
    const malformed = await openConnection(pages.port);
    malformed.send('nonsense\r\n\r\n');
    for (const { headers, status } of [await ask('/page'), await malformed.answer()]) {
      expect(status).to.equal(503);
      expect(headers).to.include({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin' });
      expect(headers).to.not.have.any.keys('access-control-allow-origin', 'content-security-policy', 'vary');
    }
    kept.destroy();
    await waitUntil('there is a place', async () => (await ask('/page')).status === 200);
    const { headers } = await ask('/page');
    expect(headers).to.include({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin' });
  });

  it('serves live updates as a stream that ends when its client leaves', async () => {
    pages = await startPages({ maxInFlight: 4, maxRunning: 2 });
    const streams = await Promise.all(Array.from({ length: 30 }, () => openConnection(pages.port)));
    for (const [index, stream] of streams.entries()) {
      stream.send(request('/live', { 'Accept-Encoding': 'br, gzip' }));
      await waitUntil('it is watched', () => pages.watchers() === index + 1);
    }
    expect((await ask('/page')).status).to.equal(200);
    await waitUntil('all are told', () => {
      pages.tell('data: one\n\n');
      return streams.every((stream) => stream.rest().includes('data: one\n\n'));
    });
    expect(streams[0]?.rest().toString()).to.not.match(/content-encoding/i);
    for (const stream of streams.slice(1)) stream.destroy();
    await waitUntil('the others have left', () => {
      pages.tell('data: two\n\n');
      return pages.watchers() === 1;
    });
    await waitUntil('the last one has ended', () => {
      pages.endAll();
      return pages.watchers() === 0;
    });
    const metrics = (await ask('/metrics')).body.toString();
    expect(metrics).to.include('takt_http_requests_total{route="/live",status="200",format="stream"} 1');
    expect(metrics).to.not.match(/takt_http_request_seconds_count\{route="\/live"/);
  });

  it('keeps a stream open as long as the stream sends pieces', async () => {
    pages = await startPages({ stalledClientTimeoutMs: 300, answerDeadlineMs: 300 });
    const stream = await openConnection(pages.port);
    stream.send(request('/live'));
    await waitUntil('it is watched', () => pages.watchers() === 1);
    for (let told = 0; told < 20; told += 1) {
      pages.tell(`data: ${told}\n\n`);
      await waitUntil('it is told', () => stream.rest().includes(`data: ${told}\n\n`));
    }
    await waitUntil('time has passed', () => {
      pages.tell('data: later\n\n');
      return stream.rest().toString().split('data: later').length > 50;
    });
    expect(await stream.ended(0)).to.equal(false);
    stream.destroy();
  });

  it('writes no log lines for answers', async () => {
    pages = await startPages();
    await ask('/page');
    await ask('/nothing');
    expect(pages.log).to.deep.equal([]);
  });
});
