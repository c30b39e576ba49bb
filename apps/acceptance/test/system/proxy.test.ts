import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAccessToken, createUser } from '@takt/access';
import { type AppProcess, createTestDatabase, startApp, type TestDatabase } from '@takt/database/testing';
import { migrateQueueSchema } from '@takt/events/internal';
import { addCompany } from '@takt/figures/master-data';
import {
  completion,
  exchange,
  findFreePort,
  needsProgram,
  openConnection,
  request,
  startProxy,
  type TestProxy,
  waitUntil,
} from '@takt/test-support';
import { expect } from 'chai';
import { TOKEN_LIFETIME_MS } from '../support/test-api.js';

const COMPANY = 'TEM-NO';
const PASSWORD = 'correct horse battery';
const BATCH = 'application/cloudevents-batch+json';

interface ErrorBody {
  readonly hTTPStatusCode: string;
  readonly errorMessage: { readonly errorMessageId: number };
}

describe('the apps behind docker/haproxy/haproxy.cfg', function () {
  this.timeout(180_000);
  let test: TestDatabase;
  let apps: readonly AppProcess[] = [];
  let proxy: TestProxy;
  let port: number;
  let [reading, publishing] = ['', ''];
  let pid: number;

  before(async function () {
    needsProgram(this, 'haproxy');
    test = await createTestDatabase();
    await migrateQueueSchema(test.url);
    await addCompany(test.database, COMPANY, 'Company');
    port = await findFreePort();
    const url = `http://127.0.0.1:${port}`;
    const environment = {
      ...{ TRUSTED_PROXIES: '127.0.0.1', BASE_URL: url, DASHBOARD_URL: `${url}/operations` },
      LOG_LEVEL: 'info',
    };
    const baseUrlOf = () => url;
    const start = (app: 'api' | 'intake' | 'dashboard') =>
      startApp(app, { databaseUrl: test.url, queueUrl: test.url, environment, baseUrlOf });
    apps = await Promise.all([start('api'), start('intake'), start('dashboard')]);
    const [api = '', intake = '', dashboard = ''] = apps.map(({ origin }) => new URL(origin).host);
    proxy = await startProxy(port, { api, intake, dashboard });
    const token = (rights: object) =>
      createAccessToken(test.database, {
        companyCodes: [COMPANY],
        expiresInMs: TOKEN_LIFETIME_MS,
        ...rights,
      });
    reading = (await token({})).token;
    publishing = (await token({ mayPublish: true })).token;
    pid = await createUser(test.database, {
      ...{ name: 'Nilsen', companyCodes: [COMPANY], roles: ['operator'], duties: [], password: PASSWORD },
    });
  });
  after(async () => {
    await proxy?.close();
    await Promise.all(apps.map((app) => app.stop()));
    await test?.close();
  });

  const get = (url: string, headers = {}) => fetch(url, { redirect: 'manual', headers });
  const publish = (url: string, events: readonly object[]) =>
    fetch(`${url}/events`, {
      method: 'POST',
      headers: { authorization: `Bearer ${publishing}`, 'content-type': BATCH },
      body: JSON.stringify(events),
    });
  const list = '/product/structure-versions/aggregated-production-times?$format=json';

  it('have one address: the API, the intake below /events and the dashboard below /operations', async () => {
    const { url } = proxy;
    const answer = await get(url + list, { authorization: `Bearer ${reading}` });
    expect(answer.status).to.equal(200);
    expect((await publish(url, [completion(1), completion(2)])).status).to.equal(202);
    const sources = [
      '/openapi.json',
      '/events/openapi.json',
      '/events/schemas/work-order-operation.completed.v1.schema.json',
    ];
    const texts = await Promise.all(sources.map(async (path) => (await get(url + path)).text()));
    expect(texts[0]).to.include('"title":"Takt"');
    expect(texts[1]).to.include('"title":"Takt intake"');
    expect(texts[2]).to.include('work-order-operation.completed.v1').and.include('"$schema"');
    const page = await get(`${url}/operations`);
    expect([page.status, (await page.text()).includes('action="/operations/sign-in')]).to.deep.equal([
      403,
      true,
    ]);
    const signIn = await fetch(`${url}/operations/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: url },
      body: new URLSearchParams({ login: String(pid), password: PASSWORD }),
    });
    const cookie = signIn.headers.get('set-cookie')?.split(';')[0] ?? '';
    expect([signIn.status, signIn.headers.get('location')]).to.deep.equal([303, `${url}/operations/`]);
    expect(await (await get(`${url}/operations/rejected`, { cookie })).text()).to.include(
      'Signed in as Nilsen',
    );
    const live = await fetch(`${url}/operations/live`, { headers: { cookie } });
    expect(live.headers.get('content-type')).to.include('text/event-stream');
    await live.body?.cancel();
  });

  it('answer on the ports of 1.0.0, except that people go to the one address', async () => {
    const { old, url } = proxy;
    expect((await get(old.api + list, { authorization: `Bearer ${reading}` })).status).to.equal(200);
    expect((await publish(old.intake, [completion(3)])).status).to.equal(202);
    expect((await get(`${old.intake}/openapi.json`)).status).to.equal(200);
    const moved = await get(`${old.dashboard}/rejected?text=a`);
    expect([moved.status, moved.headers.get('location')]).to.deep.equal([
      307,
      `${url}/operations/rejected?text=a`,
    ]);
  });

  it('keep their metrics to themselves; the proxy has its own for Prometheus', async () => {
    for (const url of [proxy.url, ...Object.values(proxy.old)]) {
      expect((await get(`${url}/metrics`)).status, url).to.equal(404);
    }
    const { status } = await get(`${proxy.metrics}/metrics`);
    expect(status).to.equal(200);
    expect((await get(`${proxy.metrics}/`)).status).to.equal(404);
  });

  it('get no request that the proxy refuses; the answer is an error of the catalogue', async () => {
    const errorOf = async (answer: Response) => {
      expect(answer.headers.get('content-type')).to.equal('application/json; charset=utf-8');
      const { hTTPStatusCode, errorMessage } = (await answer.json()) as ErrorBody;
      expect(hTTPStatusCode).to.equal(String(answer.status));
      return [answer.status, errorMessage.errorMessageId];
    };
    const headers = { 'content-type': BATCH };
    const large = { method: 'POST', headers, body: 'x'.repeat(6_000_000) };
    expect(await errorOf(await fetch(`${proxy.url}/events`, large))).to.deep.equal([403, 100100]);
    large.headers = { ...headers, authorization: `Bearer ${publishing}` } as typeof headers;
    expect(await errorOf(await fetch(`${proxy.url}/events`, large))).to.deep.equal([400, 100452]);
    expect(await errorOf(await get(`${proxy.url}/metrics`))).to.deep.equal([404, 100000]);
    for (const [path, type] of [
      ['/events', 'application/json; charset=utf-8'],
      ['/operations/rejected/retry', 'text/html; charset=utf-8'],
    ] as const) {
      // The proxy decides when it has the first 64 KB.
      const text = request(path, { 'Content-Length': '20000001' }, 'POST') + 'x'.repeat(70_000);
      const refused = await exchange(port, text);
      expect([refused.status, refused.headers['content-type']], path).to.deep.equal([400, type]);
    }
    // HAProxy has its own text for a head that it cannot read.
    expect((await exchange(port, 'GET / HTTP/1.1\r\nHost: a\r\nA B: c\r\n\r\n')).status).to.equal(400);
  });

  it('get no request that hides another: each ends at the proxy or is one request', async () => {
    const hidden = 'GET /hidden HTTP/1.1\r\nHost: a\r\n\r\n';
    const size = String(hidden.length);
    const heads = [
      // Two requests of which nothing is hidden: the proxy sees both.
      'Transfer-Encoding: chunked\r\n',
      `Content-Length: ${size}\r\nTransfer-Encoding: chunked\r\n`,
      `Transfer-Encoding: chunked\r\nContent-Length: ${size}\r\n`,
      `Content-Length: 0\r\nContent-Length: ${size}\r\n`,
      `Content-Length: ${size}, 0\r\n`,
      `Content-Length: +${size}\r\n`,
      `Content-Length : ${size}\r\n`,
      `Content-Length: 0x1f\r\n`,
      'Transfer-Encoding: xchunked\r\n',
      'Transfer-Encoding : chunked\r\n',
      'Transfer-Encoding:\tchunked\r\nContent-Length: 4\r\n',
      'Transfer-Encoding: identity, chunked, identity\r\n',
      'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n',
      'X: a\r\n Transfer-Encoding: chunked\r\n',
      'X: a\rTransfer-Encoding: chunked\r\n',
      '\x0bTransfer-Encoding: chunked\r\n',
    ];
    for (const head of heads) {
      const text = `POST /events HTTP/1.1\r\nHost: a\r\nContent-Type: ${BATCH}\r\nAuthorization: Bearer ${publishing}\r\n${head}\r\n0\r\n\r\n${hidden}`;
      const connection = await openConnection(port);
      connection.send(text);
      await connection.ended(400);
      connection.destroy();
    }
    // The proxy sends /hidden to the API. The intake sees it only if it came inside of another request.
    const [, intake] = apps;
    expect(intake?.output()).not.to.include('/hidden');
    // It would log it.
    await fetch(`${intake?.origin}/hidden`);
    await waitUntil('the intake logs a request', async () => intake?.output().includes('/hidden') === true);
  });

  it('receive files of 20 MB to be imported', async () => {
    const importer = await createUser(test.database, {
      ...{ name: 'Importer', companyCodes: [COMPANY], roles: ['operator'], password: PASSWORD },
      duties: ['operate-queues', 'read-production-times'],
    });
    const { token } = await createAccessToken(test.database, {
      ...{ companyCodes: [COMPANY], pid: importer, expiresInMs: TOKEN_LIFETIME_MS },
    });
    const form = new FormData();
    form.set('company', COMPANY);
    form.set('file', new File(['Order;Time\n', 'a;1\n'.repeat(5_000_000)], 'large.csv'));
    const answer = await fetch(`${proxy.url}/operations/import/upload`, {
      ...{ method: 'POST', body: form, redirect: 'manual' },
      headers: { cookie: `takt_session=${token}`, origin: proxy.url },
    }).catch((error: Error) => {
      throw new Error(`${error.message} ${String(error.cause)}\n${proxy.output()}`);
    });
    expect(answer.status, proxy.output()).to.equal(303);
    expect(answer.headers.get('location')).to.match(/\/operations\/import\/file\?id=/);
  });

  it('that are away are answered for, within the time of a queue, and found again', async () => {
    const [api, , dashboard] = apps;
    await api?.stop();
    const error = await get(proxy.url + list, { authorization: `Bearer ${reading}` });
    expect([error.status, error.headers.get('retry-after')]).to.deep.equal([500, '1']);
    expect(((await error.json()) as ErrorBody).errorMessage.errorMessageId).to.equal(100002);
    expect((await publish(proxy.url, [completion(4)])).status).to.equal(202);
    await dashboard?.stop();
    const page = await get(`${proxy.url}/operations`);
    expect([page.status, page.headers.get('content-type')]).to.deep.equal([500, 'text/html; charset=utf-8']);
    const apiPort = Number(new URL(api?.origin ?? '').port);
    const environment = { TRUSTED_PROXIES: '127.0.0.1' };
    const again = await startApp('api', { ...{ databaseUrl: test.url, port: apiPort, environment } });
    apps = [again, ...apps.slice(1)];
    await waitUntil(
      'the API is found again',
      async () => (await get(proxy.url + list, { authorization: `Bearer ${reading}` })).status === 200,
      20_000,
    );
  });
});

describe('docker/haproxy/haproxy.cfg', () => {
  /** A server that answers with the headers that it got. */
  const startEcho = async () => {
    const server = createServer((asked, answer) => answer.end(JSON.stringify(asked.headers)));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return server;
  };
  const LIES = {
    'x-forwarded-for': '203.0.113.7, 198.51.100.9',
    'x-forwarded-proto': 'https',
    forwarded: 'for=203.0.113.7',
  };

  for (const [whose, trusted, expected] of [
    ['drops what a client says about itself', '', '127.0.0.1'],
    ['believes a proxy in front of it', '10.0.0.0/8 127.0.0.1', '198.51.100.9'],
  ] as const) {
    it(`tells the apps the address of the client: ${whose}`, async function () {
      needsProgram(this, 'haproxy');
      const echo = await startEcho();
      const host = `127.0.0.1:${(echo.address() as AddressInfo).port}`;
      const upstreams = { api: host, intake: host, dashboard: host };
      const proxy = await startProxy(await findFreePort(), upstreams, { TAKT_TRUSTED_PROXIES: trusted });
      try {
        for (const path of ['/', '/events/x', '/operations']) {
          const asked = await fetch(proxy.url + path, { headers: LIES });
          const headers = (await asked.json()) as Readonly<Record<string, string>>;
          expect(headers, path).to.include({ 'x-forwarded-for': expected, 'x-forwarded-proto': 'http' });
          expect(headers, path).not.to.have.property('forwarded');
        }
      } finally {
        await proxy.close();
        echo.close();
      }
    });
  }

  it('does not redirect the old port of a dashboard that has a URL of its own', async function () {
    needsProgram(this, 'haproxy');
    const echo = await startEcho();
    const host = `127.0.0.1:${(echo.address() as AddressInfo).port}`;
    const own = { TAKT_DASHBOARD_URL: 'https://takt-operators.example' };
    const proxy = await startProxy(await findFreePort(), { api: host, intake: host, dashboard: host }, own);
    try {
      expect((await fetch(`${proxy.old.dashboard}/rejected`, { redirect: 'manual' })).status).to.equal(200);
    } finally {
      await proxy.close();
      echo.close();
    }
  });
});
