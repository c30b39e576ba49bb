import { gzipSync } from 'node:zlib';
import {
  completion,
  completions,
  exchange,
  malformedRequests,
  openConnection,
  request,
} from '@takt/test-support';
import { expect } from 'chai';
import { openTestIntake, type TestIntake } from './support/open-test-intake.js';
import { expectAccepted, expectError, post } from './support/post.js';

/** Long deadlines. They ensure that a busy machine refuses requests only because of their content. */
const PATIENT = { answerDeadlineMs: 60_000, maxWaitMs: 60_000 };

describe('POST /events refuses', () => {
  let intake: TestIntake;
  before(async function () {
    intake = await openTestIntake('PostgreSQL', this, { requestsPerMinute: 1_000, limits: PATIENT });
  });
  after(() => intake?.close());
  afterEach(async () => {
    expect(await intake.queued()).to.deep.equal([]);
  });

  const event = completion(1);

  it('requests without a token, with a wrong token, or without the right to publish, before any other check', async () => {
    const noPublisher = await intake.createToken(['TEM-NO'], false);
    for (const query of ['', '?$unknown=1']) {
      for (const body of [event, '{', 'x'.repeat(200_000), gzipSync('{}')]) {
        for (const token of [undefined, 'takt_wrong', '']) {
          const answer = await post(intake, body, { token, query });
          expectError(answer, 403, 100_100);
          expect(answer.headers.get('www-authenticate')).to.equal('Bearer error="invalid_token"');
        }
        const refused = expectError(await post(intake, body, { token: noPublisher, query }), 403, 100_102);
        expect(refused.parameters).to.deep.equal([{ index: 0, value: 'publish-events' }]);
      }
    }
  });

  it('an event of a foreign company, with the same answer for registered and unregistered companies', async () => {
    const messages = await Promise.all(
      ['OTHER', 'NOBODY', 'tem-no'].map(async (database) => {
        const events = [event, completion(2, { database }), { no: 'event' }];
        const { message } = expectError(await post(intake, events), 403, 100_402);
        return message.replace(database, 'X');
      }),
    );
    expect(new Set(messages)).to.have.lengthOf(1);
    expect(messages[0]).to.match(/^Event 1: .* “X”/);
  });

  const parameters: readonly (readonly [query: string, identifier: number])[] = [
    ['?$top=1', 100_203],
    ['?$filter=a&skipInvalid=true', 100_203],
    ['?skipInvalid=yes', 100_207],
    ['?skipInvalid=true&SkipInvalid=false', 100_204],
    ['?$lang=deu&$LANG=nob', 100_204],
    ['?a=%00', 100_205],
    ['?a=%zz', 100_200],
  ];
  for (const [query, identifier] of parameters) {
    it(`the parameters ${query}`, async () => {
      const error = await post(intake, event, { query });
      expect(error.status).to.equal(400);
      expect(error.json.hTTPStatusCode).to.equal('400');
      expect(error.json.errorMessage.errorMessageId, error.json.message).to.equal(identifier);
    });
  }

  const bodies: readonly (readonly [what: string, body: unknown, type: string, identifier: number])[] = [
    ['another type', event, 'text/plain', 100_450],
    ['a form', 'a=b', 'application/x-www-form-urlencoded', 100_450],
    ['nothing', '', 'application/json', 100_453],
    ['nothing but blanks', ' \n\r\n ', 'application/x-ndjson', 100_453],
    ['an unknown charset', event, 'application/json; charset=klingon', 100_456],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'application/json', 100_457],
    ['what is no JSON', '{"id": }', 'application/json', 100_458],
    ['events between vertical tabs', `\v${JSON.stringify([event])}`, 'application/json', 100_458],
    ['events before a byte order mark', `${JSON.stringify([event])}\ufeff`, 'application/json', 100_458],
    ['lines of no-break spaces', `${JSON.stringify(event)}\n\u00a0\n`, 'application/x-ndjson', 100_400],
    ['a batch that is none', event, 'application/cloudevents-batch+json', 100_459],
    ['an array as one event', [event], 'application/cloudevents+json', 100_400],
    ['JSON that breaks off', '[['.repeat(400), 'application/json', 100_458],
    ['JSON that is nested without end', '['.repeat(400_000), 'application/json', 100_404],
    [
      'an event that is nested deeply',
      `${'['.repeat(800)}${']'.repeat(800)}`,
      'application/cloudevents+json',
      100_400,
    ],
    ['too many values together', Array(102).fill(Array(990).fill(1)), 'application/json', 100_405],
  ];
  for (const [what, body, type, identifier] of bodies) {
    it(`a body of ${what}`, async () => {
      expectError(await post(intake, body, { type }), 400, identifier);
    });
  }

  it('unknown and broken encodings, and bodies that become too large by decompression', async () => {
    const packed = gzipSync(JSON.stringify([event]));
    const posted = (body: Uint8Array, encoding: string) =>
      post(intake, body, { headers: { 'Content-Encoding': encoding } });
    expectError(await posted(packed, 'br'), 400, 100_451);
    expectError(await posted(packed, 'gzip, gzip'), 400, 100_451);
    expectError(await posted(packed.subarray(0, -9), 'gzip'), 400, 100_455);
    expectError(await posted(Buffer.from('{}'), 'gzip'), 400, 100_455);
    expectError(await posted(gzipSync(Buffer.alloc(60_000_000, ' ')), 'gzip'), 400, 100_452);
    expectError(await posted(gzipSync(Buffer.alloc(5_000_001, ' ')), 'gzip'), 400, 100_452);
  });

  it('a body of more than 5 MB after the client has sent all of it, even in chunks', async () => {
    const large = Buffer.alloc(5_000_001, ' ');
    expectError(await post(intake, large), 400, 100_452);
    expectError(await post(intake, Buffer.alloc(5_000_000, ' ')), 400, 100_453);
    const connection = await openConnection(intake.port);
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${intake.token}` };
    connection.send(request('/events', { ...headers, 'Transfer-Encoding': 'chunked' }, 'POST'));
    connection.send(`${(5_000_001).toString(16)}\r\n${large}\r\n0\r\n\r\n`);
    const { status, body } = await connection.answer();
    expect([status, JSON.parse(body.toString()).errorMessage.errorMessageId]).to.deep.equal([400, 100_452]);
    connection.destroy();
  });

  it('other methods and paths, with the same answers as the API', async () => {
    for (const [method, path] of [
      ['GET', '/events'],
      ['HEAD', '/events'],
      ['PUT', '/events'],
      ['DELETE', '/events'],
      ['POST', '/'],
      ['POST', '/events/'],
      ['POST', '/Events'],
    ] as const) {
      expect((await fetch(intake.origin + path, { method })).status, `${method} ${path}`).to.equal(404);
    }
    const options = await fetch(`${intake.origin}/events`, { method: 'OPTIONS' });
    expect([options.status, options.headers.get('allow')]).to.deep.equal([204, 'POST, OPTIONS']);
  });
});

describe('POST /events', () => {
  let intake: TestIntake;
  before(async function () {
    intake = await openTestIntake('PostgreSQL', this, { requestsPerMinute: 40 });
  });
  after(() => intake?.close());

  it('accepts a token as a parameter without logging it, and limits the requests per minute', async () => {
    const other = await intake.createToken(['TEM-NO']);
    expectAccepted(
      await post(intake, completion(1), { token: undefined, query: `?$access_token=${other}` }),
      1,
    );
    expectAccepted(
      await post(intake, completion(2), { token: undefined, query: `?$AccessToken=${other}` }),
      1,
    );
    const startedAt = performance.now();
    const answers = await Promise.all(completions(60).map((one) => post(intake, one)));
    const refused = answers.filter(({ status }) => status === 500);
    const accepted = answers.filter(({ status }) => status === 202);
    // Two more requests are allowed every 3 seconds at 40 requests a minute. A busy machine may need longer than that.
    const laterShares = Math.floor((performance.now() - startedAt) / 3_000);
    expect(accepted.length).to.be.within(40, 40 + 2 * laterShares);
    expect(accepted.length + refused.length).to.equal(60);
    expect(refused).not.to.have.lengthOf(0);
    for (const answer of refused) {
      expectError(answer, 500, 100_104);
      expect(Number(answer.headers.get('retry-after'))).to.be.within(laterShares === 0 ? 3 : 1, 3);
    }
    const log = intake.log.join('');
    expect(log).to.include('"path":"/events"');
    expect(log.includes(intake.token) || log.includes(other)).to.equal(false);
  });

  it('counts a request once, even if its body is so large that the token is checked before it is read', async () => {
    const token = await intake.createToken(['TEM-NO']);
    const padding = 'x'.repeat(100_000);
    for (const event of completions(30, 100)) {
      expectAccepted(await post(intake, { ...event, padding }, { token }), 1);
    }
  });

  it('answers 400 to bytes that are not an HTTP request', async () => {
    for (const { text } of malformedRequests('/events')) {
      const { status, body } = await exchange(intake.port, text);
      expect(status, text).to.equal(400);
      expect(body.toString(), text).to.match(/^\{"hTTPStatusCode":"400"/);
    }
  });

  it('refuses a body that is shorter or longer than its stated length', async () => {
    const token = await intake.createToken(['TEM-NO']);
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
    const text = JSON.stringify(completion(1));
    const sent = (length: number) =>
      request('/events', { ...headers, 'Content-Length': String(length) }, 'POST') + text;
    const shorter = await openConnection(intake.port);
    shorter.send(sent(text.length + 1));
    shorter.socket.end();
    const broken = await shorter.answer();
    expect(JSON.parse(broken.body.toString()).errorMessage.errorMessageId).to.equal(100_454);
    expect(await shorter.ended()).to.equal(true);
    const longer = await openConnection(intake.port);
    longer.send(sent(text.length - 1));
    expect((await longer.answer()).status).to.equal(400);
    expect(await longer.ended()).to.equal(true);
  });
});
