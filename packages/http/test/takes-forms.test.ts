import { exchange, openConnection, type RawAnswer, request, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { expectError, type Fixture, startFixture } from './served-fixture.js';

const TYPE = { 'Content-Type': 'application/x-www-form-urlencoded' };
const MAX_BYTES = 16_384;

function form(body: string, headers: Readonly<Record<string, string>> = {}, path = '/form'): string {
  return request(path, { ...TYPE, 'Content-Length': String(body.length), ...headers }, 'POST') + body;
}

/** The head of a form whose body is to come. */
const begun = (bytes: number) => request('/form', { ...TYPE, 'Content-Length': String(bytes) }, 'POST');

function formOf({ status, body }: RawAnswer): string | null {
  expect(status).to.equal(200);
  const read: { formText: string | null } = JSON.parse(body.toString());
  return read.formText;
}

describe('A form that is posted', () => {
  let fixture: Fixture;
  const limits = { answerDeadlineMs: 1_600, maxInFlight: 10, maxConnections: 60, maxHeldBytes: 600_000 };
  before(async () => {
    fixture = await startFixture({ limits });
  });
  after(() => fixture.close());

  it('comes whole, however large it may be and in whatever pieces it arrives', async () => {
    for (const body of ['', 'a=b', 'ø'.repeat(10), 'x'.repeat(1_000), 'x'.repeat(MAX_BYTES)]) {
      const bytes = Buffer.from(body).toString('latin1');
      expect(formOf(await exchange(fixture.port, form(bytes)))).to.equal(body);
    }
    const connection = await openConnection(fixture.port);
    for (const sign of form('username=4711&password=secret')) {
      connection.send(sign);
      await new Promise(setImmediate);
    }
    expect(formOf(await connection.answer())).to.equal('username=4711&password=secret');
    connection.destroy();
  });

  it('comes in chunks too, between other requests of its connection, each with its own answer', async () => {
    const chunks = request('/form', { ...TYPE, 'Transfer-Encoding': 'chunked' }, 'POST');
    const body = 'y'.repeat(700);
    const connection = await openConnection(fixture.port);
    connection.send(request('/things') + form(body) + form('b=2') + request('/things'));
    expect((await connection.answer()).body.toString()).to.equal('{"things":[]}');
    expect(formOf(await connection.answer())).to.equal(body);
    expect(formOf(await connection.answer())).to.equal('b=2');
    expect((await connection.answer()).body.toString()).to.equal('{"things":[]}');
    connection.send(`${chunks}5\r\na=b&c\r\n2\r\n=d\r\n0\r\n\r\n`);
    expect(formOf(await connection.answer())).to.equal('a=b&c=d');
    connection.destroy();
  });

  it('is told to go on where its client asks first', async () => {
    const connection = await openConnection(fixture.port);
    connection.send(begun(3).replace('\r\n\r\n', '\r\nExpect: 100-continue\r\n\r\n'));
    await waitUntil('it may go on', () =>
      connection.rest().toString().startsWith('HTTP/1.1 100 Continue\r\n\r\n'),
    );
    connection.send('a=b');
    await waitUntil('it is answered', () => connection.rest().toString().includes('{"formText":"a=b"'));
    connection.destroy();
  });

  it('is none where it is too large or something else, and what takes no form is not found', async () => {
    for (const text of [
      form('x'.repeat(MAX_BYTES + 1)),
      form('x'.repeat(70_000)),
      form('{}', { 'Content-Type': 'application/json' }),
      form('a=b', { 'Content-Type': 'application/x-www-form-urlencoded-not' }),
      request('/form', {}, 'POST'),
    ]) {
      expect(formOf(await exchange(fixture.port, text)), text.slice(0, 150)).to.equal(null);
    }
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
    const connection = await openConnection(fixture.port);
    connection.send(request('/form', { ...TYPE, 'Transfer-Encoding': 'chunked' }, 'POST') + chunk.repeat(20));
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

  it('takes no place in work before it has arrived, and is refused in time where it does not', async () => {
    const startedAt = performance.now();
    const slow = await Promise.all(Array.from({ length: 40 }, () => openConnection(fixture.port)));
    for (const connection of slow) connection.send(`${begun(1_000)}a=`);
    for (let index = 0; index < 20; index += 1) {
      expect((await exchange(fixture.port, request('/things'))).status).to.equal(200);
    }
    for (const connection of slow) {
      expectError(await connection.answer(), 500, 'requestBudgetSpent');
      connection.destroy();
    }
    expect(performance.now() - startedAt).to.be.within(1_300, 6_000);
    expect(formOf(await exchange(fixture.port, form('a=b')))).to.equal('a=b');
  });

  it('makes room for new connections while it has not arrived', async () => {
    const slow = await Promise.all(Array.from({ length: 60 }, () => openConnection(fixture.port)));
    for (const connection of slow) connection.send(`${begun(1_000)}a=`);
    expect((await exchange(fixture.port, request('/things'))).status).to.equal(200);
    expect(await slow[0]?.ended()).to.equal(true);
    for (const connection of slow) connection.destroy();
  });

  it('counts in the memory that clients may hold', async () => {
    const held = async () => {
      const { body } = await exchange(fixture.port, request('/metrics'));
      return Number(/shed_connections_total\{reason="bytes"\} (\d+)/.exec(body.toString())?.[1] ?? 0);
    };
    const before = await held();
    const slow = await Promise.all(Array.from({ length: 50 }, () => openConnection(fixture.port)));
    for (const connection of slow) connection.send(begun(MAX_BYTES) + 'x'.repeat(MAX_BYTES - 1));
    await waitUntil('some are gone', async () => (await held()) > before + 5);
    for (const connection of slow) connection.destroy();
    expect(formOf(await exchange(fixture.port, form('a=b')))).to.equal('a=b');
  });

  it('is forgotten where its client goes away in the middle', async () => {
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
