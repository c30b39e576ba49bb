import { performance } from 'node:perf_hooks';
import { exchange, openConnection, request, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { expectError, type Fixture, startFixture } from './served-fixture.js';

/** The default deadline of an answer. */
const DEFAULT_DEADLINE_MS = 2_800;

describe('The HTTP layer under load and with failing routes', () => {
  let fixture: Fixture;
  const get = (target: string) => exchange(fixture.port, request(target));
  before(async () => {
    fixture = await startFixture({
      limits: { maxInFlight: 3, stalledClientTimeoutMs: 1_000 },
    });
  });
  after(() => fixture.close());

  it('refuses requests above the limit until a running request has ended', async () => {
    const running = [1, 2, 3].map(() => get('/slow'));
    await waitUntil('three requests wait', () => fixture.waiting() === 3);
    const refused = await get('/things');
    expectError(refused, 500, 'overloaded');
    expect(refused.headers['retry-after']).to.equal('1');
    expect((await get('/health/live')).status).to.equal(200);
    fixture.release();
    for (const answer of await Promise.all(running)) expect(answer.status).to.equal(200);
    expect((await get('/things')).status).to.equal(200);
  });

  it('answers at its deadline if the route does not answer, and then accepts another request', async () => {
    const impatient = await startFixture({ limits: { maxInFlight: 3, answerDeadlineMs: 400 } });
    const ask = (target: string) => exchange(impatient.port, request(target));
    const startedAt = performance.now();
    for (const answer of await Promise.all([1, 2, 3].map(() => ask('/hangs')))) {
      expectError(answer, 500, 'databaseUnavailable');
      expect(answer.headers['retry-after']).to.equal('2');
    }
    expect(performance.now() - startedAt).to.be.within(390, DEFAULT_DEADLINE_MS);
    await waitUntil('there is a place again', async () => (await ask('/things')).status === 200);
    await impatient.close();
  });

  it('goes on if a route fails after the deadline', async () => {
    const impatient = await startFixture({ limits: { answerDeadlineMs: 300 } });
    const answer = await exchange(impatient.port, request('/fails-late'));
    expectError(answer, 500, 'databaseUnavailable');
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    impatient.release();
    await new Promise((resolve) => setTimeout(resolve, 50));
    process.off('unhandledRejection', note);
    // Such a rejection ends the process of an app.
    expect(unhandled).to.deep.equal([]);
    await impatient.close();
  });

  for (const target of ['/rejects', '/rejects-nothing', '/bad-header', '/breaks-at-once', '/breaks-whole']) {
    it(`answers ${target} with an internal error that reveals nothing, in every encoding`, async () => {
      for (const encoding of ['identity', 'gzip', 'br']) {
        const answer = await exchange(fixture.port, request(target, { 'Accept-Encoding': encoding }));
        expectError(answer, 500, 'internalError');
        expect(answer.body.toString()).to.not.contain('secret');
        expect(answer.headers).to.not.have.any.keys('etag', 'resource-id', 'content-encoding');
      }
    });
  }

  for (const encoding of ['identity', 'gzip', 'br']) {
    it(`closes the connection if a stream fails half-way, so that the answer never looks complete (${encoding})`, async () => {
      const connection = await openConnection(fixture.port);
      connection.send(request('/breaks-later', { 'Accept-Encoding': encoding }));
      expect(await connection.ended()).to.equal(true);
      expect(connection.rest().toString('latin1')).to.not.contain('\r\n0\r\n');
    });
  }

  for (const encoding of ['identity', 'gzip']) {
    it(`logs a failed stream once, but not on standard error (${encoding})`, async () => {
      // An app of its own, because a request of an earlier test may be logged only now.
      const { port, log, close } = await startFixture();
      const printed: unknown[] = [];
      const print = console.error;
      console.error = (text: unknown) => printed.push(text);
      try {
        const connection = await openConnection(port);
        connection.send(request('/breaks-later', { 'Accept-Encoding': encoding }));
        await connection.ended();
        await waitUntil('the end is in the log', () => log.some((line) => line.includes('isAborted')));
      } finally {
        console.error = print;
        await close();
      }
      const ofRequest = log.filter((line) => line.includes('breaks-later') || line.includes('secret detail'));
      expect(ofRequest.filter((line) => line.includes('secret detail'))).to.have.length(1);
      expect(ofRequest.find((line) => line.includes('secret detail'))).to.contain('"level":50');
      expect(ofRequest).to.have.length(2);
      expect(printed).to.deep.equal([]);
    });
  }

  for (const encoding of ['identity', 'gzip']) {
    it(`closes a stream at once and without an error if its client is dropped (${encoding})`, async () => {
      const own = await startFixture();
      const connection = await openConnection(own.port);
      connection.send(request('/given-up', { 'Accept-Encoding': encoding }));
      await waitUntil('it has begun', () => connection.rest().length > 0);
      own.giveUp();
      expect(await connection.ended()).to.equal(true);
      const toldOf = (line: string) => line.includes('an answer broke off') && line.includes('"level":50');
      expect(own.log.filter(toldOf)).to.deep.equal([]);
      await own.close();
    });
  }

  it('lets other requests run while it generates an expensive stream', async () => {
    let turns = 0;
    let isWaiting = true;
    const takeTurns = () => {
      if (!isWaiting) return;
      turns += 1;
      setImmediate(takeTurns);
    };
    takeTurns();
    const answer = await get('/laborious');
    isWaiting = false;
    expect(answer.body.length).to.equal(60);
    // If the stream were generated in one go, no other turn of the event loop would run between its first and its last
    // piece.
    expect(turns).to.be.at.least(30);
  });

  it('generates only pieces that the client reads, and drops a client that reads none', async () => {
    const before = fixture.pieces();
    const connection = await openConnection(fixture.port);
    connection.socket.pause();
    connection.send(request('/endless'));
    await waitUntil('the answer has begun', () => fixture.pieces() > before);
    let made = -1;
    await waitUntil('the pieces stop', () => {
      const isStill = made === fixture.pieces();
      made = fixture.pieces();
      return isStill;
    });
    expect((made - before) * 1_000).to.be.lessThan(20_000_000);
    await waitUntil('the end is in the log', () =>
      fixture.log.some((line) => line.includes('/endless') && line.includes('isAborted')),
    );
    connection.destroy();
  });

  it('lets other requests run while a fast client reads an endless stream', async () => {
    const connection = await openConnection(fixture.port);
    let received = 0;
    connection.socket.removeAllListeners('data').on('data', (chunk) => {
      received += chunk.length;
    });
    connection.send(request('/endless'));
    await waitUntil('a megabyte has come', () => received > 1_000_000);
    const startedAt = performance.now();
    expect((await get('/things')).status).to.equal(200);
    // If the stream did not let other requests run, they would never be answered, because the stream has no end.
    expect(performance.now() - startedAt).to.be.lessThan(5_000);
    connection.destroy();
  });

  it('closes connections above the limit, and accepts new ones when others have ended', async () => {
    const few = await startFixture({ limits: { maxConnections: 2 } });
    const [first, second] = [await openConnection(few.port), await openConnection(few.port)];
    for (const connection of [first, second]) {
      connection.send(request('/things'));
      expect((await connection.answer()).status).to.equal(200);
    }
    expect(await (await openConnection(few.port)).ended()).to.equal(true);
    first.destroy();
    await waitUntil('there is room', async () =>
      exchange(few.port, request('/things')).then(
        ({ status }) => status === 200,
        () => false,
      ),
    );
    second.destroy();
    await few.close();
  });

  it('counts a request as ended, even if its connection was reset', async () => {
    const connection = await openConnection(fixture.port);
    connection.send(request('/slow'));
    await waitUntil('it waits', () => fixture.waiting() === 1);
    connection.socket.resetAndDestroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    fixture.release();
    await waitUntil('its end is in the log', () =>
      fixture.log.some((line) => line.includes('"path":"/slow"') && line.includes('isAborted')),
    );
    expect((await get('/metrics')).body.toString()).to.match(/takt_http_requests_in_flight 1\n/);
  });
});
