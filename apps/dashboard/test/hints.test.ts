import { expect } from 'chai';
import { findHints } from '../src/operations/attention.js';
import type { OperationsView } from '../src/operations/view.js';
import { wordsOf } from '../src/words.js';

describe('the hints after the alarms', () => {
  const hintsOn = (liveRows: number, deadRows: number) => {
    const slow = { audit: {}, size: { tables: [{ table: 'completions', liveRows, deadRows }] } };
    const view = { sample: { slow }, unlisted: [], rejected: undefined, words: wordsOf('eng') };
    return findHints(view as unknown as OperationsView).map(({ text }) => text);
  };

  it('name a table with ten thousand dead rows or more, if they are at least half as many as its live rows', () => {
    expect(hintsOn(20_000, 10_000)).to.have.lengthOf(1);
    expect(hintsOn(20_000, 10_000)[0])
      .to.include('completions')
      .and.to.include('10,000')
      .and.to.include('20,000');
    expect(hintsOn(20_001, 10_000)).to.deep.equal([]);
    expect(hintsOn(0, 9_999)).to.deep.equal([]);
  });
});
