import { exchange, malformedRequests, openConnection, request, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { expectError, expectHeaders, type Fixture, startFixture } from './served-fixture.js';

interface Refused {
  readonly what: string;
  readonly text: string;
  readonly status: number;
  readonly code: string;
  readonly parameters?: readonly string[];
  /** True if the connection must stay open for more requests. */
  readonly isKept: boolean;
}

const malformed = { status: 400, code: 'malformedRequest', parameters: [], isKept: false };
const tooLarge = { status: 400, code: 'headerTooLarge', parameters: ['32768'], isKept: false };
const absent = (...parameters: string[]) => ({
  status: 404,
  code: 'resourceNotFound',
  parameters,
  isKept: true,
});
const H = 'Host: a\r\n';

const refused: readonly Refused[] = [
  ...malformedRequests('/things').map((one) => ({ ...one, ...malformed })),
  {
    what: 'no Host',
    text: 'GET /things HTTP/1.1\r\n\r\n',
    ...{ status: 400, code: 'hostHeaders', parameters: ['0'], isKept: false },
  },
  ...['/things', '/health/live', '/health/ready', '/metrics'].map((path) => ({
    what: `two Hosts on ${path}`,
    text: `GET ${path} HTTP/1.1\r\n${H}Host: b\r\n\r\n`,
    ...{ status: 400, code: 'hostHeaders', parameters: ['2'], isKept: false },
  })),
  {
    what: 'an overlong URL',
    text: request(`/${'x'.repeat(40_000)}`),
    ...tooLarge,
  },
  {
    what: 'a URL of 1 MB',
    text: request(`/things?$filter=${'x'.repeat(1_000_000)}`),
    ...tooLarge,
  },
  {
    what: 'headers that are too large together',
    text: request(
      '/things',
      Object.fromEntries(Array.from({ length: 80 }, (_, i) => [`X-${i}`, 'x'.repeat(420)])),
    ),
    ...tooLarge,
  },
  {
    what: 'many headers',
    text: `GET /things HTTP/1.1\r\n${H}${'a:\r\n'.repeat(300)}\r\n`,
    ...{ ...tooLarge, code: 'tooManyHeaders', parameters: ['100'] },
  },
  {
    what: 'CONNECT',
    text: `CONNECT a:443 HTTP/1.1\r\n${H}\r\n`,
    ...absent('CONNECT', 'a:443'),
    isKept: false,
  },
  // The HTTP parser of Node.js does not know these methods. It rejects the last of them at the end of the method, not
  // at the first character.
  ...['BREW', 'FOO', 'get', 'GETX', 'MKCOLX', '$x', 'DESCRIBE'].map((method) => ({
    what: `the unknown method ${method}`,
    text: request('/things?$access_token=abc', {}, method),
    ...malformed,
  })),
  ...['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'].flatMap((method) => [
    { what: `${method} on a resource`, text: request('/things', {}, method), ...absent(method, '/things') },
    { what: `${method} on no resource`, text: request('/no', {}, method), ...absent(method, '/no') },
  ]),
  { what: 'POST on health', text: request('/health/live', {}, 'POST'), ...absent('POST', '/health/live') },
  {
    what: 'POST with a body',
    text: `${request('/things', { 'Content-Length': '5' }, 'POST')}12345`,
    ...absent('POST', '/things'),
  },
  {
    what: 'POST with a body of unknown length',
    text: `${request('/things', { 'Transfer-Encoding': 'chunked' }, 'POST')}5\r\n12345\r\n0\r\n\r\n`,
    ...absent('POST', '/things'),
  },
  {
    what: 'POST that waits for 100',
    text: request('/things', { Expect: '100-continue', 'Content-Length': '5' }, 'POST'),
    ...absent('POST', '/things'),
    isKept: false,
  },
  { what: 'the root', text: request('/'), ...absent('GET', '/') },
  { what: 'a secret', text: request('/no?$access_token=abc'), ...absent('GET', '/no') },
  { what: 'another case', text: request('/Things'), ...absent('GET', '/Things') },
  { what: 'a slash at the end', text: request('/things/'), ...absent('GET', '/things/') },
  { what: 'double slashes', text: request('//things'), ...absent('GET', '//things') },
  {
    what: 'double slashes with a host',
    text: request('//evil.test/things'),
    ...absent('GET', '//evil.test/things'),
  },
  { what: 'dots', text: request('/x/../things'), ...absent('GET', '/x/../things') },
  { what: 'an encoded null byte', text: request('/things%00'), ...absent('GET', '/things%00') },
  { what: 'an encoded slash', text: request('/things%2f'), ...absent('GET', '/things%2f') },
  { what: 'malformed percent encoding', text: request('/%E0%A4%A'), ...absent('GET', '/%E0%A4%A') },
  { what: 'a fragment', text: request('/things#x'), ...absent('GET', '/things#x') },
  { what: 'markup', text: request('/<script>"'), ...absent('GET', '/<script>"') },
  { what: 'prototype names', text: request('/__proto__'), ...absent('GET', '/__proto__') },
  { what: 'an asterisk', text: request('*'), ...absent('GET', '*') },
  { what: 'an absolute URL of no resource', text: request('http://evil.test/no?x'), ...absent('GET', '/no') },
  { what: 'OPTIONS on no resource', text: request('/no', {}, 'OPTIONS'), ...absent('OPTIONS', '/no') },
];

describe('The HTTP layer', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await startFixture();
  });
  after(() => fixture.close());

  for (const { what, text, status, code, parameters, isKept } of refused) {
    it(`answers ${what} with ${status} ${code} on a connection that is ${isKept ? 'kept' : 'closed'}`, async () => {
      const connection = await openConnection(fixture.port);
      connection.send(text);
      const body = expectError(await connection.answer(), status, code);
      expect(body.parameters.map(({ value }) => value)).to.deep.equal(parameters);
      if (isKept) {
        connection.send(request('/things'));
        expect((await connection.answer()).status).to.equal(200);
      } else {
        expect(await connection.ended()).to.equal(true);
        expect(connection.rest()).to.have.length(0);
      }
      connection.destroy();
    });
  }

  it('writes an error in the requested format if that format can be read', async () => {
    for (const text of [
      request('/no?$format=xml'),
      `CONNECT a:443?$format=xml HTTP/1.1\r\n${H}\r\n`,
      request('/things?$format=xml', { Expect: 'tea' }),
      'GET /things?$format=xml HTTP/1.1\r\n\r\n',
    ]) {
      const answer = await exchange(fixture.port, text);
      expect(answer.headers['content-type']).to.equal('application/xml; charset=utf-8');
      expect(answer.body.toString()).to.match(/^<Error>/);
    }
  });

  it('answers HEAD of a missing path with the headers of GET and without a body', async () => {
    const get = await exchange(fixture.port, request('/no'));
    const head = await exchange(fixture.port, request('/no', {}, 'HEAD'), 'HEAD');
    expect(head.status).to.equal(404);
    expect(head.headers['content-length']).to.equal(String(get.body.length));
    expectHeaders(head);
  });

  it('answers a valid request, and closes the connection before the malformed request that follows it', async () => {
    const connection = await openConnection(fixture.port);
    connection.send(`${request('/slow')}nonsense\r\n\r\n`);
    await waitUntil('the request waits', () => fixture.waiting() === 1);
    fixture.release();
    const first = await connection.answer();
    expect(first.body.toString()).to.equal('"slow"');
    expect(await connection.ended()).to.equal(true);
    expect(connection.rest()).to.have.length(0);
  });

  it('answers a request with an unreadable body once, and closes the connection', async () => {
    const connection = await openConnection(fixture.port);
    connection.send(`${request('/things', { 'Transfer-Encoding': 'chunked' }, 'POST')}nonsense\r\n`);
    expectError(await connection.answer(), 404, 'resourceNotFound');
    expect(await connection.ended()).to.equal(true);
    expect(connection.rest()).to.have.length(0);
  });

  it('lets a client read the answer while the client is still sending', async () => {
    const before = fixture.log.filter((line) => line.includes('HPE_HEADER_OVERFLOW')).length;
    for (let round = 0; round < 5; round += 1) {
      const connection = await openConnection(fixture.port);
      connection.socket.pause();
      connection.send(request('/things', { X: 'x'.repeat(2_000_000) }));
      await new Promise((resolve) => setTimeout(resolve, 50));
      connection.socket.resume();
      expectError(await connection.answer(), 400, 'headerTooLarge');
      expect(await connection.ended()).to.equal(true);
      connection.destroy();
    }
    expect(fixture.log.filter((line) => line.includes('HPE_HEADER_OVERFLOW')).length - before).to.equal(5);
  });

  it('does not read an endless body', async () => {
    const connection = await openConnection(fixture.port);
    connection.send(`${request('/things', { 'Content-Length': '1000000000' })}${'x'.repeat(100_000)}`);
    expect((await connection.answer()).status).to.equal(200);
    expect(await connection.ended()).to.equal(true);
  });

  it('keeps working when a connection is reset at any point', async () => {
    for (const text of [
      '',
      'GET',
      request('/slow'),
      'nonsense\r\n\r\n',
      request('/endless'),
      `CONNECT a:1 HTTP/1.1\r\n${H}\r\n`,
    ]) {
      const connection = await openConnection(fixture.port);
      connection.send(text);
      await new Promise((resolve) => setTimeout(resolve, 20));
      connection.socket.resetAndDestroy();
    }
    fixture.release();
    expect((await exchange(fixture.port, request('/things'))).status).to.equal(200);
  });
});

