import { gzipSync } from 'node:zlib';
import { errorCatalogue } from '@takt/catalogue/errors';
import { describeProblems, eventDefinitions, parseEvent } from '@takt/events';
import { addCompany } from '@takt/figures/master-data';
import {
  eventCorpus,
  type IntakeProcess,
  randomFrom,
  readPeakMemoryMb,
  shareOf,
  startIntakeProcess,
  testSeed,
} from '@takt/test-support';
import { expect } from 'chai';
import { contentWays } from './support/content-ways.js';
import { mutated, scrambled } from './support/event-mutations.js';
import {
  type ErrorAnswer,
  openIntakeClient,
  type SendToIntake,
  type TakenAnswer,
} from './support/intake-client.js';
import { openTestSystem, type TestSystem } from './support/test-system.js';

const COMPANY = 'TEM-NO';
const REQUESTS = shareOf(10);
const EVENTS_A_REQUEST = 500;
const BODIES_A_WAY = shareOf(200);
const CONCURRENT_REQUESTS = 8;
const MAX_MEMORY_MB = 300;

describe('the intake, given what nobody thought of,', function () {
  this.timeout(shareOf(120_000, 120_000));
  const seed = testSeed();
  const random = randomFrom(seed);
  const { good } = eventCorpus(
    eventDefinitions.map(({ type }) => type),
    COMPANY,
  );
  // Those of 100,000 characters would leave no time for many.
  const samples = good.filter(({ json }) => json.length < 3_000);
  let system: TestSystem;
  let intake: IntakeProcess;
  let send: SendToIntake;

  before(async function () {
    system = await openTestSystem(this, 'postgres');
    await addCompany(system.database, COMPANY, 'Company of the token');
    intake = await startIntakeProcess(system);
    send = await openIntakeClient(intake.origin, system, COMPANY);
  });
  after(async () => {
    await intake?.stop();
    await system?.close();
  });
  afterEach(async () => {
    for (const queue of Object.values(system.queues)) await queue.drain();
    expect(intake.runs()).to.equal(true);
    expect(readPeakMemoryMb(intake.pid)).to.be.within(1, MAX_MEMORY_MB);
  });

  it(`judges changed events as the worker does (seed ${seed})`, async () => {
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
  });

  /** Whether that is what the worker would tell, or else what only who publishes knows. */
  function isRight(event: unknown, told: string | undefined): boolean {
    const result = parseEvent(event);
    if (!result.ok) return told === describeProblems(result.problems);
    const isForeign = result.event.database !== COMPANY;
    if (isForeign) return told?.includes('no right to publish for the company') === true;
    return told === undefined || told.startsWith('event must hold no NUL and no lone surrogates');
  }

  for (const way of contentWays) {
    it(`answers scrambled bodies with the four codes: ${way.name} (seed ${seed})`, async () => {
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
    });
  }
});

const identifiers: ReadonlySet<number> = new Set(
  Object.values(errorCatalogue).map(({ errorMessageId }) => errorMessageId),
);

function toldOf({ message, innerErrors }: TakenAnswer['rejected'][number]['error'], index: number): string {
  const texts = [message, ...innerErrors.map((inner) => inner.message)];
  return texts.map((text) => text.replace(`Event ${index}: `, '').replace(/\.$/, '')).join('; ');
}

/** Taken, or an error of the catalogue with the status that it has there. */
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
