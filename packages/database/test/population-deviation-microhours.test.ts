import { createTestDatabase } from '@takt/database/testing';
import { opened, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import fc from 'fast-check';
import { hoursOf, MAX_MICROHOURS, squareHoursOf } from './hours.js';
import { type Sums, sumsNearTie, sumsOf, sumsOfMany } from './sums.js';

const RUNS = 1_000;
const seed = testSeed();

describe('takt.population_deviation_microhours', () => {
  const test = opened(createTestDatabase);

  const deviation = async ({ n, sum, sumOfSquares }: Sums) => {
    const { rows } = await test.database.pool.query<{ microhours: string | null }>(
      'SELECT takt.population_deviation_microhours($1, $2, $3) AS microhours',
      [n, hoursOf(sum), squareHoursOf(sumOfSquares)],
    );
    return rows[0]?.microhours;
  };

  it('returns null for no values', async () => {
    expect(await deviation(sumsOf([]))).to.equal(null);
  });

  const examples: readonly (readonly [microhours: readonly bigint[], expected: string])[] = [
    [[1_500_000n], '0'],
    [[2n, 2n, 2n], '0'],
    [
      [2_000_000n, 4_000_000n, 4_000_000n, 4_000_000n, 5_000_000n, 5_000_000n, 7_000_000n, 9_000_000n],
      '2000000',
    ],
    [[0n, 1n], '1'],
    [[0n, 3n], '2'],
    [[0n, 5n], '3'],
    [[0n, 0n, 0n, 0n, 1n], '0'],
    [[0n, MAX_MICROHOURS], '500000000000'],
    [[MAX_MICROHOURS, MAX_MICROHOURS - 1n], '1'],
    [[MAX_MICROHOURS, MAX_MICROHOURS, MAX_MICROHOURS], '0'],
  ];
  for (const [microhours, expected] of examples) {
    it(`returns ${expected} for ${microhours.map(hoursOf).join(', ')}`, async () => {
      expect(await deviation(sumsOf(microhours))).to.equal(expected);
    });
  }

  it(`returns the nearest microhour, with ties rounded up, in ${RUNS} random cases (seed ${seed})`, async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(sumsOfMany(), sumsNearTie()), async (sums) => {
        expectNearestDeviation(sums, BigInt(String(await deviation(sums))));
      }),
      { numRuns: RUNS, seed },
    );
  });
});

/**
 * Checks the result by the definition of rounding, without computing a root: d is right if (2d - 1) / 2 <= sqrt(x) / n
 * < (2d + 1) / 2.
 */
function expectNearestDeviation({ n, sum, sumOfSquares }: Sums, found: bigint): void {
  const fourTimesX = 4n * (n * sumOfSquares - sum * sum);
  const [lower, upper] = [(2n * found - 1n) * n, (2n * found + 1n) * n];
  expect(lower < 0n || lower * lower <= fourTimesX, 'not too high').to.equal(true);
  expect(fourTimesX < upper * upper, 'not too low').to.equal(true);
}