describe('A client that does not finish its request', () => {
  const limits = { requestTimeoutMs: 300, requestTimeoutCheckMs: 50 };
  let fixture: Fixture;
  before(async () => {
    fixture = await startFixture({ limits, arrivalMs: 300 });
  });
  after(() => fixture.close());

  it('is disconnected with an error, even if it keeps sending', async () => {
    const connection = await openConnection(fixture.port);
    connection.send('GET /things HTTP/1.1\r\nHost: a\r\n');
    const drip = setInterval(() => connection.send('X: y\r\n'), 40);
    try {
      const body = expectError(await connection.answer(), 400, 'requestTimeout');
      expect(body.parameters.map(({ value }) => value)).to.deep.equal(['0.3']);
    } finally {
      clearInterval(drip);
    }
    expect(await connection.ended()).to.equal(true);
  });

  it('is disconnected without an answer if it never sent anything', async () => {
    const connection = await openConnection(fixture.port);
    expect(await connection.ended()).to.equal(true);
    expect(connection.rest()).to.have.length(0);
  });

  it('is disconnected after the answer if the body does not arrive', async () => {
    const connection = await openConnection(fixture.port);
    connection.send(request('/things', { 'Content-Length': '10' }));
    expect((await connection.answer()).status).to.equal(200);
    expect(await connection.ended()).to.equal(true);
    expect(connection.rest()).to.have.length(0);
  });
});
