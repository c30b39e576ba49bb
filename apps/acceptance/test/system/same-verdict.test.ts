import { gzipSync } from 'node:zlib';
import { errorCatalogue } from '@takt/catalogue/errors';
import { type AppProcess, startApp } from '@takt/database/testing';
import { describeProblems, parseEvent } from '@takt/events';
import { eventDefinitions } from '@takt/events/internal';
import { addCompany } from '@takt/figures/master-data';
import {
  type CorpusEvent,
  eventCorpus,
  randomFrom,
  readPeakMemoryMb,
  shareOf,
  someOf,
  testSeed,
} from '@takt/test-support';
import { languages } from '@takt/texts';
import { expect } from 'chai';
import { contentWays } from '../support/content-ways.js';
import { mutated, scrambled } from '../support/event-mutations.js';
import {
  asGivenBy,
  expectedVerdicts,
  isCarriedBy,
  judgeByCommand,
  judgeByWorker,
  type Verdicts,
} from '../support/event-verdicts.js';
import {
  type ErrorAnswer,
  judgeByRefusals,
  judgeBySkipping,
  openIntakeClient,
  type SendToIntake,
  type TakenAnswer,
} from '../support/intake-client.js';
import { storeMasterData } from '../support/master-data.js';
import { openTestSystem, queueStoreKinds, type TestSystem } from '../support/test-system.js';
import { comparable } from './poison/listed-events.js';

const COMPANY = 'TEM-NO';
const REQUESTS = shareOf(10);
const EVENTS_A_REQUEST = 500;
const BODIES_A_WAY = shareOf(200);
const CONCURRENT_REQUESTS = 8;
const MAX_MEMORY_MB = 300;
const corpus = eventCorpus(
  eventDefinitions.map(({ type }) => type),
  COMPANY,
);
const [good, bad] = [someOf(corpus.good), someOf(corpus.bad)];
const shuffled = <Item>(items: readonly Item[]) => randomFrom(testSeed()).shuffle(items);
const sizes = `${good.length} good and ${bad.length} bad events`;

/**
 * Returns events newer than the good ones, each with its own `changedAt`. The good events are about the same objects
 * and have the same `changedAt`, so without newer ones they would be conflicting changes.
 */
function newerChanges(): readonly object[] {
  return corpus.good.flatMap(({ type, json }, minute) => {
    if (!type.endsWith('.changed.v1')) return [];
    const event = JSON.parse(json);
    const changedAt = new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
    return [{ ...event, data: { ...event.data, changedAt } }];
  });
}

