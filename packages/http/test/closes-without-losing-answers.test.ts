import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { exchange, openConnection, request, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { expectError, startFixture } from './served-fixture.js';

/** The default deadline for closing the server. */
const DEFAULT_DEADLINE_MS = 5_000;

describe('Closing the HTTP server', () => {
  it('finishes running answers, but refuses new requests', async () => {
    const fixture = await startFixture();
    const idle = await openConnection(fixture.port);
    idle.send(request('/things'));
    await idle.answer();
    const busy = await openConnection(fixture.port);
    busy.send(request('/slow'));
    await waitUntil('the request waits', () => fixture.waiting() === 1);
    const closed = fixture.close();
    expect(await idle.ended()).to.equal(true);
    busy.send(request('/things') + request('/health/ready'));
    await arrived();
    fixture.release();
    const answer = await busy.answer();
    expect(answer.body.toString()).to.equal('"slow"');
    expect(answer.headers['connection']).to.equal('close');
    expect(await busy.ended()).to.equal(true);
    await closed;
    expect(await refusesConnection(fixture.port)).to.equal(true);
  });

  it('does not prevent the answer to a request that has begun to arrive', async () => {
    const fixture = await startFixture();
    const running = exchange(fixture.port, request('/slow'));
    const late = await openConnection(fixture.port);
    late.send('GET /things HTTP/1.1\r\n');
    await waitUntil('the request waits', () => fixture.waiting() === 1);
    await arrived();
    const closed = fixture.close();
    late.send('Host: a\r\n\r\n');
    const answer = await late.answer();
    expectError(answer, 500, 'shuttingDown');
    expect(answer.headers).to.include({ connection: 'close', 'retry-after': '1' });
    expect(await late.ended()).to.equal(true);
    fixture.release();
    expect((await running).status).to.equal(200);
    await closed;
  });

  it('makes /health/ready fail at once, but /health/live only at the end', async () => {
    const fixture = await startFixture();
    const busy = await openConnection(fixture.port);
    busy.send(request('/slow'));
    const asked = await Promise.all(
      ['/health/ready', '/health/live'].map(async (path) => {
        const connection = await openConnection(fixture.port);
        connection.send(`GET ${path} HTTP/1.1\r\n`);
        return connection;
      }),
    );
    await waitUntil('the request waits', () => fixture.waiting() === 1);
    await arrived();
    const closed = fixture.close();
    const statuses = asked.map(async (connection) => {
      connection.send('Host: a\r\n\r\n');
      return (await connection.answer()).status;
    });
    expect(await Promise.all(statuses)).to.deep.equal([503, 200]);
    fixture.release();
    await closed;
  });

  it('takes no longer than its deadline, and may be requested twice', async () => {
    const fixture = await startFixture({ limits: { closeDeadlineMs: 200 } });
    const hanging = await openConnection(fixture.port);
    hanging.send(request('/hangs'));
    const endless = await openConnection(fixture.port);
    endless.send(request('/endless'));
    await waitUntil('the answer has begun', () => fixture.pieces() > 0);
    const startedAt = performance.now();
    await Promise.all([fixture.close(), fixture.close()]);
    expect(performance.now() - startedAt).to.be.within(190, DEFAULT_DEADLINE_MS);
    expect(await hanging.ended()).to.equal(true);
  });

  it('does not wait for queued requests of clients that have gone', async () => {
    const closeDeadlineMs = 25_000;
    const fixture = await startFixture({ limits: { closeDeadlineMs } });
    const gone = await openConnection(fixture.port);
    gone.send(request('/slow', { 'X-Request-Id': 'gone' }).repeat(3));
    await waitUntil('they are in work', () => fixture.waiting() === 3);
    gone.socket.resetAndDestroy();
    await waitUntil('its end is in the log', () => fixture.log.some((line) => line.includes('"gone"')));
    const startedAtMs = performance.now();
    await fixture.close();
    expect(performance.now() - startedAtMs).to.be.lessThan(closeDeadlineMs / 2);
  });

  it('does not wait for clients that have sent half a request', async () => {
    const closeDeadlineMs = 25_000;
    const fixture = await startFixture({ limits: { closeDeadlineMs } });
    const half = await openConnection(fixture.port);
    half.send('GET /things HTTP/1.1\r\n');
    await arrived();
    const startedAt = performance.now();
    await fixture.close();
    expect(performance.now() - startedAt).to.be.lessThan(closeDeadlineMs / 2);
    half.destroy();
  });

  it('is not needed if the start fails because the port is in use', async () => {
    const fixture = await startFixture();
    const { startHttpServer } = await import('../src/start-http-server.js');
    const { pino } = await import('pino');
    const second = startHttpServer({
      host: '127.0.0.1',
      port: fixture.port,
      basePath: '',
      service: {
        routes: [],
        answerError: () => {
          throw new Error('not asked');
        },
        findProblems: async () => [],
      },
      extraRoutes: [],
      logger: pino({ level: 'silent' }),
    });
    expect(await second.catch((error: NodeJS.ErrnoException) => error.code)).to.equal('EADDRINUSE');
    await fixture.close();
  });
});

function refusesConnection(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket
      .on('error', () => resolve(true))
      .on('connect', () => {
        socket.destroy();
        resolve(false);
      });
  });
}

/**
 * Waits until the server has read everything that was sent over the loopback interface, even if this process was
 * delayed.
 */
async function arrived(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 50));
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
}
