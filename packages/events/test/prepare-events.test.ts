import { expect } from 'chai';
import { InvalidEventError } from '../src/index.js';
import { planJobs } from '../src/publisher/plan-jobs.js';
import { MAX_EVENT_BYTES, prepareEvents } from '../src/publisher/prepare-events.js';
import { completedEvent } from './support/sample-events.js';

function refusal(event: unknown): string {
  try {
    prepareEvents([completedEvent(), event]);
  } catch (error) {
    expect(error).to.be.instanceOf(InvalidEventError).and.to.have.property('index', 1);
    return String(error);
  }
  return 'accepted';
}

function jobIds(events: readonly unknown[], batchSize = 1): (string | undefined)[] {
  const jobs = planJobs(prepareEvents(events), batchSize);
  return jobs.map((job) => job.opts.jobId);
}

/** Returns an event that has this many bytes as JSON. Most bytes belong to a text of characters with two bytes each. */
function eventOf(bytes: number, workOrderOperationId = 1): Record<string, unknown> {
  const bare = completedEvent({ workOrderOperationId, ignored: '' });
  const room = bytes - Buffer.byteLength(JSON.stringify(bare));
  return completedEvent({ workOrderOperationId, ignored: 'é'.repeat(room / 2) + 'e'.repeat(room % 2) });
}

describe('prepareEvents', () => {
  it('rejects an event that is too large for workers', () => {
    expect(refusal(eventOf(MAX_EVENT_BYTES))).to.equal('accepted');
    expect(refusal(eventOf(MAX_EVENT_BYTES + 1))).to.equal(
      `InvalidEventError: event 1: event must take at most 15728640 bytes as JSON (got 15728641 bytes)`,
    );
  });

  it('makes batches of limited size, and loses no event', () => {
    const events = [5, 5, 5, 10, 1].map((megabytes, index) => eventOf(megabytes * 1_000_000, index + 1));
    const jobs = planJobs(prepareEvents(events), 1_000);
    expect(jobs.map(({ data }) => Object(data).length)).to.deep.equal([3, 2]);
    for (const { data } of jobs) {
      expect(Buffer.byteLength(JSON.stringify(data))).to.be.at.most(MAX_EVENT_BYTES + 1);
    }
    expect(jobs.flatMap(({ data }) => data)).to.deep.equal(events);
  });

  it('rejects NUL and lone surrogates even in fields that the contract does not know', () => {
    for (const text of ['\0', 'a\\\0', '\uD800', '\uDBFF', '\uDC00', '\uDFFF', '\uDFFF\uD800', '\\\\\0']) {
      expect(refusal(completedEvent({ ignored: [text] })), JSON.stringify(text)).to.contain(
        'no NUL and no lone',
      );
      expect(refusal(completedEvent({}, { [text]: 1 })), JSON.stringify(text)).to.contain(
        'no NUL and no lone',
      );
    }
  });

  it('accepts every other character, even in a text that looks like an escape sequence', () => {
    for (const text of ['\\u0000', '\\\\u0000', '\\ud800', '\u0001', '😀', '\u2028', '"\\']) {
      expect(refusal(completedEvent({ ignored: text })), JSON.stringify(text)).to.equal('accepted');
    }
  });

  it('rejects nesting that is too deep for PostgreSQL, without counting brackets in strings', () => {
    const nested = (depth: number) => JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`);
    expect(refusal(completedEvent({ ignored: nested(498) }))).to.equal('accepted');
    expect(refusal(completedEvent({ ignored: nested(499) }))).to.contain(
      'must not be nested more than 500 deep',
    );
    expect(refusal(completedEvent({ ignored: nested(200_000) }))).to.contain('must ');
    expect(refusal(completedEvent({ ignored: '["\\[{'.repeat(1_000) }))).to.equal('accepted');
    expect(refusal(completedEvent({ ignored: new Array(2_000).fill([{}]) }))).to.equal('accepted');
  });

  it('rejects values that JSON cannot represent', () => {
    const cycle: Record<string, unknown> = completedEvent();
    cycle['data'] = cycle;
    for (const event of [undefined, () => 1, 1n, cycle, Symbol('x')]) {
      expect(refusal(event)).to.contain('event 1: event must be a JSON object');
    }
  });

  it('checks the JSON text, not the value that the text was made from', () => {
    expect(refusal(completedEvent({ completedAt: new Date(0) }))).to.equal('accepted');
    expect(refusal(completedEvent({ runTime: Number.NaN }))).to.contain('data.runTime must be');
    expect(refusal(Object.assign(completedEvent(), { toJSON: () => ({}) }))).to.contain('specversion');
    expect(refusal(Object.create(completedEvent()))).to.contain('specversion');
  });

  it('rejects NaN and infinities, because JSON would contain null instead', () => {
    for (const hours of [Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(refusal(completedEvent({ setupTime: hours }))).to.contain('data.setupTime must be');
    }
    expect(refusal(completedEvent({ setupTime: null }))).to.equal('accepted');
  });

  it('keeps its result if the given value changes later', () => {
    const event = completedEvent();
    const [prepared] = prepareEvents([event]);
    event['id'] = 'changed';
    expect(prepared?.data).to.deep.equal(completedEvent());
  });
});

describe('the ids of jobs', () => {
  it('depend only on the content of the job', () => {
    const [one, same, other] = jobIds([completedEvent(), completedEvent(), completedEvent({ revision: 2 })]);
    expect(one).to.equal(same);
    expect(one).not.to.equal(other);
  });

  it('are valid ids for BullMQ', () => {
    const events = Array.from({ length: 200 }, (_, revision) => completedEvent({ revision: revision + 1 }));
    for (const id of [...jobIds(events), ...jobIds(events, 7)]) {
      expect(id).to.match(/^e-[A-Za-z0-9_-]{22}$/);
    }
    expect(new Set(jobIds(events)).size).to.equal(200);
  });

  it('depend on the order of the events of a batch, and on where each event begins', () => {
    const [a, b] = [completedEvent(), completedEvent({ revision: 2 })];
    expect(jobIds([a, b], 2)).not.to.deep.equal(jobIds([b, a], 2));
    expect(jobIds([a, b], 2)).to.deep.equal(jobIds([a, b], 1_000));
    expect(jobIds([a, b], 2)).not.to.deep.equal(jobIds([a, a, b], 3));
  });
});
