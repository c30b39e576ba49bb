import { createTestDatabase } from '@takt/database/testing';
import { opened, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import fc from 'fast-check';
import { hoursOf, MAX_MICROHOURS } from './hours.js';

const RUNS = 1_000;
const MAX_COUNT = 10n ** 12n;
const seed = testSeed();

describe('takt.average_microhours', () => {
  const test = opened(createTestDatabase);

  const average = async (n: bigint, sum: bigint) => {
    const { rows } = await test.database.pool.query<{ microhours: string | null }>(
      'SELECT takt.average_microhours($1, $2) AS microhours',
      [n, hoursOf(sum)],
    );
    return rows[0]?.microhours;
  };

  it('returns null for no values', async () => {
    expect(await average(0n, 0n)).to.equal(null);
  });

  const examples: readonly (readonly [n: bigint, sum: bigint, expected: string])[] = [
    [1n, 1_500_000n, '1500000'],
    [1n, 0n, '0'],
    [4n, 1n, '0'],
    [2n, 1n, '1'],
    [2n, 3n, '2'],
    [2n, 5n, '3'],
    [3n, 1n, '0'],
    [3n, 2n, '1'],
    [7n, 7n * MAX_MICROHOURS, '1000000000000'],
    // These averages are slightly below a tie. If they were first truncated to 20 digits and then rounded, they would
    // be rounded up.
    [10n ** 12n + 1n, 5n * 10n ** 11n, '0'],
    [2n * 10n ** 15n + 1n, 10n ** 15n, '0'],
  ];
  for (const [n, sum, expected] of examples) {
    it(`returns ${expected} for ${n} values with the sum ${hoursOf(sum)}`, async () => {
      expect(await average(n, sum)).to.equal(expected);
    });
  }

  it(`returns the nearest microhour, with ties rounded up, in ${RUNS} random cases (seed ${seed})`, async () => {
    const anySum = fc
      .tuple(fc.bigInt(1n, MAX_COUNT), fc.bigInt(0n, MAX_MICROHOURS))
      .chain(([n, each]) => fc.tuple(fc.constant(n), fc.bigInt(n * each, n * each + n)));
    // The average is at a tie between two microhours, just below it or just above it.
    const nearTie = fc
      .tuple(fc.bigInt(1n, MAX_COUNT), fc.bigInt(0n, MAX_MICROHOURS - 1n), fc.bigInt(0n, 2n))
      .map(([n, each, step]): [bigint, bigint] => [n, n * each + (n - 1n) / 2n + step]);
    await fc.assert(
      fc.asyncProperty(fc.oneof(anySum, nearTie), async ([n, sum]) => {
        const found = BigInt(String(await average(n, sum)));
        expect((2n * found - 1n) * n <= 2n * sum, 'not too high').to.equal(true);
        expect(2n * sum < (2n * found + 1n) * n, 'not too low').to.equal(true);
      }),
      { numRuns: RUNS, seed },
    );
  });
});
