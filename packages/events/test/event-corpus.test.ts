import { eventCorpus } from '@takt/test-support';
import { expect } from 'chai';
import { describeProblems, eventDefinitions, parseEvent, rulePhrases } from '../src/index.js';
import { findPublishingProblems } from '../src/publisher/prepare-events.js';

describe('the events of the corpus', () => {
  const corpus = eventCorpus(
    eventDefinitions.map(({ type }) => type),
    'TEM-NO',
  );
  const told = (faults: readonly { field: string; rule: string; got: string }[]) =>
    faults.map(({ field, rule, got }) => `${field} ${rule} (got ${got})`).join('; ');

  it(`are accepted by publisher and reader if good (${corpus.good.length} events)`, () => {
    for (const { name, json } of corpus.good) {
      const event: unknown = JSON.parse(json);
      expect(parseEvent(event).ok, name).to.equal(true);
      expect(findPublishingProblems(event), name).to.deep.equal([]);
    }
  });

  it(`are refused by both with every fault in the same words if bad (${corpus.bad.length} events)`, () => {
    for (const { name, json, faults, isRefusedByPublisherOnly } of corpus.bad) {
      const event: unknown = JSON.parse(json);
      expect(describeProblems(findPublishingProblems(event)), name).to.equal(told(faults));
      const result = parseEvent(event);
      const read = result.ok ? '' : describeProblems(result.problems);
      expect(read, name).to.equal(isRefusedByPublisherOnly === true ? '' : told(faults));
    }
  });

  it('break every rule, except the size, which needs a separate file', () => {
    const problems = corpus.bad.flatMap(({ json }) => findPublishingProblems(JSON.parse(json)));
    const broken = new Set(problems.map(({ words }) => words.rule.phrase));
    expect(rulePhrases.filter((phrase) => !broken.has(phrase))).to.deep.equal([
      'must take at most {0} bytes as JSON',
    ]);
  });
});
