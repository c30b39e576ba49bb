import { expect } from 'chai';
import { parseFilter } from '../src/parse-filter.js';
import { faultOf } from './support/fault-of.js';
import { shape } from './support/shape.js';

const tooLarge = (measure: string, limit: number) => ({
  code: 'expressionTooLarge',
  parameters: { parameter: '$filter', measure, limit: String(limit) },
});

/** Texts with so many levels, of each kind of level. */
const nestings: Readonly<Record<string, (depth: number) => string>> = {
  parentheses: (depth) => `${'('.repeat(depth)}a eq 1${')'.repeat(depth)}`,
  'not and parentheses': (depth) =>
    `${depth % 2 === 0 ? '' : '('}${'not('.repeat(depth >> 1)}a eq 1${')'.repeat(depth - (depth >> 1))}`,
  'calls on the left': (depth) => `${'trim('.repeat(depth)}a${')'.repeat(depth)} eq 1`,
  'calls on the right': (depth) => `a eq ${'trim('.repeat(depth)}a${')'.repeat(depth)}`,
  'calls in a boolean function': (depth) =>
    `contains(${'trim('.repeat(depth - 1)}a${')'.repeat(depth - 1)},'x')`,
  'calls in parentheses': (depth) => `(${'trim('.repeat(depth - 1)}a${')'.repeat(depth - 1)} eq 1)`,
};

describe('$filter has limits:', () => {
  for (const [name, nest] of Object.entries(nestings)) {
    it(`20 levels of ${name}, not 21, and 100,000 do not exhaust the stack`, () => {
      expect(shape(parseFilter(nest(20)))).to.include('a');
      for (const depth of [21, 1_000, 100_000]) {
        expect(faultOf(() => parseFilter(nest(depth)))).to.deep.equal(tooLarge('depth', 20));
      }
    });
  }

  it('levels beside each other do not add up', () => {
    const deep = `${'('.repeat(19)}trim(a) eq 1${')'.repeat(19)}`;
    expect(
      shape(parseFilter(`${deep} and ${deep} or not ${'('.repeat(19)}a eq 1${')'.repeat(19)}`)),
    ).to.match(/^or/);
  });

  const comparisons = (count: number) => new Array(count).fill('a eq 1').join(' and ');

  it('100 nodes, not 101', () => {
    // 33 comparisons of 3 nodes, and the node that joins them.
    expect(shape(parseFilter(comparisons(33)))).to.match(/^and/);
    expect(faultOf(() => parseFilter(`${comparisons(32)} and not a eq 1`))).to.deep.equal(
      tooLarge('nodes', 100),
    );
    expect(faultOf(() => parseFilter(comparisons(34)))).to.deep.equal(tooLarge('nodes', 100));
    expect(faultOf(() => parseFilter(`${comparisons(32)} and trim(a) eq 1`))).to.deep.equal(
      tooLarge('nodes', 100),
    );
    expect(faultOf(() => parseFilter(`${comparisons(32)} and a in (1,2)`))).to.deep.equal(
      tooLarge('nodes', 100),
    );
  }).timeout(5_000);

  it('brackets that mean nothing are no nodes', () => {
    const pairs = `(${comparisons(3)})`;
    expect(shape(parseFilter(new Array(11).fill(pairs).join(' and ')))).to.equal(
      shape(parseFilter(comparisons(33))),
    );
  });

  it('50 values of a list, not 51', () => {
    const list = (count: number) => `a in (${new Array(count).fill("'x'").join(',')})`;
    expect(parseFilter(list(50)))
      .to.have.property('values')
      .with.length(50);
    expect(faultOf(() => parseFilter(list(51)))).to.deep.equal(tooLarge('values', 50));
  });
});
