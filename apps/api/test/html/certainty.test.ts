import { expect } from 'chai';
import { studentT } from '../../src/pages/certainty.js';

/** The 0.975 quantiles from printed tables, by degrees of freedom. */
const PUBLISHED = [
  ...([
    [1, 12.706205],
    [2, 4.302653],
    [3, 3.182446],
    [4, 2.776445],
    [5, 2.570582],
    [10, 2.228139],
  ] as const),
  ...([
    [30, 2.042272],
    [60, 2.000298],
    [120, 1.97993],
    [1e12, 1.959964],
  ] as const),
] as const;

describe('The quantile with which sums of hours are marked', () => {
  it('is that of printed tables to 1 % for two times, and to 0.1 % for more', () => {
    for (const [degrees, quantile] of PUBLISHED) {
      expect(studentT(degrees) / quantile, String(degrees)).to.be.closeTo(1, degrees === 1 ? 0.01 : 0.001);
    }
  });
});
