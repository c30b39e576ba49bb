import { expect } from 'chai';
import { parseJsonb } from '../src/queue/postgres-pool.js';

describe('parseJsonb', () => {
  it('reads JSON', () => {
    const text = `{"a": [1, -0.5, "x", null, true], "__proto__": {}, "digits": "${'1'.repeat(400)}"}`;
    expect(JSON.stringify(parseJsonb(text))).to.equal(JSON.stringify(JSON.parse(text)));
  });

  it('replaces a number that is too large for a double by a list, because null would be valid in some fields', () => {
    const digits = `1${'0'.repeat(400)}`;
    expect(parseJsonb(`{"setupTime": ${digits}, "a": [-${digits}.5, 1]}`)).to.deep.equal({
      setupTime: ['Infinity'],
      a: [['-Infinity'], 1],
    });
  });

  it('reads the largest double', () => {
    const text = BigInt(Number.MAX_VALUE).toString();
    expect(parseJsonb(`[${text}]`)).to.deep.equal([Number.MAX_VALUE]);
  });
});
