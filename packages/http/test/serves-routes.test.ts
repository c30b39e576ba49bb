import { fileURLToPath } from 'node:url';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { exchange, openConnection, type RawAnswer, request } from '@takt/test-support';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import { createHttpMetrics } from '../src/request-record.js';
import { expectError, expectHeaders, type Fixture, LARGE_TEXT, startFixture } from './served-fixture.js';

describe('The HTTP layer in front of routes', () => {
  let fixture: Fixture;
  const get = (target: string, headers: Record<string, string> = {}, method = 'GET') =>
    exchange(fixture.port, request(target, headers, method), method === 'HEAD' ? 'HEAD' : 'GET');
  before(async () => {
    fixture = await startFixture({
      extraRoutes: [
        { path: '/openapi.json', contentType: 'application/json', body: () => '{"openapi":"3.1.0"}' },
        {
          path: '/docs',
          contentType: 'text/html; charset=utf-8',
          body: () => Buffer.from('<p>docs</p>'),
          headers: { 'Content-Security-Policy': "default-src 'self'" },
        },
        {
          path: '/docs/ui.js',
          contentType: 'text/javascript',
          body: { file: fileURLToPath(import.meta.url) },
        },
        { path: '/missing', contentType: 'text/plain', body: { file: '/nowhere/at/all' } },
      ],
    });
  });
  after(() => fixture.close());

  it('adds its own headers to the headers of the route', async () => {
    const answer = await get('/things?$top=2', { 'X-Request-Id': 'mine.1' });
    expect(answer.status).to.equal(200);
    expect(answer.body.toString()).to.equal('{"things":[]}');
    expectHeaders(answer);
    expect(answer.headers).to.include({
      'content-type': 'application/json; charset=utf-8',
      'content-length': '13',
      etag: 'W/"one"',
      'resource-id': '132',
      'resource-version': '11',
      'cache-control': 'private, no-cache',
      'x-request-id': 'mine.1',
    });
    expect(answer.headers['vary']).to.match(/Accept\b.*Authorization/);
    expect(answer.headers['transfer-encoding']).to.equal(undefined);
  });

  it('keeps an idle connection for 65 s, because load balancers close theirs after 60 s', async () => {
    const connection = await openConnection(fixture.port);
    connection.send(request('/things'));
    expect((await connection.answer()).headers).to.include({
      connection: 'keep-alive',
      'keep-alive': 'timeout=65',
    });
    connection.destroy();
  });

  it('forbids caches to store an answer if the route requires this', async () => {
    expect((await get('/kept-by-nobody')).headers['cache-control']).to.equal('no-store');
  });

  it('passes the decoded parameters of the path and the raw query to the route', async () => {
    const answer = await get('/things/a%2Fb%00/parts/%E0%A4%A?$filter=%27x&&$top', {
      Authorization: 'Bearer t',
    });
    const told = JSON.parse(answer.body.toString());
    expect(told).to.deep.include({
      path: '/things/a%2Fb%00/parts/%E0%A4%A',
      queryText: '$filter=%27x&&$top',
      pathParameters: { thingId: 'a/b\0', partId: '%E0%A4%A' },
      id: answer.headers['x-request-id'],
    });
    expect(told.headers.authorization).to.equal('Bearer t');
  });

  it('passes up to 100 headers to the route, and refuses a request with more headers', async () => {
    const ask = (count: number) => {
      const many = Array.from({ length: count - 2 }, (_, index) => `${index.toString(36)}:\r\n`).join('');
      const text = `GET /things/1/parts/2 HTTP/1.1\r\nHost: a\r\n${many}Authorization: Bearer t\r\n\r\n`;
      return exchange(fixture.port, text);
    };
    const told = JSON.parse((await ask(100)).body.toString());
    expect(told.headers.authorization).to.equal('Bearer t');
    for (const count of [101, 102, 2_500]) {
      const refused = await ask(count);
      expectError(refused, 400, 'tooManyHeaders');
      expect(refused.headers['connection']).to.equal('close');
    }
  });

  for (const [target, queryText] of [
    ['/things/1/parts/2?a?b#c', 'a?b#c'],
    ['http://other.test/things/1/parts/2?x', 'x'],
    ['HTTPS://other.test:8/things/1/parts/2', ''],
    ['/things/1/parts/2?', ''],
    ['/things/1/parts/2?http://x', 'http://x'],
  ] as const) {
    it(`accepts the request target ${target}`, async () => {
      const told = JSON.parse((await get(target)).body.toString());
      expect([told.path, told.queryText]).to.deep.equal(['/things/1/parts/2', queryText]);
    });
  }

  for (const id of ['', 'a b', 'x'.repeat(65), 'a\tb', 'Ã¶', '<b>']) {
    it(`replaces the request id ${JSON.stringify(id)} by a new one`, async () => {
      const { headers } = await get('/things', { 'X-Request-Id': id });
      expect(headers['x-request-id']).to.match(/^[0-9a-f-]{36}$/);
    });
  }

  for (const target of ['/things', '/large', '/stream', '/forbidden', '/health/live', '/docs', '/rejects']) {
    for (const encoding of ['identity', 'gzip', 'br']) {
      it(`answers HEAD ${target} in ${encoding} with the headers of GET`, async () => {
        const headers = { 'X-Request-Id': 'one', 'Accept-Encoding': encoding };
        const connection = await openConnection(fixture.port);
        connection.send(request(target, headers, 'HEAD'));
        const head = await connection.answer('HEAD');
        connection.send(request(target, headers));
        const full = await connection.answer();
        connection.destroy();
        expect(withoutHop(head)).to.deep.equal(withoutHop(full));
        expect(head.status).to.equal(full.status);
      });
    }
  }

  for (const [ifNoneMatch, status] of [
    ['W/"one"', 304],
    ['"one"', 304],
    ['"two", W/"one"', 304],
    ['"a,b","one"', 304],
    ['W/"one-gzip"', 304],
    ['"one-br"', 304],
    ['"one--gzip"', 304],
    ['"one-gzip-x"', 200],
    ['"-gzip"', 200],
    ['*', 304],
    ['"two"', 200],
    ['one', 200],
    ['w/"one"', 200],
    ['W"one"', 200],
    ['W/one', 200],
    ['W/ "one"', 200],
    ['"one"x', 200],
    ['"one', 200],
    ['x"one"', 200],
    ['"tw o","one"', 304],
    ['w/"two" , "one" ', 304],
    ['', 200],
  ] as const) {
    it(`answers If-None-Match: ${ifNoneMatch} with ${status}`, async () => {
      for (const method of ['GET', 'HEAD']) {
        for (const target of ['/things', '/stream']) {
          const conditions = {
            'If-None-Match': ifNoneMatch,
            'If-Modified-Since': 'Fri, 01 Jan 2021 00:00:00 GMT',
          };
          const answer = await get(target, conditions, method);
          expect(answer.status).to.equal(status);
          expectHeaders(answer);
          expect(answer.headers).to.include({ etag: 'W/"one"', 'cache-control': 'private, no-cache' });
          if (status === 304) expect(answer.headers).to.not.have.any.keys('content-type', 'content-length');
          expect(answer.headers['vary']).to.match(/Accept-Encoding/);
        }
      }
    });
  }

  it('ignores If-None-Match if the answer is an error', async () => {
    expect((await get('/forbidden', { 'If-None-Match': '*' })).status).to.equal(403);
    expect((await get('/no', { 'If-None-Match': '*' })).status).to.equal(404);
  });

  for (const target of ['/large', '/stream']) {
    it(`serves ${target} with the same text in every encoding`, async () => {
      const plain = await get(target);
      expect(plain.headers['content-encoding']).to.equal(undefined);
      expect(plain.body.toString()).to.equal(LARGE_TEXT);
      for (const [accepted, encoding, decode] of [
        ['gzip', 'gzip', gunzipSync],
        ['br', 'br', brotliDecompressSync],
        ['gzip;q=0.5, br;q=1, *', 'br', brotliDecompressSync],
        ['deflate, zstd, gzip', 'gzip', gunzipSync],
      ] as const) {
        const answer = await get(target, { 'Accept-Encoding': accepted });
        expect(answer.headers['content-encoding']).to.equal(encoding);
        expect(answer.headers['vary']).to.match(/Accept-Encoding/);
        expect(answer.headers['etag']).to.equal('W/"one"');
        expect(answer.body.length).to.be.lessThan(plain.body.length / 3);
        expect(decode(answer.body).toString()).to.equal(LARGE_TEXT);
      }
    });
  }

  it('does not compress small answers', async () => {
    expect((await get('/things', { 'Accept-Encoding': 'gzip' })).headers['content-encoding']).to.equal(
      undefined,
    );
  });

  it('sends a stream in chunks, and any other answer with its length', async () => {
    expect((await get('/stream')).headers).to.include({ 'transfer-encoding': 'chunked' });
    expect((await get('/large')).headers).to.include({
      'content-length': String(Buffer.byteLength(LARGE_TEXT)),
    });
  });

  it('answers a CORS preflight for any path', async () => {
    const asked = { Origin: 'https://a.test', 'Access-Control-Request-Method': 'GET' };
    for (const target of ['/things', '/no']) {
      const answer = await get(target, asked, 'OPTIONS');
      expect(answer.status).to.equal(204);
      expect(answer.headers).to.include({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET,HEAD,OPTIONS',
        'access-control-allow-headers':
          'Accept,Accept-Language,Authorization,Content-Type,If-None-Match,OData-MaxVersion,OData-Version,traceparent,tracestate,X-Request-Id,X-Requested-With',
        'access-control-max-age': '86400',
      });
    }
  });

  it('answers OPTIONS with the allowed methods', async () => {
    for (const target of ['/things', '/health/live', '*']) {
      const answer = await get(target, {}, 'OPTIONS');
      expect([answer.status, answer.headers['allow']]).to.deep.equal([204, 'GET, HEAD, OPTIONS']);
    }
  });

  it('ignores the header Upgrade, which some clients send with ordinary requests', async () => {
    const answer = await get('/things', {
      Connection: 'Upgrade, HTTP2-Settings',
      Upgrade: 'h2c',
      'HTTP2-Settings': '',
    });
    expect(answer.status).to.equal(200);
  });

  it('serves HTTP/1.0', async () => {
    const answer = await exchange(fixture.port, 'GET /things HTTP/1.0\r\n\r\n');
    expect(answer.status).to.equal(200);
  });

  it('serves static documents with their own type, headers and ETag', async () => {
    const first = await get('/docs');
    expect(first.body.toString()).to.equal('<p>docs</p>');
    expect(first.headers).to.include({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'self'",
      'x-content-type-options': 'nosniff',
    });
    expect((await get('/docs', { 'If-None-Match': first.headers['etag'] ?? '' })).status).to.equal(304);
    expect((await get('/openapi.json')).body.toString()).to.equal('{"openapi":"3.1.0"}');
    expect((await get('/docs/ui.js')).body.toString()).to.contain('ui.js');
    expectError(await get('/missing'), 500, 'internalError');
  });

  it('reports liveness and readiness', async () => {
    const text = async (target: string) => {
      const { status, headers, body } = await get(target);
      expect(headers['cache-control']).to.equal('no-store');
      return [status, body.toString()];
    };
    expect(await text('/health/live')).to.deep.equal([200, 'live\n']);
    expect(await text('/health/ready')).to.deep.equal([200, 'ready\n']);
    fixture.problems.push('the database is away', 'so is the disk');
    expect(await text('/health/ready')).to.deep.equal([503, 'the database is away\nso is the disk\n']);
    fixture.problems.splice(0);
  });

  it('counts requests by route template, status and format, but never by path', async () => {
    await get('/things/7654321/parts/2');
    await get('/no/such/7654321');
    const metrics = (await get('/metrics')).body.toString();
    expect(metrics).to.match(
      /takt_http_requests_total\{route="\/things\/\{thingId\}\/parts\/\{partId\}",status="200",format="json"\} \d/,
    );
    expect(metrics).to.match(/takt_http_requests_total\{route="",status="404",format="json"\} \d/);
    expect(metrics).to.match(
      /takt_http_request_seconds_bucket\{le="0.1",route="\/things",format="\w+",status_class="2xx"\} \d/,
    );
    expect(metrics).to.match(/takt_http_requests_in_flight 1\n/);
    expect(metrics).to.match(/nodejs_eventloop_lag_p99_seconds/);
    expect(metrics).to.not.contain('7654321');
  });
});

