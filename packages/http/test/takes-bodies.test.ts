import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { exchange, openConnection, type RawAnswer, request, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { expectError, type Fixture, MAX_BODY_BYTES, startFixture } from './served-fixture.js';

const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };
const SMALL = 'x'.repeat(1_000);
const LARGE = 'y'.repeat(200_000);

function post(body: string, headers: Readonly<Record<string, string>> = {}): string {
  const given = { ...JSON_TYPE, 'Content-Length': String(body.length), ...headers };
  return request('/body', given, 'POST') + body;
}

function chunked(body: string): string {
  const chunks = (body.match(/.{1,30000}/g) ?? []).map(
    (text) => `${text.length.toString(16)}\r\n${text}\r\n`,
  );
  const head = request('/body', { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' }, 'POST');
  return `${head}${chunks.join('')}0\r\n\r\n`;
}

const zipped = (text: string) => gzipSync(text).toString('latin1');
const GZIP = { 'Content-Encoding': 'gzip' };

interface Brought {
  readonly text?: string;
  readonly problem?: string;
}

function broughtBy({ status, body }: RawAnswer): Brought {
  expect(status).to.equal(200);
  return JSON.parse(body.toString());
}

describe('A posted body', () => {
  let fixture: Fixture;
  const limits = { maxBodiesBytes: 900_000 };
  before(async () => {
    fixture = await startFixture({ limits });
  });
  after(() => fixture.close());

  it('arrives complete, whatever its size, its pieces and its encoding', async () => {
    const connection = await openConnection(fixture.port);
    for (const body of ['', SMALL, LARGE, 'z'.repeat(MAX_BODY_BYTES)]) {
      for (const text of [post(body), chunked(body), post(zipped(body), GZIP)]) {
        connection.send(text);
        expect(broughtBy(await connection.answer()).text === body, text.slice(0, 200)).to.equal(true);
      }
    }
    for (const sign of post(SMALL)) {
      connection.send(sign);
      await new Promise(setImmediate);
    }
    expect(broughtBy(await connection.answer()).text).to.equal(SMALL);
    expect(await connection.ended(50)).to.equal(false);
    connection.destroy();
  });

  it('may be followed by further requests', async () => {
    const connection = await openConnection(fixture.port);
    connection.send(post(LARGE) + request('/things') + chunked(LARGE) + post(SMALL));
    expect(broughtBy(await connection.answer()).text === LARGE).to.equal(true);
    expect((await connection.answer()).body.toString()).to.equal('{"things":[]}');
    expect(broughtBy(await connection.answer()).text === LARGE).to.equal(true);
    expect(broughtBy(await connection.answer()).text).to.equal(SMALL);
    connection.destroy();
  });

  it('is refused for its content only after the whole body was sent', async () => {
    const tooLarge = 'x'.repeat(MAX_BODY_BYTES + 1);
    const refused: readonly (readonly [problem: string, text: string])[] = [
      ['type', post(LARGE, { 'Content-Type': 'application/xml' })],
      ['type', post(SMALL, { 'Content-Type': '' })],
      ['encoding', post(LARGE, { 'Content-Encoding': 'br' })],
      ['undecodable', post(LARGE, GZIP)],
      ['undecodable', post(zipped(LARGE).slice(0, -5), GZIP)],
      ['tooLarge', post(tooLarge)],
      ['tooLarge', chunked(tooLarge)],
      ['tooLarge', post(zipped(tooLarge), GZIP)],
      ['tooLarge', post(zipped('x'.repeat(50_000_000)), GZIP)],
      ['unread', post(LARGE, { Authorization: 'nobody' })],
    ];
    const connection = await openConnection(fixture.port);
    for (const [problem, text] of refused) {
      connection.send(text);
      expect(broughtBy(await connection.answer()), text.slice(0, 200)).to.deep.equal({ problem });
    }
    connection.send(request('/things'));
    expect((await connection.answer()).status).to.equal(200);
    connection.destroy();
  });

  it('is refused before it is sent if its announced size is too large', async () => {
    const head = (headers: Readonly<Record<string, string>>) =>
      request('/body', { ...JSON_TYPE, ...headers }, 'POST');
    for (const text of [
      head({ 'Content-Length': String(2 * MAX_BODY_BYTES + 1) }),
      head({ 'Content-Length': String(MAX_BODY_BYTES + 1), Expect: '100-continue' }),
    ]) {
      const connection = await openConnection(fixture.port);
      connection.send(text);
      const answer = await connection.answer();
      expect(broughtBy(answer)).to.deep.equal({ problem: 'tooLarge' });
      expect(answer.headers['connection']).to.equal('close');
      expect(await connection.ended()).to.equal(true);
    }
  });

  it('may arrive for longer than a request without a body, as long as its route allows', async () => {
    const patient = await startFixture({
      limits: { ...limits, requestTimeoutMs: 300, requestTimeoutCheckMs: 50 },
    });
    const slow = await openConnection(patient.port);
    slow.send(post(LARGE).slice(0, 100_000));
    await delay(1_000);
    slow.send(post(LARGE).slice(100_000));
    expect(broughtBy(await slow.answer()).text === LARGE).to.equal(true);
    slow.destroy();
    await patient.close();
  });

  it('is refused if the rest does not arrive, and the connection is closed', async () => {
    const impatient = await startFixture({ limits, arrivalMs: 900 });
    const late = await openConnection(impatient.port);
    late.send(post(LARGE).slice(0, 100_000));
    const broken = await openConnection(fixture.port);
    broken.send(`${request('/body', { ...JSON_TYPE, 'Transfer-Encoding': 'chunked' }, 'POST')}5\r\nab`);
    broken.send('cdefgh\r\n');
    const ended = await openConnection(fixture.port);
    ended.send(post(SMALL).slice(0, -1));
    ended.socket.end();
    expect(broughtBy(await broken.answer())).to.deep.equal({ problem: 'malformed' });
    expect(broughtBy(await ended.answer())).to.deep.equal({ problem: 'malformed' });
    expect(broughtBy(await late.answer())).to.deep.equal({ problem: 'late' });
    for (const connection of [broken, ended, late]) expect(await connection.ended()).to.equal(true);
    await impatient.close();
  });

  it('waits for memory if it is large, but never delays small bodies', async () => {
    const begun = await Promise.all([1, 2, 3].map(() => openConnection(fixture.port)));
    for (const connection of begun) connection.send(post(LARGE).slice(0, -1));
    const waiting = await openConnection(fixture.port);
    waiting.send(post(LARGE));
    const last = await openConnection(fixture.port);
    last.send(post(LARGE));
    expect(broughtBy(await exchange(fixture.port, post(SMALL))).text).to.equal(SMALL);
    expect(waiting.rest().length).to.equal(0);
    begun[0]?.send('y');
    expect(broughtBy(await waiting.answer()).text === LARGE).to.equal(true);
    expect(broughtBy(await last.answer()).text === LARGE).to.equal(true);
    for (const connection of [...begun, waiting, last]) connection.destroy();
  });

  it('uses only the available memory, even if many bodies are posted at once', async () => {
    const texts = Array.from({ length: 40 }, (_, index) =>
      post(LARGE, index % 2 === 0 ? {} : { 'X-Odd': '1' }),
    );
    for (let round = 0; round < 2; round += 1) {
      const answers = await Promise.all(texts.map((text) => exchange(fixture.port, text)));
      expect(answers.every((answer) => broughtBy(answer).text === LARGE)).to.equal(true);
    }
    // A small packed body takes its room when it is unpacked. These clients leave before or while they are answered.
    for (let client = 0; client < 40; client += 1) {
      const connection = await openConnection(fixture.port);
      connection.send(post(zipped(LARGE), GZIP));
      await delay(client % 8);
      connection.socket.resetAndDestroy();
    }
    expect(broughtBy(await exchange(fixture.port, post(zipped(LARGE), GZIP))).text === LARGE).to.equal(true);
    const bombs = Array.from({ length: 40 }, () => post(zipped('x'.repeat(MAX_BODY_BYTES + 1)), GZIP));
    const answers = await Promise.all(bombs.map((text) => exchange(fixture.port, text)));
    expect(answers.every((answer) => broughtBy(answer).problem === 'tooLarge')).to.equal(true);
  });
});

describe('A posted body without free memory', () => {
  it('is refused as soon as there is room if its client has stopped sending meanwhile', async () => {
    const fixture = await startFixture({ limits: { maxBodiesBytes: 1 } });
    const first = await openConnection(fixture.port);
    first.send(post(LARGE).slice(0, -1));
    const stopped = await openConnection(fixture.port);
    await delay(100);
    stopped.send(post(LARGE).slice(0, 200));
    stopped.socket.end();
    await delay(100);
    first.destroy();
    expect(broughtBy(await stopped.answer())).to.deep.equal({ problem: 'malformed' });
    await fixture.close();
  });

  it('takes none if its client leaves while it waits, also behind another request', async () => {
    const fixture = await startFixture({ limits: { maxBodiesBytes: 1 } });
    const first = await openConnection(fixture.port);
    first.send(post(LARGE).slice(0, -1));
    await delay(100);
    for (const before of ['', request('/slow')]) {
      const left = await openConnection(fixture.port);
      left.send(before + post(LARGE).slice(0, 1_000));
      await delay(100);
      left.socket.resetAndDestroy();
    }
    await delay(100);
    first.destroy();
    expect(broughtBy(await exchange(fixture.port, post(LARGE))).text === LARGE).to.equal(true);
    await fixture.close();
  });

  it('is refused within the deadline of an answer, counted from the end of the body', async () => {
    const fixture = await startFixture({ limits: { answerDeadlineMs: 800, maxBodiesBytes: 1 } });
    const first = await openConnection(fixture.port);
    first.send(post(LARGE).slice(0, -1));
    const second = await openConnection(fixture.port);
    await new Promise((resolve) => setTimeout(resolve, 100));
    second.send(post(LARGE));
    expectError(await second.answer(), 500, 'overloaded');
    expect(await second.ended(50)).to.equal(false);
    first.destroy();
    await waitUntil('there is room again', async () => {
      const answer = await exchange(fixture.port, post(LARGE));
      return answer.status === 200 && broughtBy(answer).text === LARGE;
    });
    second.destroy();
    await fixture.close();
  });
});

const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded' };
const MAX_FORM_BYTES = 16_384;

function form(body: string, headers: Readonly<Record<string, string>> = {}, path = '/form'): string {
  return request(path, { ...FORM_TYPE, 'Content-Length': String(body.length), ...headers }, 'POST') + body;
}

/** Returns the head of a request with a form. The body follows later. */
const begun = (bytes: number) => request('/form', { ...FORM_TYPE, 'Content-Length': String(bytes) }, 'POST');

function formOf({ status, body }: RawAnswer): string | null {
  expect(status).to.equal(200);
  const read: { formText: string | null } = JSON.parse(body.toString());
  return read.formText;
}

describe('A posted form', () => {
  let fixture: Fixture;
  const limits = { answerDeadlineMs: 1_600, maxInFlight: 10 };
  before(async () => {
    fixture = await startFixture({ limits });
  });
  after(() => fixture.close());

  it('gets 100 Continue if its client asks for it', async () => {
    const connection = await openConnection(fixture.port);
    connection.send(begun(3).replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n'));
    await waitUntil('it may go on', () =>
      connection.rest().toString().startsWith('HTTP/1.1 100 Continue\r\n\r\n'),
    );
    connection.send('a=b');
    await waitUntil('it is answered', () => connection.rest().toString().includes('{"formText":"a=b"'));
    connection.destroy();
  });

  it('is refused if it is too large or no form', async () => {
    for (const text of [
      form('x'.repeat(MAX_FORM_BYTES + 1)),
      form('x'.repeat(70_000)),
      form('{}', { 'Content-Type': 'application/json' }),
      form('a=b', { 'Content-Type': 'application/x-www-form-urlencoded-not' }),
      request('/form', {}, 'POST'),
    ]) {
      expect(formOf(await exchange(fixture.port, text)), text.slice(0, 150)).to.equal(null);
    }
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
    const connection = await openConnection(fixture.port);
    connection.send(
      request('/form', { ...FORM_TYPE, 'Transfer-Encoding': 'chunked' }, 'POST') + chunk.repeat(20),
    );
    expect(formOf(await connection.answer())).to.equal(null);
    expect(await connection.ended()).to.equal(true);
    for (const path of ['/things', '/form/', '/nothing', '/FORM']) {
      expectError(await exchange(fixture.port, form('a=b', {}, path)), 404, 'resourceNotFound');
    }
    for (const method of ['PUT', 'DELETE', 'PATCH', 'GET']) {
      expectError(await exchange(fixture.port, request('/form', {}, method)), 404, 'resourceNotFound');
    }
    const { headers } = await exchange(fixture.port, request('/form', {}, 'OPTIONS'));
    expect(headers['allow']).to.equal('POST, OPTIONS');
  });

  it('does not count as work until it has arrived, and must arrive before a deadline', async () => {
    const startedAt = performance.now();
    const slow = await Promise.all(Array.from({ length: 40 }, () => openConnection(fixture.port)));
    for (const connection of slow) connection.send(`${begun(1_000)}a=`);
    for (let index = 0; index < 20; index += 1) {
      expect((await exchange(fixture.port, request('/things'))).status).to.equal(200);
    }
    for (const connection of slow) {
      expect(formOf(await connection.answer())).to.equal(null);
      expect(await connection.ended()).to.equal(true);
      connection.destroy();
    }
    expect(performance.now() - startedAt).to.be.within(1_300, 6_000);
    expect(formOf(await exchange(fixture.port, form('a=b')))).to.equal('a=b');
  });

  it('is dropped if its client leaves half-way', async () => {
    const connection = await openConnection(fixture.port);
    connection.send(`${begun(1_000)}a=`);
    await new Promise(setImmediate);
    connection.socket.resetAndDestroy();
    await waitUntil('nothing is in flight but the question', async () => {
      const { body } = await exchange(fixture.port, request('/metrics'));
      return body.toString().includes('takt_http_requests_in_flight 1\n');
    });
  });
});

/** Returns the bytes of all buffers that are in use. */
function keptBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().arrayBuffers;
}

describe('An upload', () => {
  const LENGTH = 64_000_000;
  const head = request('/upload', { 'Content-Length': String(LENGTH), 'Content-Type': 'text/csv' }, 'POST');

  it('is read by its route as it arrives, in little memory and however long it takes', async () => {
    const limits = { requestTimeoutMs: 1_000, requestTimeoutCheckMs: 50, answerDeadlineMs: 400 };
    const fixture = await startFixture({ limits, arrivalMs: 0 });
    // Collecting garbage takes a while, in which the head of the request must not be late.
    const before = keptBytes();
    const connection = await openConnection(fixture.port);
    connection.send(head);
    let most = 0;
    for (let sent = 0; sent < LENGTH; sent += 1_000_000) {
      connection.send('x'.repeat(1_000_000));
      await delay(30);
      if (sent % 8_000_000 === 0) most = Math.max(most, keptBytes() - before);
    }
    const answer = await connection.answer();
    expect(answer.body.toString()).to.equal(JSON.stringify({ bytes: LENGTH }));
    expect(most).to.be.below(30_000_000);
    connection.destroy();
    await fixture.close();
  });

  it('is cut off if its client stalls or leaves, and the route hears of it', async () => {
    const fixture = await startFixture({ limits: { stalledClientTimeoutMs: 3_000 } });
    const stalled = await openConnection(fixture.port);
    stalled.send(`${head}${SMALL}`);
    const left = await openConnection(fixture.port);
    left.send(`${head}${SMALL}${SMALL}`);
    await delay(100);
    left.destroy();
    await waitUntil(
      'the route of the client that left has heard of it',
      async () => fixture.uploads.length === 1,
    );
    expect(await stalled.ended(10)).to.equal(false);
    expect(await stalled.ended(15_000)).to.equal(true);
    await waitUntil('both routes have heard of it', async () => fixture.uploads.length === 2);
    expect(fixture.uploads.map(({ outcome }) => outcome)).to.deep.equal(['broken', 'broken']);
    await fixture.close();
  });
});
