import { eventCorpus } from '@takt/test-support';
import { expect } from 'chai';
import { describeProblems, parseEvent, prepareEvent } from '../src/index.js';
import { eventDefinitions, rulePhrases } from '../src/internal.js';

describe('the corpus of events', () => {
  const corpus = eventCorpus(
    eventDefinitions.map(({ type }) => type),
    'TEM-NO',
  );
  const publishingProblems = (event: unknown) => {
    const result = prepareEvent(event);
    return result.ok ? [] : result.problems;
  };
  const told = (faults: readonly { field: string; rule: string; got: string }[]) =>
    faults.map(({ field, rule, got }) => `${field} ${rule} (got ${got})`).join('; ');

  const accepted = [...corpus.good, ...corpus.keyed];
  it(`has good events that the publisher and the reader accept (${accepted.length} events)`, () => {
    for (const { name, json } of accepted) {
      const event: unknown = JSON.parse(json);
      expect(parseEvent(event).ok, name).to.equal(true);
      expect(publishingProblems(event), name).to.deep.equal([]);
    }
  });

  it(`has bad events that the publisher and the reader reject with the same words (${corpus.bad.length} events)`, () => {
    for (const { name, json, faults, isRefusedByPublisherOnly } of corpus.bad) {
      const event: unknown = JSON.parse(json);
      expect(describeProblems(publishingProblems(event)), name).to.equal(told(faults));
      const result = parseEvent(event);
      const read = result.ok ? '' : describeProblems(result.problems);
      expect(read, name).to.equal(isRefusedByPublisherOnly === true ? '' : told(faults));
    }
  });

  it('breaks every rule except the limit of the size', () => {
    const problems = corpus.bad.flatMap(({ json }) => publishingProblems(JSON.parse(json)));
    const broken = new Set(problems.map(({ words }) => words.rule.phrase));
    expect(rulePhrases.filter((phrase) => !broken.has(phrase))).to.deep.equal([
      'must take at most {0} bytes as JSON',
    ]);
  });
});
