import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exchange, openConnection, request, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { type Fixture, startFixture } from './served-fixture.js';

const SECRET = 'c0ffee-secret';

describe('The access log', () => {
  let fixture: Fixture;
  const lineOf = async (id: string) => {
    const find = () =>
      fixture.log
        .map((line): Record<string, unknown> => JSON.parse(line))
        .find(({ requestId, msg }) => requestId === id && msg === 'request');
    await waitUntil('the line is in the log', () => find() !== undefined);
    return find() ?? {};
  };
  before(async () => {
    fixture = await startFixture();
  });
  after(() => fixture.close());

  it('has a line for each request', async () => {
    const connection = await openConnection(fixture.port);
    const sizes: number[] = [];
    for (const [target, id] of [
      ['/things?$top=1', 'first'],
      ['/large', 'second'],
    ] as const) {
      connection.send(request(target, { 'X-Request-Id': id }));
      sizes.push((await connection.answer()).body.length);
    }
    connection.destroy();
    const [first, second] = [await lineOf('first'), await lineOf('second')];
    expect(first).to.include({ method: 'GET', path: '/things', status: 200, level: 30 });
    expect(first['durationMs']).to.be.within(0, 1_000);
    expect(first['bytesSent']).to.be.within((sizes[0] ?? 0) + 500, (sizes[0] ?? 0) + 1_500);
    expect(second['bytesSent']).to.be.within((sizes[1] ?? 0) + 500, (sizes[1] ?? 0) + 1_500);
    await exchange(fixture.port, request('/rejects', { 'X-Request-Id': 'third' }));
    expect(await lineOf('third')).to.include({ status: 500, level: 50 });
  });

  it('has the cause of an internal error, with the id of the request', async () => {
    const { headers } = await exchange(fixture.port, request('/rejects'));
    const line = fixture.log.find(
      (text) => text.includes(headers['x-request-id'] ?? '') && text.includes('secret detail'),
    );
    expect(line).to.not.equal(undefined);
  });

  it('has a line for a request that cannot be parsed', async () => {
    const { headers } = await exchange(fixture.port, 'nonsense\r\n\r\n');
    const line = await lineOf(headers['x-request-id'] ?? '');
    expect(line).to.include({ method: '', path: '', status: 400, reason: 'HPE_INVALID_METHOD' });
  });

  it('never contains a token, wherever the client sends the token', async () => {
    const authorization = { Authorization: `Bearer ${SECRET}` };
    for (const text of [
      request('/things', authorization),
      request(`/things?$access_token=${SECRET}`),
      request(`/things?%24ACCESS_TOKEN=${SECRET}`),
      request(`/things?$accessToken=${SECRET}&x`),
      request(`/things&$access_token=${SECRET}`),
      request(`/no/$accessToken=${SECRET}`),
      request(`http://a.test/no?$access_token=${SECRET}`),
      request(`/rejects?$access_token=${SECRET}`, authorization),
      request(`/bad-header?$access_token=${SECRET}`, authorization),
      request('/things', { ...authorization, Expect: 'tea' }),
      `GET /things?$access_token=${SECRET} HTTP/1.1\r\nAuthorization: ${SECRET}\r\nbroken\r\n\r\n`,
      `CONNECT ${SECRET}:1?access_token=${SECRET} HTTP/1.1\r\n\r\n`.replace(`${SECRET}:1`, 'a:1'),
      request(`/things?$access_token=${SECRET}`, { X: 'x'.repeat(20_000) }),
    ]) {
      const answer = await exchange(fixture.port, text);
      await lineOf(answer.headers['x-request-id'] ?? '');
    }
    expect(fixture.log.join('').includes(SECRET)).to.equal(false);
  });
});

describe('The source code of the HTTP layer', () => {
  it('uses no part of Koa that trusts the Host header or needs quadratic time', () => {
    const folder = fileURLToPath(new URL('../../src/', import.meta.url));
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\.tsx?$/.test(name),
    );
    expect(files).to.include.members(['start-http-server.ts', 'read-body.ts', 'router.ts']);
    for (const file of files) {
      const text = readFileSync(join(folder, file), 'utf8');
      expect(text, file).to.not.match(
        /\bctx\.(query|querystring|host|hostname|href|origin|redirect|back|fresh)\b(?!`)/,
      );
    }
  });
});

describe('The log of an app that other machines reach', () => {
  for (const [where, options, warns] of [
    ['without a proxy', { host: '0.0.0.0' }, true],
    ['through a proxy', { host: '0.0.0.0', trustedProxies: ['10.0.0.7'] }, false],
    ['not, because it listens on loopback', { host: '127.0.0.1' }, false],
  ] as const) {
    it(`${warns ? 'says once that a proxy is missing' : 'says nothing'}: ${where}`, async () => {
      const fixture = await startFixture(options);
      const said = fixture.log.filter((line) => line.includes('docs/operating/install.md#the-proxy'));
      expect(said.length).to.equal(warns ? 1 : 0);
      await fixture.close();
    });
  }
});
