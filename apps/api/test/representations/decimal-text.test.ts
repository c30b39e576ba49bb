import { randomFrom, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import { decimalText } from '../../src/representations/shared-parts.js';

describe('the text of a decimal', () => {
  it('is the text that JavaScript writes, for all edge cases', () => {
    const edges = [
      ...[0, -0, 1, -1, 0.000001, 0.00001, 0.0001, 0.001, 0.01, 0.1, 0.9, 0.999, 0.999999, 1.000001, 10.01],
      ...[1.5e-6, 4e-7, 1e-7, 0.1 + 0.2, 1 / 3, 1.0000001, 123456.654321, 999999999.999999, 1e9, 1e15, 1e21],
      ...[-0.000001, -0.764416, -12.5, 999999999.999999, 9007199254740991, 0.0005, 0.00005, 0.05, 100.1],
    ];
    for (const value of edges) expect(decimalText(value)).to.equal(String(value));
  });

  it('is the text that JavaScript writes, for random numbers with up to seven decimals', () => {
    const seed = testSeed();
    const random = randomFrom(seed);
    for (let attempt = 0; attempt < 200_000; attempt++) {
      const digits = 1 + random.below(16);
      const millionths = Math.floor(random() * 10 ** digits);
      const value = millionths / 10 ** random.below(8);
      expect(decimalText(value), `seed ${seed}, attempt ${attempt}`).to.equal(String(value));
    }
  });
});
