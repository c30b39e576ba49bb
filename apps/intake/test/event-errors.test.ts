import { describeError, errorCatalogue, type ServiceError } from '@takt/catalogue/errors';
import { type EventProblem, prepareEvent } from '@takt/events';
import { eventDefinitions } from '@takt/events/internal';
import { eventCorpus } from '@takt/test-support';
import { languages } from '@takt/texts';
import { expect } from 'chai';
import { errorOf, foreignCompany, rejectionsOf, tooManyEvents } from '../src/event-errors.js';

const corpus = eventCorpus(
  eventDefinitions.map(({ type }) => type),
  'TEM-NO',
);

function problemsOf(event: unknown): readonly EventProblem[] {
  const result = prepareEvent(event);
  return result.ok ? [] : result.problems;
}

describe('an error about an invalid event', () => {
  const problems = problemsOf({
    type: 'work-order-operation.reopened.v1',
    specversion: '1.0',
    id: 7,
    source: 'x',
  });
  const innerOf = (error: ServiceError, language: (typeof languages)[number] = 'eng') =>
    describeError(error, language).innerErrors;

  it('is an inner error with the position of the event, the field, the rule and the value', () => {
    const error = errorOf([{ index: 3, problems }], 5);
    expect(describeError(error, 'eng').parameters.map(({ value }) => value)).to.deep.equal(['1', '5']);
    expect(errorCatalogue[error.code].status).to.equal(400);
    expect(innerOf(error).map(({ parameters }) => parameters.map(({ value }) => value))).to.deep.equal([
      ['3', 'id', 'must be text of 1 to 255 characters without NUL or lone surrogates', '7'],
      [
        ...['3', 'time'],
        'must be an RFC 3339 date and time with offset, such as 2024-05-31T16:20:00+02:00',
        'nothing',
      ],
      ['3', 'data', 'must be a JSON object', 'nothing'],
    ]);
  });

  it('has a text in each language, with the same figures and examples', () => {
    const kinds = new Map(
      corpus.bad
        .flatMap(({ json }) => problemsOf(JSON.parse(json)))
        .map((one) => [`${one.rule} ${one.got}`, one]),
    );
    for (const problem of kinds.values()) {
      const error = errorOf([{ index: 0, problems: [problem] }], 1);
      const texts = languages.map((language) => innerOf(error, language)[0]?.translatedMessage ?? '');
      expect(new Set(texts).size, texts.join('\n')).to.equal(languages.length);
      const { rule, got } = problem.words;
      const kept = [...rule.values, ...(typeof got === 'string' ? [got] : got.values)];
      for (const text of texts) for (const value of kept) expect(text).to.include(value);
    }
  });

  it('contains the other errors of the same event as inner errors if the event is left out', () => {
    const [error, ...more] = rejectionsOf([{ index: 3, problems }]).map((one) => describeError(one, 'eng'));
    expect(more).to.deep.equal([]);
    expect([error, ...(error?.innerErrors ?? [])].map((one) => one?.parameters[1]?.value)).to.deep.equal([
      ...['id', 'time', 'data'],
    ]);
  });

  it('is one of at most a thousand in an answer; every event that is left out has at least one error', () => {
    const invalid = Array.from({ length: 900 }, (_, index) => ({ index, problems }));
    const { innerErrors } = errorOf(invalid, 900);
    expect(innerErrors.map(({ code }) => code)).to.deep.equal([
      ...Array(1_000).fill('invalidEvent'),
      'moreFaults',
    ]);
    expect(innerErrors.at(-1)?.parameters).to.deep.equal(['1700']);
    expect(errorOf(invalid, 900).message).to.include('900 of 900');
    const rejections = rejectionsOf(invalid);
    expect(rejections).to.have.lengthOf(900);
    expect(rejections.reduce((sum, { innerErrors }) => sum + innerErrors.length, 0)).to.equal(1_000);
  });
});

describe('an error about a valid event', () => {
  it('has the same text for a registered and an unregistered foreign company', () => {
    const { status, message, parameters } = describeError(foreignCompany(2, 'ACME'), 'eng');
    expect(status).to.equal(403);
    expect(parameters.map(({ value }) => value)).to.deep.equal(['2', 'ACME']);
    expect(message).to.include('Event 2').and.to.include('“ACME”');
  });

  it('also reports too many events in a request', () => {
    const { status, message } = describeError(tooManyEvents(1_000), 'eng');
    expect(status).to.equal(400);
    expect(message).to.equal('The request holds more than 1000 events. Divide them among several requests.');
  });
});
