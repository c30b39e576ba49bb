import { randomFrom, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import fc from 'fast-check';
import type { FilterExpression, Operand } from '../src/index.js';
import { childrenOf, parseFilter } from '../src/parse-filter.js';
import { filterArbitrary } from './support/filter-arbitrary.js';
import { printFilter } from './support/print-filter.js';
import { shape } from './support/shape.js';

const seed = testSeed();

type Node = FilterExpression | Operand;

/** What the text shows where a node says that it stands. */
function expectInPlace(text: string, node: Node): void {
  const at = (position: number) =>
    Array.from(text)
      .slice(position - 1)
      .join('');
  if (node.kind === 'field') {
    expect(at(node.position).startsWith(node.name)).to.equal(true);
  } else if (node.kind === 'literal') {
    expect(at(node.position).startsWith(node.source)).to.equal(true);
  } else if (node.kind === 'comparison') {
    expect(at(node.position).slice(0, 2).toLowerCase()).to.equal(node.operator);
  } else if (node.kind === 'in') {
    expect(at(node.position).slice(0, 2).toLowerCase()).to.equal('in');
  } else if (node.kind === 'call') {
    expect(at(node.position).toLowerCase().startsWith(node.function)).to.equal(true);
  } else if (node.kind === 'textMatch') {
    expect(at(node.position).toLowerCase()).to.match(new RegExp(`^(?:${node.match}|substringof)`));
  }
  if (node.kind === 'arithmetic') {
    expect(at(node.position).slice(0, 3).toLowerCase()).to.equal(node.operator);
  } else if (node.kind === 'negative') {
    expect(at(node.position).startsWith('-')).to.equal(true);
  } else if (node.kind === 'constant') {
    expect(at(node.position).toLowerCase().startsWith(String(node.holds))).to.equal(true);
  }
  for (const child of childrenOf(node)) {
    expectInPlace(text, child);
  }
}

const countNodes = (node: Node): number =>
  childrenOf(node).reduce((count, child) => count + countNodes(child), 1);

describe(`any tree, written in any way, (seed ${seed})`, () => {
  it('is read back, every part of it in its place', () => {
    let compared = 0;
    fc.assert(
      fc.property(filterArbitrary, fc.integer(), (tree, printSeed) => {
        const text = printFilter(tree, randomFrom(printSeed));
        const parsed = parseFilter(text);
        expect(shape(parsed), text).to.equal(shape(tree));
        expectInPlace(text, parsed);
        compared += countNodes(tree);
      }),
      { seed, numRuns: 2_000 },
    );
    expect(compared).to.be.greaterThan(10_000);
  });
});
