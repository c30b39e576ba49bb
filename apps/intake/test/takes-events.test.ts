import { gzipSync } from 'node:zlib';
import { completion, completions, structureVersion } from '@takt/test-support';
import { expect } from 'chai';
import { openTestIntake, STORES, type TestIntake } from './support/open-test-intake.js';
import { expectAccepted, expectError, post } from './support/post.js';

const STRUCTURED = 'application/cloudevents+json';
const BATCH = 'application/cloudevents-batch+json';
const LINES = 'application/x-ndjson';

const lines = (events: readonly unknown[]) => events.map((event) => JSON.stringify(event)).join('\n');

for (const store of STORES) {
  describe(`POST /events with the queues in ${store}`, () => {
    let intake: TestIntake;
    before(async function () {
      intake = await openTestIntake(store, this);
    });
    after(() => intake?.close());
    afterEach(() => intake.drain());

    const all = completions(3);
    const forms: readonly (readonly [
      name: string,
      body: unknown,
      type: string,
      events: readonly unknown[],
    ])[] = [
      ['one event, structured', completion(1), STRUCTURED, [completion(1)]],
      ['a batch', all, BATCH, all],
      ['an empty batch', [], BATCH, []],
      ['one event as JSON', completion(1), 'application/json', [completion(1)]],
      ['several as JSON', all, 'application/json', all],
      ['one a line', lines(all), LINES, all],
      ['one a line, with blank lines and ends of Windows', `\r\n${lines(all)}\r\n\n \n`, LINES, all],
      ['any case of the type, with parameters', all, 'Application/JSON; charset="UTF-8"; a=b', all],
      ['a byte order mark', `\ufeff${JSON.stringify(all)}`, 'application/json', all],
    ];
    for (const [name, body, type, events] of forms) {
      it(`accepts ${name} unchanged, and returns the number of events after the queue has stored them`, async () => {
        expectAccepted(await post(intake, body, { type }), events.length);
        expect(await intake.queued()).to.deep.equal(events);
      });
    }

    it('accepts bodies in gzip and texts in another charset', async () => {
      const headers = { 'Content-Encoding': 'gzip' };
      expectAccepted(await post(intake, gzipSync(JSON.stringify(all)), { headers }), 3);
      const named = completion(4, {}, { id: 'gulvbelegg-ørsta' });
      const latin = Buffer.from(JSON.stringify(named), 'latin1');
      expectAccepted(await post(intake, latin, { type: `${STRUCTURED}; charset=iso-8859-1` }), 1);
      expect(await intake.queued()).to.deep.equal([...all, named]);
    });

    it('accepts 1,000 events for both queues as one job in each queue, but not 1,001 events', async () => {
      const events = [
        ...completions(500),
        ...Array.from({ length: 500 }, (_, id) => structureVersion(id + 1)),
      ];
      expectAccepted(await post(intake, events), 1_000);
      expect(await intake.jobs()).to.have.members([1, 1]);
      expect(await intake.queued()).to.have.deep.members(events);
      await intake.drain();
      for (const [body, type] of [
        [[...events, completion(9_999)], BATCH],
        [lines([...events, completion(9_999)]), LINES],
      ] as const) {
        expectError(await post(intake, body, { type, query: '?skipInvalid=true' }), 400, 100_403);
      }
      expect(await intake.queued()).to.deep.equal([]);
    });

    it('accepts nothing after one invalid event, and lists every error of every event', async () => {
      const events = [completion(1), completion(2, { runTime: -1, revision: 'x' }), completion(3), 7];
      const error = expectError(await post(intake, events, { query: '?$lang=deu' }), 400, 100_400);
      expect(error.innerErrors.map(({ message }) => message)).to.deep.equal([
        'Event 1: data.revision must be an integer from 1 to 9007199254740991 (got "x").',
        'Event 1: data.runTime must be hours as a number or plain decimal string from 0 to 1000000 (got -1).',
        'Event 3: event must be a JSON object (got 7).',
      ]);
      expect(error.translatedMessage).to.match(/^Wegen ungültiger Ereignisse/);
      expect(error.innerErrors[2]?.translatedMessage).to.match(/^Ereignis 3: das Ereignis muss/);
      expect(error.innerErrors[0]?.errorMessage).to.deep.equal({
        errorMessageId: 100_401,
        errorMessageLink: 'https://takt.example/system/error-messages/100401',
      });
      expect(await intake.queued()).to.deep.equal([]);
    });

    it('accepts only the valid events with skipInvalid, and gives the reasons for the other events', async () => {
      const body = `${lines([completion(1), completion(2, { revision: 0 })])}\n{"id":"x"\n${lines([completion(3, { database: 'OTHER' }), completion(4), completion(5, { revision: 0 })])}`;
      for (const spelling of ['skipInvalid=true', 'SKIPINVALID=1', 'a=b&skipinvalid=TRUE&&']) {
        const { status, json } = await post(intake, body, { type: LINES, query: `?${spelling}` });
        expect(status).to.equal(202);
        expect(json.accepted).to.equal(2);
        expect(
          json.rejected.map(({ index, id, error }) => [index, id, error.errorMessage.errorMessageId]),
        ).to.deep.equal([
          [1, 'event-2', 100_401],
          [2, null, 100_401],
          [3, 'event-3', 100_402],
          [5, 'event-5', 100_401],
        ]);
        const [ofRule, ofLine, ofCompany] = json.rejected;
        expect(ofRule?.error.hTTPStatusCode).to.equal('400');
        expect(ofLine?.error.message).to.equal(
          'Event 2: event must be a JSON object (got "{\\"id\\":\\"x\\"").',
        );
        expect(ofCompany?.error.hTTPStatusCode).to.equal('403');
        expect(await intake.queued()).to.deep.equal([completion(1), completion(4)]);
        await intake.drain();
      }
      const { json } = await post(intake, [7], { query: '?skipInvalid=true&$lang=nob' });
      expect(json.accepted).to.equal(0);
      expect(json.rejected[0]?.error.translatedMessage).to.match(/^Hendelse 0: hendelsen må/);
      expectError(await post(intake, body, { type: LINES, query: '?skipInvalid=0' }), 403, 100_402);
    });

    it('counts accepted and refused events, and the seconds that the queue takes', async () => {
      const read = async () => {
        const text = await (await fetch(`${intake.origin}/metrics`)).text();
        return (name: string) => Number(text.split(`\ntakt_intake_${name} `)[1]?.split('\n')[0]);
      };
      const names = [
        ...['accepted', 'invalid', 'company'].map((outcome) => `events_total{outcome="${outcome}"}`),
        ...['refused_requests_total', 'queue_seconds_count{outcome="stored"}'],
      ];
      const before = await read();
      const startedAtMs = performance.now();
      const some = [completion(1), completion(2, { runTime: -1 }), completion(3, { database: 'OTHER' })];
      expectAccepted(await post(intake, all), 3);
      expectError(await post(intake, some), 403, 100_402);
      const seconds = 'queue_seconds_sum{outcome="stored"}';
      const counted = async (since: (name: string) => number) => {
        const now = await read();
        return names.map((name) => now(name) - since(name));
      };
      expect(await counted(before)).to.deep.equal([3, 1, 1, 1, 1]);
      const between = await read();
      expect((await post(intake, some, { query: '?skipInvalid=true' })).json.accepted).to.equal(1);
      expect(await counted(between)).to.deep.equal([1, 1, 1, 0, 1]);
      const took = (await read())(seconds) - before(seconds);
      expect(took).to.be.within(1e-9, (performance.now() - startedAtMs) / 1_000);
    });

    it('states the number of errors that are not listed', async () => {
      const events = Array.from({ length: 300 }, () => ({}));
      const { innerErrors } = expectError(await post(intake, events), 400, 100_400);
      expect(innerErrors).to.have.lengthOf(1_001);
      expect(innerErrors.at(-1)?.errorMessage.errorMessageId).to.equal(100_460);
      expect(innerErrors.at(-1)?.parameters).to.deep.equal([{ index: 0, value: '500' }]);
    });
  });
}
