import { expect } from 'chai';
import { toListable } from '../src/internal.js';

function depthOf(value: unknown): number {
  let depth = 0;
  for (let inner = value; Array.isArray(inner); inner = inner[0]) depth += 1;
  return depth;
}

describe('toListable', () => {
  it('returns a value unchanged if JSON can represent it', () => {
    const value = { a: [1, -0.5, 'Infinity', null, true, { b: {} }, []], '': 'x' };
    expect(toListable(value)).to.deep.equal(value);
  });

  it('replaces a number by a list with its name if JSON.stringify would write it as null', () => {
    const value: unknown = JSON.parse('{"setupTime":1e400,"cleanupTime":[-1e400]}');
    expect(toListable(value)).to.deep.equal({ setupTime: ['Infinity'], cleanupTime: [['-Infinity']] });
  });

  it('omits values that are nested too deep for JSON.stringify', () => {
    const value: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect(depthOf(JSON.parse(JSON.stringify(toListable(value))))).to.equal(501);
  });

  it('treats __proto__ as an ordinary name', () => {
    const text = '{"__proto__":{"type":"x"},"a":1}';
    const listable = toListable(JSON.parse(text));
    expect(JSON.stringify(listable)).to.equal(text);
    expect(Object.getPrototypeOf(listable)).to.equal(Object.prototype);
  });
});
