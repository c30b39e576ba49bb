import { expect } from 'chai';
import { parseFilter } from '../src/parse-filter.js';
import { faultOf } from './support/fault-of.js';
import { shape } from './support/shape.js';

const tooLarge = (measure: string, limit: number) => ({
  code: 'expressionTooLarge',
  parameters: { parameter: '$filter', measure, limit: String(limit) },
});

/** For each kind of nesting, a function that returns a text with that many levels. */
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

describe('$filter', () => {
  for (const [name, nest] of Object.entries(nestings)) {
    it(`accepts 20 levels of ${name}, but neither 21 nor 100,000`, () => {
      expect(shape(parseFilter(nest(20)))).to.include('a');
      for (const depth of [21, 1_000, 100_000]) {
        expect(faultOf(() => parseFilter(nest(depth)))).to.deep.equal(
          tooLarge('levels of parentheses, not and functions', 20),
        );
      }
    });
  }

  it('limits the depth of nesting, not the number of nested parts', () => {
    const deep = `${'('.repeat(19)}trim(a) eq 1${')'.repeat(19)}`;
    expect(
      shape(parseFilter(`${deep} and ${deep} or not ${'('.repeat(19)}a eq 1${')'.repeat(19)}`)),
    ).to.match(/^or/);
  });

  const comparisons = (count: number) => new Array(count).fill('a eq 1').join(' and ');

  for (const word of ['and', 'or']) {
    it(`accepts a flat ${word} of 1,000 comparisons, but not of 1,001`, () => {
      const text = (count: number) => new Array(count).fill('a eq 1').join(` ${word} `);
      expect(parseFilter(text(1_000)))
        .to.have.property('operands')
        .with.length(1_000);
      for (const count of [1_001, 5_000]) {
        expect(faultOf(() => parseFilter(text(count)))).to.deep.equal(tooLarge('comparisons', 1_000));
      }
    });
  }

  it('counts all kinds of comparisons', () => {
    for (const other of ["contains(a,'b')", 'a in (1,2,3)', '(a) gt b add 1', 'not (a lt 1)']) {
      const text = `${comparisons(999)} and ${other}`;
      expect(parseFilter(text)).to.have.property('operands').with.length(1_000);
      expect(faultOf(() => parseFilter(`${text} and a eq 1`))).to.deep.equal(tooLarge('comparisons', 1_000));
    }
    expect(parseFilter(`${comparisons(1_000)} and true`))
      .to.have.property('operands')
      .with.length(1_001);
  });

  it('reads a filter with redundant parentheses like the filter without them', () => {
    const pairs = `(${comparisons(3)})`;
    expect(shape(parseFilter(new Array(11).fill(pairs).join(' and ')))).to.equal(
      shape(parseFilter(comparisons(33))),
    );
  });

  it('accepts a list of 1,000 values, but not of 1,001', () => {
    const list = (count: number) => `a in (${new Array(count).fill("'x'").join(',')})`;
    expect(parseFilter(list(1_000)))
      .to.have.property('values')
      .with.length(1_000);
    expect(faultOf(() => parseFilter(list(1_001)))).to.deep.equal(tooLarge('values in a list', 1_000));
  });

  const chains: Readonly<Record<string, (operations: number) => string>> = {
    'on the left': (operations) => `a${' add 1'.repeat(operations)} eq 1`,
    'on the right': (operations) => `1 eq a${' mul 1'.repeat(operations)}`,
    'of both kinds': (operations) =>
      `1 eq a${' mul 1 sub 1'.repeat(operations >> 1)}${' div 1'.repeat(operations & 1)}`,
    'in parentheses': (operations) => `(a${' add 1'.repeat(operations - 10)})${' mul 2'.repeat(10)} eq 1`,
    'in functions': (operations) => `round(floor(a${' mod 7'.repeat(operations - 1)}) add 1) eq 1`,
    'in a boolean function': (operations) => `contains(substring(a,0${' add 1'.repeat(operations)}),'x')`,
  };
  for (const [name, chain] of Object.entries(chains)) {
    it(`accepts 100 operations of arithmetic ${name}, but neither 101 nor 100,000`, () => {
      expect(shape(parseFilter(`${chain(100)} and ${chain(100)}`))).to.match(/^and/);
      for (const operations of [101, 1_000, 100_000]) {
        expect(faultOf(() => parseFilter(chain(operations)))).to.deep.equal(
          tooLarge('arithmetic operations in an operand', 100),
        );
      }
    });
  }
});
