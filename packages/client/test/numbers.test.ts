import { randomFrom, testSeed } from '@takt/test-support';
import { expect } from 'chai';

/** Formats a time as the service does: a whole number of microhours, as hours without trailing zeros. */
function asHours(microhours: number): string {
  const digits = String(microhours).padStart(7, '0');
  return `${digits.slice(0, -6)}.${digits.slice(-6)}`.replace(/\.?0+$/, '');
}

describe('times in hours', () => {
  it(`are read as the service writes them, and as exact microhours (seed ${testSeed()})`, () => {
    const random = randomFrom(testSeed());
    for (let count = 0; count < 20_000; count += 1) {
      const microhours = random.below(10 ** (1 + random.below(15)));
      const text = asHours(microhours);
      const hours: number = JSON.parse(text);
      expect(Math.round(hours * 1e6), text).to.equal(microhours);
      // JavaScript writes the same number, but with an exponent below 1e-6 hours.
      if (hours >= 1e-6) expect(hours.toFixed(6).replace(/\.?0+$/, '')).to.equal(text);
    }
  });
});
