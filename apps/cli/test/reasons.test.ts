import { describeProblems, parseEvent } from '@takt/events';
import { ruleOf } from '@takt/events/view';
import { completion } from '@takt/test-support';
import { expect } from 'chai';

describe('the rule in the reason of a rejection', () => {
  const reasonFor = (data: Readonly<Record<string, unknown>>) => {
    const result = parseEvent(completion(1, data));
    return result.ok ? '' : describeProblems(result.problems);
  };

  it('is the same for all values of an event', () => {
    const values = [
      -1,
      'two',
      '"',
      ')',
      ' (got "x")',
      `"${'\\'.repeat(200)}`,
      'é'.repeat(500),
      `${'a'.repeat(78)}é`,
      `…) ${'…)'.repeat(60)}`,
      // The value is cut in the middle of an escape, wherever that is.
      ...Array.from({ length: 100 }, (_, index) => `${'s'.repeat(index)}\n\u0001"\\${'x'.repeat(100)}`),
      [1],
      {},
      null,
      true,
    ];
    const rules = new Set(values.map((runTime) => ruleOf(reasonFor({ runTime }))));
    expect([...rules].length).to.equal(1);
    expect([...rules][0])
      .to.match(/^data\.runTime must be hours /)
      .and.not.include('got');
  });

  it('is found in reasons that an earlier version has cut in the middle of an escape', () => {
    expect(ruleOf('data.runTime must be hours (got "secret\\…); data.revision must be 1 (got 2)')).to.equal(
      'data.runTime must be hours; data.revision must be 1',
    );
  });

  it('names every field that violates the rule', () => {
    for (const data of [
      { runTime: -1, revision: '(got 7)' },
      { runTime: -1, revision: -2 },
      { runTime: '"x', revision: '' },
    ]) {
      const rule = ruleOf(reasonFor(data));
      expect(rule)
        .to.include('data.runTime must be ')
        .and.to.include('data.revision must be ')
        .and.to.include('; ');
      expect(rule).not.to.include('got');
    }
  });

  it('is the whole reason if that reason contains no value', () => {
    const reason = 'the database cannot store the event: value out of range';
    expect(ruleOf(reason)).to.equal(reason);
  });
});
