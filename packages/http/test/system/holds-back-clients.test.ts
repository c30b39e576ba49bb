import { setTimeout as pause } from 'node:timers/promises';
import { exchange, openConnection, request, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { expectError, type Fixture, startFixture } from '../served-fixture.js';

describe('The HTTP layer', () => {
  let fixture: Fixture;
  afterEach(() => fixture.close());

  it('answers all requests of a client that has closed its side of the connection', async () => {
    fixture = await startFixture();
    const connection = await openConnection(fixture.port);
    connection.socket.end(request('/slow').repeat(3));
    await waitUntil('the requests wait', () => fixture.waiting() === 3);
    fixture.release();
    for (let count = 0; count < 3; count += 1) expect((await connection.answer()).status).to.equal(200);
    expect(await connection.ended()).to.equal(true);
  });

  it('answers health probes at once, even if many requests wait', async () => {
    fixture = await startFixture({ limits: { maxInFlight: 3 } });
    const running = [1, 2, 3].map(() => exchange(fixture.port, request('/slow')));
    await waitUntil('three requests wait', () => fixture.waiting() === 3);
    expect((await exchange(fixture.port, request('/health/ready'))).status).to.equal(200);
    expect((await exchange(fixture.port, request('/metrics'))).status).to.equal(200);
    const refused = await exchange(fixture.port, request('/things'));
    expectError(refused, 500, 'overloaded');
    expect(refused.headers).to.include({ 'retry-after': '1', 'cache-control': 'no-store' });
    fixture.release();
    await Promise.all(running);
  });

  it('refuses a request in the format and with the id of that request', async () => {
    fixture = await startFixture({ limits: { maxInFlight: 1 } });
    const running = exchange(fixture.port, request('/slow'));
    await waitUntil('a request waits', () => fixture.waiting() === 1);
    for (const id of ['one', 'two']) {
      const refused = await exchange(
        fixture.port,
        request('/things?x&%24format=xml', { 'X-Request-Id': id }),
      );
      expect(refused.body.toString()).to.equal('<Error>overloaded</Error>');
      expect(refused.headers).to.include({
        'x-request-id': id,
        'content-type': 'application/xml; charset=utf-8',
      });
    }
    const head = await exchange(fixture.port, request('/things', {}, 'HEAD'), 'HEAD');
    expect(head.status).to.equal(500);
    fixture.release();
    await running;
    const metrics = (await exchange(fixture.port, request('/metrics'))).body.toString();
    expect(metrics).to.match(
      /takt_http_requests_total\{route="\/things",status="refused",format="xml"\} 2\n/,
    );
    expect(metrics).to.not.match(/status="500"/);
  });

  it('refuses a request in the language and format of that request, not of other requests', async () => {
    fixture = await startFixture({ limits: { maxInFlight: 1 } });
    const running = exchange(fixture.port, request('/slow'));
    await waitUntil('a request waits', () => fixture.waiting() === 1);
    for (const type of ['application/json', 'application/xml']) {
      for (const language of ['de', 'nb', 'pl']) {
        for (const text of [
          request('/things', { Accept: type, 'Accept-Language': language }),
          request(`/things?$top=1&$lang=${language}`, { Accept: type, 'Accept-Language': 'sv' }),
        ]) {
          const { headers } = await exchange(fixture.port, text);
          expect(headers).to.include({
            'content-type': `${type}; charset=utf-8`,
            'content-language': language,
          });
        }
      }
    }
    fixture.release();
    await running;
  });

  it('refuses a request that has waited too long, without starting it', async () => {
    fixture = await startFixture({ limits: { maxRunning: 1, answerDeadlineMs: 400, maxWaitMs: 10_000 } });
    const [first, second] = [await openConnection(fixture.port), await openConnection(fixture.port)];
    first.send(request('/hangs'));
    second.send(request('/slow'));
    expectError(await first.answer(), 500, 'databaseUnavailable');
    const late = await second.answer();
    expectError(late, 500, 'overloaded');
    expect(late.headers['retry-after']).to.equal('1');
    expect(fixture.waiting()).to.equal(0);
    for (const connection of [first, second]) connection.destroy();
  });

  it('starts the deadline of a later request on a connection when that request arrives', async () => {
    const answerDeadlineMs = 1_500;
    fixture = await startFixture({ limits: { answerDeadlineMs } });
    const connection = await openConnection(fixture.port);
    for (let round = 0; round < 2; round += 1) {
      connection.send(request('/things'));
      expect((await connection.answer()).status).to.equal(200);
      await pause(answerDeadlineMs);
    }
    connection.send(request('/things'));
    expect((await connection.answer()).status).to.equal(200);
    connection.destroy();
  });

  it('does not count a request as answered if its client has gone', async () => {
    fixture = await startFixture();
    const connection = await openConnection(fixture.port);
    connection.send(request('/slow', { 'X-Request-Id': 'gone' }));
    await waitUntil('the request waits', () => fixture.waiting() === 1);
    connection.socket.resetAndDestroy();
    const line = () =>
      fixture.log.find((text) => text.includes('"requestId":"gone"') && text.includes('"msg":"request"')) ??
      '';
    await waitUntil('the end is in the log', () => line() !== '');
    expect(line()).to.contain('"isAborted":true').and.not.contain('"status"');
    const metrics = (await exchange(fixture.port, request('/metrics'))).body.toString();
    expect(metrics).to.match(/takt_http_requests_total\{route="\/slow",status="aborted",format="none"\} 1\n/);
    expect(metrics).to.not.match(/status="404"/);
    fixture.release();
    const endless = await openConnection(fixture.port);
    endless.send(request('/endless', { 'X-Request-Id': 'midway' }));
    await waitUntil('the answer has begun', () => fixture.pieces() > 0);
    endless.socket.resetAndDestroy();
    await waitUntil('its end is in the log', () => fixture.log.some((text) => text.includes('"midway"')));
    const after = (await exchange(fixture.port, request('/metrics'))).body.toString();
    expect(after).to.match(
      /takt_http_requests_total\{route="\/endless",status="aborted",format="json"\} 1\n/,
    );
  });

  it('answers a client that sends Expect: 100-continue, and closes the connection', async () => {
    fixture = await startFixture();
    const connection = await openConnection(fixture.port);
    connection.send(request('/things', { Expect: '100-continue' }) + request('/things'));
    const answer = await connection.answer();
    expect([answer.status, answer.headers['connection']]).to.deep.equal([200, 'close']);
    expect(await connection.ended()).to.equal(true);
    expect(connection.rest()).to.have.length(0);
  });
});
