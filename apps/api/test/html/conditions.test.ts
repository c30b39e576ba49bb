import { expect } from 'chai';
import { conditionsOf, joinConditions, readNumber, withDecimalPoints } from '../../src/pages/browse.js';

describe('The conditions of a filter', () => {
  it('are what it joins by and, outside of texts and parentheses', () => {
    const filter =
      "A gt 1 AND contains(B, 'x and y') and (C eq 1 or D eq 2 and E eq 3) and not F eq 'it''s and'";
    expect(conditionsOf(filter)).to.deep.equal([
      'A gt 1',
      "contains(B, 'x and y')",
      '(C eq 1 or D eq 2 and E eq 3)',
      "not F eq 'it''s and'",
    ]);
    expect(conditionsOf('  ')).to.deep.equal([]);
  });

  it('are one where it joins by or', () => {
    expect(conditionsOf('A gt 1 and B gt 2 or C gt 3')).to.deep.equal(['A gt 1 and B gt 2 or C gt 3']);
  });

  it('are joined so that each keeps its meaning', () => {
    expect(joinConditions(['A gt 1 or B gt 2', 'C gt 3'])).to.equal('(A gt 1 or B gt 2) and C gt 3');
    expect(joinConditions(['A gt 1 or B gt 2'])).to.equal('A gt 1 or B gt 2');
    expect(joinConditions([])).to.equal('');
  });

  it('take a decimal comma for a point, but not in texts and lists', () => {
    expect(withDecimalPoints("RunTime gt 1,5 and (A lt 0,25) and B eq '1,5'")).to.equal(
      "RunTime gt 1.5 and (A lt 0.25) and B eq '1,5'",
    );
    const lists = "A in (1,2) and substring(Name,1,2) eq 'a'";
    expect(withDecimalPoints(lists)).to.equal(lists);
    expect(readNumber(' 20,5 ')).to.equal('20.5');
    expect(readNumber('20 or 1')).to.equal(undefined);
  });
});