describe('Request metrics', () => {
  it('state times in seconds', async () => {
    const registry = new Registry();
    const metrics = createHttpMetrics(registry);
    metrics.begin();
    metrics.end({
      ...{ requestId: 'one', method: 'GET', path: '/things', route: '/things', status: 200 },
      ...{ contentType: 'application/json', bytesSent: 9, durationMs: 40, isAborted: false },
    });
    const text = await registry.metrics();
    const labels = 'route="/things",format="json",status_class="2xx"';
    expect(text).to.include(`takt_http_request_seconds_bucket{le="0.02",${labels}} 0\n`);
    expect(text).to.include(`takt_http_request_seconds_bucket{le="0.05",${labels}} 1\n`);
    expect(text).to.include(`takt_http_request_seconds_sum{${labels}} 0.04\n`);
  });
});

describe('The HTTP layer below a base URL with a path', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await startFixture({
      basePath: '/takt/api',
      extraRoutes: [{ path: '/schema.xsd', contentType: 'application/xml', body: () => '<schema/>' }],
    });
  });
  after(() => fixture.close());

  for (const [target, status] of [
    ['/takt/api/things', 200],
    ['/takt/api/schema.xsd', 200],
    ['/health/live', 200],
    ['/metrics', 200],
    ['/things', 404],
    ['/schema.xsd', 404],
    ['/takt/apithings', 404],
    ['/takt/api', 404],
    ['/takt/api/health/live', 404],
  ] as const) {
    it(`answers ${target} with ${status}`, async () => {
      expect((await exchange(fixture.port, request(target))).status).to.equal(status);
    });
  }

  it('passes the path to routes and errors without the path of the base URL', async () => {
    const answer = await exchange(fixture.port, request('/takt/api/things/1/parts/2'));
    expect(JSON.parse(answer.body.toString()).path).to.equal('/things/1/parts/2');
    const error = expectError(await exchange(fixture.port, request('/takt/api/no')), 404, 'resourceNotFound');
    expect(error.parameters[1]?.value).to.equal('/no');
  });
});

function withoutHop({ headers }: RawAnswer): Record<string, string> {
  const { date, 'transfer-encoding': encoding, 'x-request-id': id, ...rest } = headers;
  return rest;
}
