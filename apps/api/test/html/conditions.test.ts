import { expect } from 'chai';
import { browseOf, joinConditions, readConditions } from '../../src/pages/browse.js';
import { describeCondition } from '../../src/pages/filter-forms.js';
import { contextOf, productionTimesPage } from './sample-pages.js';

const { resource } = productionTimesPage(0);
const conditionsOf = (filter: string) => readConditions(resource, filter).map(({ text }) => text);

describe('The conditions of a filter', () => {
  it('are the terms between AND, but not inside texts and parentheses', () => {
    const filter =
      "A gt 1 AND contains(B, 'x and y') and (C eq 1 or D eq 2 and E eq 3) and not (F eq 'it''s and')";
    expect(conditionsOf(filter)).to.deep.equal([
      'A gt 1',
      "contains(B, 'x and y')",
      '(C eq 1 or D eq 2 and E eq 3)',
      "not (F eq 'it''s and')",
    ]);
    expect(conditionsOf('  ')).to.deep.equal([]);
  });

  it('are a single condition if the filter contains OR or cannot be parsed', () => {
    expect(conditionsOf('A gt 1 and B gt 2 or C gt 3')).to.deep.equal(['A gt 1 and B gt 2 or C gt 3']);
    expect(conditionsOf(' A gt 1 and ')).to.deep.equal(['A gt 1 and']);
  });

  it('keep their meaning when they are joined again, because some of them get parentheses', () => {
    expect(joinConditions(['A gt 1 or B gt 2', 'C gt 3'])).to.equal('(A gt 1 or B gt 2) and C gt 3');
    expect(joinConditions(['(A gt 1) or (B gt 2)', 'C gt 3'])).to.equal('((A gt 1) or (B gt 2)) and C gt 3');
    expect(joinConditions(['(A gt 1 or B gt 2)', 'C gt 3'])).to.equal('(A gt 1 or B gt 2) and C gt 3');
    expect(joinConditions(['A gt 1 or B gt 2'])).to.equal('A gt 1 or B gt 2');
    expect(joinConditions([])).to.equal('');
  });

  it('are recognized if they match a field of the filter form or the option to hide rows without a value', () => {
    const $filter = "hoursoverplan GT 0 and ProductName eq 'it''s' and RunTime ne null and RunTime gt 1";
    const { conditions } = browseOf(
      resource,
      contextOf({ parameters: [{ name: '$filter', value: $filter }] }),
    );
    expect(conditions.map(({ choice }) => choice && [choice.filter.kind, choice.value])).to.deep.equal([
      ['positive', '0'],
      ['same', "it's"],
      undefined,
      undefined,
    ]);
    expect(conditions.map(({ present }) => present?.name)).to.deep.equal([
      undefined,
      undefined,
      'RunTime',
      undefined,
    ]);
  });

  it('are described in words if they compare a field with a value', () => {
    const { wording } = browseOf(resource, contextOf({ language: 'deu' }));
    const wordsOf = (filter: string) =>
      readConditions(resource, filter).map((condition) => describeCondition(condition, wording));
    expect(wordsOf("RunTime gt 1.5 and contains(Revision, 'A') and RunTimeVerdict eq 'over'")).to.deep.equal([
      { words: 'Laufzeit ist mehr als 1,5 h' },
      { words: 'Revision enthält A' },
      { words: 'Laufzeit, Urteil: sicher über dem Plan' },
    ]);
    expect(wordsOf('SetupTime eq null')).to.deep.equal([{ words: 'Rüstzeit fehlt' }]);
    expect(wordsOf('RunTime gt SetupTime')).to.deep.equal([{ words: 'RunTime gt SetupTime', isCode: true }]);
  });
});
