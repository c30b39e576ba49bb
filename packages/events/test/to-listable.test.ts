import { expect } from 'chai';
import { toListable } from '../src/index.js';

function depthOf(value: unknown): number {
  let depth = 0;
  for (let inner = value; Array.isArray(inner); inner = inner[0]) depth += 1;
  return depth;
}

describe('toListable', () => {
  it('gives a value that JSON can write as it is', () => {
    const value = { a: [1, -0.5, 'Infinity', null, true, { b: {} }, []], '': 'x' };
    expect(toListable(value)).to.deep.equal(value);
  });

  it('names what JSON.stringify would turn into null, in an array, which is valid nowhere', () => {
    const value: unknown = JSON.parse('{"setupTime":1e400,"cleanupTime":[-1e400]}');
    expect(toListable(value)).to.deep.equal({ setupTime: ['Infinity'], cleanupTime: [['-Infinity']] });
  });

  it('leaves out what is nested too deep for JSON.stringify', () => {
    const value: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect(depthOf(JSON.parse(JSON.stringify(toListable(value))))).to.equal(501);
  });

  it('takes __proto__ as a name like any other', () => {
    const text = '{"__proto__":{"type":"x"},"a":1}';
    const listable = toListable(JSON.parse(text));
    expect(JSON.stringify(listable)).to.equal(text);
    expect(Object.getPrototypeOf(listable)).to.equal(Object.prototype);
  });
});
