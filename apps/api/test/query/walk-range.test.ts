import { expect } from 'chai';
import { constantFields, holdsValues, isNarrow, splitByRange } from '../../src/plan/condition.js';
import { listPlanOf } from '../support/ask.js';
import { fieldNamed } from '../support/queried-fields.js';
import { productionTimes } from '../support/resources.js';

function conditionOf($filter: string) {
  const { condition } = listPlanOf(productionTimes, { $filter }).shape;
  if (condition === undefined) throw new Error('a filter is resolved');
  return condition;
}

describe('the analysis of a filter before reading in the order of an index', () => {
  const stretches: Readonly<Record<string, readonly [within: number, rest: number]>> = {
    'RunTime gt 1': [1, 0],
    '1 add 2 gt RunTime': [1, 0],
    'RunTime eq 1.5': [1, 0],
    'RunTime eq null': [1, 0],
    'RunTime ne null': [1, 0],
    'not (RunTime gt 1)': [1, 0],
    'not (1 le RunTime)': [1, 0],
    'RunTime gt 1 and (RunTime le 5 and SetupTime gt 1)': [2, 1],
    'not (RunTime le 1 or SetupTime eq 1)': [0, 2],
    'RunTime ne 1': [0, 1],
    'not (RunTime lt 1)': [0, 1],
    'not (RunTime ne 1)': [0, 1],
    'not (RunTime eq 1)': [0, 1],
    'RunTime in (1, 2)': [0, 1],
    'RunTime gt 1 or RunTime eq null': [0, 1],
    'RunTime gt SetupTime': [0, 1],
    'not (RunTime gt 1 div 0)': [0, 1],
    'RunTime add 1 gt 2': [0, 1],
    'RunTime add 1 eq null': [0, 1],
    "startswith(ProductName, 'frame')": [0, 2],
  };
  for (const [$filter, [within, rest]] of Object.entries(stretches)) {
    it(`finds that ${within} of the conditions of ${$filter} limit RunTime to one range`, () => {
      const split = splitByRange(conditionOf($filter), fieldNamed('RunTime'));
      expect([split.within.length, split.rest.length]).to.deep.equal([within, rest]);
    });
  }

  it('finds ranges of other fields, of whole numbers and of texts', () => {
    const sizes = (text: string, name: string) => {
      const { within, rest } = splitByRange(conditionOf(text), fieldNamed(name));
      return [within.length, rest.length];
    };
    expect(sizes("startswith(ProductName, 'Frame')", 'ProductName')).to.deep.equal([1, 1]);
    expect(sizes("not startswith(ProductName, 'Frame')", 'ProductName')).to.deep.equal([0, 1]);
    expect(sizes("startswith(ProductName, 'ø')", 'ProductName')).to.deep.equal([0, 1]);
    expect(sizes("ProductName gt 'a'", 'ProductName')).to.deep.equal([0, 1]);
    const completed = 'NumberOfCompletedProductionWorkOrders';
    expect(sizes(`not (${completed} gt 5)`, completed)).to.deep.equal([1, 0]);
    expect(sizes(`${completed} gt 5.5 and 2 mul 7 gt ${completed}`, completed)).to.deep.equal([2, 0]);
    expect(splitByRange(undefined, fieldNamed('RunTime'))).to.deep.equal({ within: [], rest: [] });
  });

  it('finds the fields that have the same value in all rows that match the filter', () => {
    const names = (text: string) => [...constantFields(conditionOf(text))].map(({ name }) => name);
    expect(names('RunTime eq 1 and SetupTime eq null and CleanupTime gt 1')).to.deep.equal([
      'RunTime',
      'SetupTime',
    ]);
    for (const value of ['5', '2.5 mul 2']) {
      const text = `not (${value} ne NumberOfCompletedProductionWorkOrders)`;
      expect(names(text)).to.deep.equal(['NumberOfCompletedProductionWorkOrders']);
    }
    for (const text of [
      'not (RunTime ne 1)',
      'RunTime eq 1 or RunTime eq 2',
      'RunTime ne null',
      'RunTime eq SetupTime',
      "ProductName eq 'frame'",
      'RunTime in (1, null)',
    ]) {
      expect(names(text), text).to.deep.equal([]);
    }
    expect(constantFields(undefined).size).to.equal(0);
  });

  it('tells if an index can find the few matching rows', () => {
    for (const text of [
      'ProductStructureVersionId eq 1',
      'SetupTime gt 1 and ProductId in (1, 2)',
      'ProductId in (1, 2.5)',
      'ProductStructureVersionId eq 2 mul 3',
      'RunTime eq 1.5',
      "startswith(ProductName, 'frame 7')",
      "contains(ProductName, 'welded')",
      "ProductName eq 'frame'",
    ]) {
      expect(isNarrow(conditionOf(text)), text).to.equal(true);
    }
    for (const text of [
      'RunTime gt 1',
      'RunTime eq 1 or SetupTime gt 1',
      'not (RunTime ne 1)',
      'Version eq 1',
      "startswith(ProductName, 'fr')",
      "not contains(ProductName, 'welded')",
      'ProductStatus eq 4',
      'RunTime eq null',
      'RunTime gt SetupTime',
    ]) {
      expect(isNarrow(conditionOf(text)), text).to.equal(false);
    }
    expect(isNarrow(undefined)).to.equal(false);
  });

  it('finds literals other than null and true in the filter', () => {
    for (const text of [
      'RunTime gt 1',
      'RunTime in (1)',
      'RunTime gt SetupTime and not (SetupTime add 1 eq null)',
      "startswith(ProductName, 'a')",
      'round(RunTime mul 2) gt SetupTime',
    ]) {
      expect(holdsValues(conditionOf(text)), text).to.equal(true);
    }
    for (const text of [
      'RunTime gt SetupTime',
      'not (RunTime eq null) or true',
      '-RunTime gt SetupTime add null',
      'contains(ProductName, tolower(ProductStructureVersionName))',
    ]) {
      expect(holdsValues(conditionOf(text)), text).to.equal(false);
    }
    expect(holdsValues(undefined)).to.equal(false);
  });
});