/** The verdicts as a terminal shows them: without characters that change the direction of text or are invisible. */
function asPrinted(verdicts: Verdicts): Verdicts {
  const escapeOf = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return new Map(
    [...verdicts].map(([position, verdict]) => [
      position,
      typeof verdict === 'string'
        ? (verdict.replace(
            /[\u0080-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
            escapeOf,
          ) as typeof verdict)
        : verdict,
    ]),
  );
}

/** Expects every event to have its expected verdict. */
function expectVerdicts(
  found: Verdicts,
  expected: Verdicts,
  events: readonly { readonly name: string }[],
): void {
  const differences = events.flatMap(({ name }, position) => {
    const [told, wanted] = [found.get(position), expected.get(position)];
    return told === wanted ? [] : [{ name, told, wanted }];
  });
  expect(differences.slice(0, 6), `${differences.length} differences`).to.deep.equal([]);
}

describe(`the verdict on ${sizes}`, function () {
  this.timeout(shareOf(180_000, 180_000));

  for (const kind of someOf(queueStoreKinds)) {
    describe(`with the queue in ${kind}`, () => {
      let system: TestSystem;

      before(async function () {
        system = await openTestSystem(this, kind);
        await addCompany(system.database, COMPANY, 'Company of the token');
        for (const change of newerChanges()) await storeMasterData(system, [change]);
      });
      after(async () => await system?.close());

      it('is the same from takt publish for every bad line, and prevents publishing', async () => {
        const { verdicts, stdout, code } = await judgeByCommand(system, bad);
        expectVerdicts(verdicts, asPrinted(expectedVerdicts(bad)), bad);
        expect([code, stdout]).to.deep.equal([1, 'published 0\n']);
        for (const queue of Object.values(system.queues)) expect(await queue.getWaitingCount()).to.equal(0);
      });

      it('is the same from the worker if a producer has not checked the events', async () => {
        const events = [...good, ...bad.filter((event) => event.isRefusedByPublisherOnly !== true)].filter(
          (event) => isCarriedBy(kind, event),
        );
        const expected = asGivenBy(kind, expectedVerdicts(events));
        const arrays = events.flatMap(({ json }, position) => (json.startsWith('[') ? [position] : []));
        const { verdicts, ofArrays } = await judgeByWorker(system, events);
        const singles = new Map([...expected].filter(([position]) => !arrays.includes(position)));
        expectVerdicts(verdicts, singles, events);
        expect(ofArrays).to.have.members(arrays.map((position) => expected.get(position)));
      });
    });
  }
  describe('from the intake', () => {
    let system: TestSystem;
    let intake: AppProcess;
    let send: SendToIntake;

    before(async function () {
      system = await openTestSystem(this, 'postgres');
      await addCompany(system.database, COMPANY, 'Company of the token');
      intake = await startApp('intake', system);
      send = await openIntakeClient(intake.origin, system, COMPANY);
    });
    after(async () => {
      await intake?.stop();
      await system?.close();
    });

    /**
     * Removes the waiting events from the queues. Returns a text of the events that does not depend on the order of
     * fields.
     */
    async function takeQueued(): Promise<readonly string[]> {
      const queued: string[] = [];
      for (const queue of Object.values(system.queues)) {
        for (const { data } of await queue.getWaiting(0, -1)) {
          queued.push(...(Array.isArray(data) ? data : [data]).map(comparable));
        }
        await queue.drain();
      }
      return queued.sort();
    }

    it('is tested for every event in every content mode that can carry the event', () => {
      const reasons = contentWays.map(({ name, whyNot }) => {
        const found = new Set(
          [...corpus.good, ...corpus.bad].map(whyNot).filter((reason) => reason !== undefined),
        );
        return [name, [...found].sort()] as const;
      });
      expect(Object.fromEntries(reasons.filter(([, found]) => found.length > 0))).to.deep.equal({
        'an object of JSON': ['an array holds events of its own'],
        'a CloudEvent in binary mode': [
          ...[
            'a name that no attribute may have',
            'a source only when it is encoded',
            'an attribute that is no text',
          ],
          ...['half a character in a header', 'no attribute, so no sign of the mode', 'no object'],
        ],
      });
    });

    for (const language of languages) {
      it(`has the same values in every language: ${language}`, async () => {
        const events = bad.filter((_, position) => position % 8 === 0);
        const { status, text } = await send(contentWays[0].toRequest(events), `$lang=${language}`);
        const error: ErrorAnswer = JSON.parse(text);
        expect([status, error.hTTPStatusCode]).to.deep.equal([400, '400']);
        expect(error.parameters.map(({ value }) => value)).to.deep.equal(
          Array(2).fill(String(events.length)),
        );
        const told = [error, ...error.innerErrors];
        expect(told.length).to.be.greaterThan(events.length);
        for (const { message, translatedMessage, parameters } of told) {
          expect(translatedMessage === message).to.equal(language === 'eng');
          for (const { value } of parameters) expect(translatedMessage).to.include(value);
        }
        expect(await takeQueued()).to.deep.equal([]);
      });
    }

    for (const way of contentWays) {
      const passing = <Event extends CorpusEvent>(events: readonly Event[]) =>
        events.filter((event) => way.whyNot(event) === undefined);
      const left = bad.length - passing(bad).length;
      const but = left === 0 ? '' : ` but ${left} that it cannot hold`;

      it(`is the same for all bad events in ${way.name}${but}; none is accepted`, async () => {
        const events = passing(bad);
        const { verdicts, others } = await judgeByRefusals(send, way, events);
        expect(others.slice(0, 3)).to.deep.equal([]);
        expectVerdicts(verdicts, expectedVerdicts(events), events);
        expect(await takeQueued()).to.deep.equal([]);
      });

      it(`is the same in ${way.name} with skipInvalid, and only good events are accepted (seed ${testSeed()})`, async () => {
        const taken = passing(good);
        // If a request carries only one event, this test sends every eighth bad event. The test above has sent all bad
        // events.
        const refused = passing(bad).filter((_, position) => way.eventsARequest !== 1 || position % 8 === 0);
        const events = shuffled([...taken, ...refused]);
        const { verdicts, others, accepted } = await judgeBySkipping(send, way, events);
        expect(others.slice(0, 3)).to.deep.equal([]);
        expectVerdicts(verdicts, expectedVerdicts(events), events);
        expect(accepted).to.equal(taken.length);
        const queued = taken.map(({ json }) => comparable({ ...JSON.parse(json), ...way.adds }));
        expect(new Set(await takeQueued())).to.deep.equal(new Set(queued));
      });
    }

    const random = randomFrom(testSeed());
    // Longer samples, with up to 100,000 characters, would take too long.
    const samples = corpus.good.filter(({ json }) => json.length < 3_000);

    async function expectUnharmed(): Promise<void> {
      for (const queue of Object.values(system.queues)) await queue.drain();
      expect(intake.runs()).to.equal(true);
      expect(readPeakMemoryMb(intake.pid)).to.be.within(1, MAX_MEMORY_MB);
    }

    it(`equals the verdict from the worker, for randomly changed events (seed ${testSeed()})`, async () => {
      const wrong: unknown[] = [];
      for (let request = 0; request < REQUESTS; request++) {
        const events = Array.from({ length: EVENTS_A_REQUEST }, () =>
          mutated(random, random.pick(samples).json),
        );
        const { status, text } = await send(
          { headers: { 'Content-Type': 'application/x-ndjson' }, body: events.join('\n') },
          'skipInvalid=true',
        );
        expect(status, text.slice(0, 500)).to.equal(202);
        const { accepted, rejected }: TakenAnswer = JSON.parse(text);
        expect(accepted + rejected.length).to.equal(events.length);
        const told = new Map(rejected.map(({ index, error }) => [index, toldOf(error, index)]));
        events.forEach((json, index) => {
          if (!isRight(JSON.parse(json), told.get(index))) wrong.push({ json, told: told.get(index) });
        });
      }
      expect(wrong.slice(0, 5)).to.deep.equal([]);
      await expectUnharmed();
    });

    /** True if `told` is the reason of the worker, or a reason that only the intake can know. */
    function isRight(event: unknown, told: string | undefined): boolean {
      const result = parseEvent(event);
      if (!result.ok) return told === describeProblems(result.problems);
      const isForeign = result.event.database !== COMPANY;
      if (isForeign) return told?.includes('no right to publish for the company') === true;
      return told === undefined || told.startsWith('event must hold no NUL and no lone surrogates');
    }

    for (const way of contentWays) {
      it(`has a known status for randomly changed bodies: ${way.name} (seed ${testSeed()})`, async () => {
        const statuses = new Map<number, number>();
        const bodies = Array.from({ length: BODIES_A_WAY }, () => {
          const events = samples.length === 0 ? [] : [random.pick(samples)];
          const { headers, body } = way.toRequest(events);
          const bytes = Buffer.from(body);
          const plain = way.name.endsWith('gzip') && random.below(2) === 0;
          return { headers, body: plain ? gzipSync(scrambled(random, bytes)) : scrambled(random, bytes) };
        });
        const sendNext = async (): Promise<void> => {
          for (let next = bodies.pop(); next !== undefined; next = bodies.pop()) {
            const { status, text } = await send(next, random.pick(['', 'skipInvalid=true', '$lang=pol']));
            statuses.set(status, (statuses.get(status) ?? 0) + 1);
            expectAnswer(status, text);
          }
        };
        await Promise.all(Array.from({ length: CONCURRENT_REQUESTS }, sendNext));
        console.log(`      ${Array.from(statuses, ([status, count]) => `${status}: ${count}`).join(', ')}`);
        expect([...statuses.keys()].every((status) => [202, 400, 403].includes(status))).to.equal(true);
        expect(statuses.get(400)).to.be.greaterThan(BODIES_A_WAY / 4);
        await expectUnharmed();
      });
    }
  });
});

const identifiers: ReadonlySet<number> = new Set(
  Object.values(errorCatalogue).map(({ errorMessageId }) => errorMessageId),
);

function toldOf({ message, innerErrors }: TakenAnswer['rejected'][number]['error'], index: number): string {
  const texts = [message, ...innerErrors.map((inner) => inner.message)];
  return texts.map((text) => text.replace(`Event ${index}: `, '').replace(/\.$/, '')).join('; ');
}

/** Expects a success, or an error of the catalogue. The document of the error must state the status of the answer. */
function expectAnswer(status: number, text: string): void {
  const answer: ErrorAnswer & TakenAnswer = JSON.parse(text);
  if (status === 202) {
    expect(answer.accepted).to.be.a('number');
    return;
  }
  expect(answer.hTTPStatusCode).to.equal(String(status));
  expect(identifiers.has(answer.errorMessage.errorMessageId), text.slice(0, 300)).to.equal(true);
  expect(answer.translatedMessage).to.be.a('string').and.not.equal('');
}
