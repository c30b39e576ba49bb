import { completion } from '@takt/test-support';
import { expect } from 'chai';
import { eventOfHeaders, isBinaryMode } from '../src/events/read-events.js';
import { openTestIntake, type TestIntake } from './support/open-test-intake.js';
import { expectAccepted, expectError, post } from './support/post.js';

/** Returns the attributes of an event as HTTP headers. */
function headersOf({ specversion, id, source, type, time }: ReturnType<typeof completion>) {
  return {
    'CE-SpecVersion': specversion,
    'ce-id': id,
    'ce-source': source,
    'ce-type': type,
    'ce-time': time,
  };
}

describe('an event in binary mode', () => {
  const decoded = (value: string) => eventOfHeaders({ 'ce-id': value }, undefined)['id'];

  // These examples come from the HTTP protocol binding of CloudEvents 1.0.2, section 3.1.3.2. Variants of senders are
  // added.
  for (const [value, meaning] of [
    ['Euro%20%E2%82%AC%20%F0%9F%98%80', 'Euro € 😀'],
    ['%22quoted%22', '"quoted"'],
    ['"a b"', 'a b'],
    ['"say \\"hi\\" \\\\ %41"', 'say "hi" \\ A'],
    ['%2525', '%25'],
    ['100%', '100%'],
    ['%zz%41', '%zzA'],
    ['plain+text', 'plain+text'],
    ['a "b"', 'a "b"'],
    ['', ''],
  ] as const) {
    it(`decodes the attribute ${JSON.stringify(value)} as ${JSON.stringify(meaning)}`, () => {
      expect(decoded(value)).to.equal(meaning);
    });
  }

  it('must have headers in UTF-8, also after decoding', () => {
    for (const value of ['%ff', 'a%FF%FE', 'a\xff\xfe', '%C3', '%ED%A0%80', '%C0%AF']) {
      expect(() => decoded(value), value).to.throw('not text in UTF-8');
    }
    expect(decoded('\xc3\x98')).to.equal('Ø');
  });

  it('has the same source as in structured mode, whether the sender encodes it or not', () => {
    const sourceOf = (value: string) => eventOfHeaders({ 'ce-source': value }, undefined)['source'];
    expect(sourceOf('/mes/hall%201')).to.equal('/mes/hall%201');
    expect(sourceOf('/mes/hall%25201')).to.equal('/mes/hall%201');
    expect(sourceOf('/mes/hall%3A1')).to.equal('/mes/hall:1');
    expect(sourceOf('urn:mes:hall%C3%98')).to.equal('urn:mes:hall%C3%98');
    expect(sourceOf('a b%20c')).to.equal('a b c');
  });

  it('is recognized by a header with a name that begins with ce-, in any case', () => {
    expect(isBinaryMode({ 'ce-id': '1' })).to.equal(true);
    expect(isBinaryMode({ cell: '1', 'x-ce-id': '1' })).to.equal(false);
  });

  it('may have headers with the names of object properties in JavaScript', () => {
    const event = eventOfHeaders({ 'ce-__proto__': 'x', 'ce-constructor': 'y', 'ce-data': 'z' }, { a: 1 });
    expect(Object.getPrototypeOf(event)).to.equal(Object.prototype);
    expect(event['data']).to.deep.equal({ a: 1 });
    expect(JSON.stringify(event)).to.include('"__proto__":"x"');
  });
});

describe('POST /events in binary mode', () => {
  let intake: TestIntake;
  before(async function () {
    intake = await openTestIntake('PostgreSQL', this);
  });
  after(() => intake?.close());
  afterEach(() => intake.drain());

  it('accepts the same events as in structured mode, with extensions', async () => {
    const event = completion(1, {}, { id: 'Ø 1' });
    const headers = { ...headersOf(event), 'ce-id': '%C3%98%201', 'ce-lineno': '7' };
    expectAccepted(await post(intake, event.data, { headers }), 1);
    const datacontenttype = 'application/json';
    expect(await intake.queued()).to.deep.equal([{ ...event, lineno: '7', datacontenttype }]);
  });

  it('reports errors by the same rules as in structured mode', async () => {
    const event = completion(1);
    const { 'ce-time': _time, ...headers } = headersOf(event);
    const error = expectError(await post(intake, { ...event.data, runTime: 'x' }, { headers }), 400, 100_400);
    expect(error.innerErrors.map(({ parameters }) => parameters[1]?.value)).to.have.members([
      'time',
      'data.runTime',
    ]);
    const empty = expectError(await post(intake, '', { headers: headersOf(event) }), 400, 100_400);
    expect(empty.innerErrors.map(({ message }) => message)).to.deep.equal([
      'Event 0: data must be a JSON object (got nothing).',
    ]);
    expectError(await post(intake, '{"a', { headers: headersOf(event) }), 400, 100_458);
  });

  it('rejects headers that are not UTF-8', async () => {
    const event = completion(1);
    const headers = { ...headersOf(event), 'ce-id': 'a%FF%FE' };
    const error = expectError(await post(intake, event.data, { headers }), 400, 100_462);
    expect(error.message).to.include('The header ce-id is not text in UTF-8.');
  });

  it('ignores headers that begin with ce- if the content type announces events in the body', async () => {
    const event = completion(1);
    for (const type of ['application/cloudevents+json', 'application/x-ndjson']) {
      expectAccepted(await post(intake, event, { type, headers: { 'ce-id': 'other' } }), 1);
    }
    expect(await intake.queued()).to.deep.equal([event]);
  });
});
