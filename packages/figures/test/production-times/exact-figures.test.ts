import { createTestDatabase } from '@takt/database/testing';
import { nistUnivariateSets, opened, roundHalfUp, toHours } from '@takt/test-support';
import { expect } from 'chai';
import { applyWorkOrderOperationEvents, auditProductionTimes } from '../../src/production-times/index.js';
import { registerCompany } from './companies.js';
import { completed, reopened } from './events.js';
import { readServedFigures } from './served-figures.js';

describe('average and deviation', () => {
  const test = opened(createTestDatabase);

  /**
   * Applies the times as run times of one structure version, and returns the figures. Expects an audit without
   * differences.
   */
  async function figuresOf(times: readonly string[]) {
    const { pool } = test.database;
    const database = await registerCompany(pool);
    await applyWorkOrderOperationEvents(
      pool,
      times.map((runTime, index) => completed({ database, workOrderOperationId: index + 1, runTime })),
    );
    expect((await auditProductionTimes(pool, { database })).differences).to.deep.equal([]);
    return (await readServedFigures(pool, database)).get(100)?.run;
  }

  it('are rounded up at a tie', async () => {
    expect(await figuresOf(['0.000000', '0.000001'])).to.deep.equal([
      '0.000001',
      '0.000000',
      '0.000001',
      '0.000001',
    ]);
  });

  it('are rounded down slightly below a tie', async () => {
    // In microhours, the average is 1/3 and the deviation is sqrt(2)/3 = 0.47.
    expect(await figuresOf(['0.000000', '0.000000', '0.000001'])).to.deep.equal([
      '0.000000',
      '0.000000',
      '0.000001',
      '0.000000',
    ]);
  });

  it('are rounded up at a tie of the deviation, even if the average has infinitely many decimals', async () => {
    // In microhours, n is 18, the sum is 75 and the sum of squares is 353. So the average is 75 / 18 and the deviation
    // is sqrt(353 / 18 - (75 / 18)^2) = 1.5.
    const microhours = [0, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 7];
    expect(await figuresOf(microhours.map((value) => `0.00000${value}`))).to.deep.equal([
      '0.000004',
      '0.000000',
      '0.000007',
      '0.000002',
    ]);
  });

  it('are exact at the limits of the accepted times', async () => {
    expect(await figuresOf(['1000000.000000', '0.000000'])).to.deep.equal([
      '500000.000000',
      '0.000000',
      '1000000.000000',
      '500000.000000',
    ]);
    expect(await figuresOf(['1000000.000000', '999999.999999'])).to.deep.equal([
      '1000000.000000',
      '999999.999999',
      '1000000.000000',
      '0.000001',
    ]);
    expect(await figuresOf(['1000000.000000'])).to.deep.equal([
      '1000000.000000',
      '1000000.000000',
      '1000000.000000',
      '0.000000',
    ]);
  });

  it('are exact for many operations', async () => {
    // The times are 0 to 9,999 microhours above 999,990 h. So the average is 4,999.5 microhours above it, and the
    // deviation is sqrt((n^2 - 1) / 12) = 2,886.751331... microhours.
    const times = Array.from({ length: 10_000 }, (_, index) => toHours(999_990_000_000n + BigInt(index)));
    expect(await figuresOf(times)).to.deep.equal([
      '999990.005000',
      '999990.000000',
      '999990.009999',
      '0.002887',
    ]);
  });

  it('are exact after nearly all operations were removed again', async () => {
    const { pool } = test.database;
    const database = await registerCompany(pool);
    const operations = Array.from({ length: 2_000 }, (_, index) => index + 1);
    await applyWorkOrderOperationEvents(
      pool,
      operations.map((workOrderOperationId) =>
        completed({
          database,
          workOrderOperationId,
          runTime: workOrderOperationId <= 2 ? `0.00000${workOrderOperationId}` : '999999.333333',
        }),
      ),
    );
    await applyWorkOrderOperationEvents(
      pool,
      operations.slice(2).map((workOrderOperationId) => reopened({ database, workOrderOperationId })),
    );
    expect((await readServedFigures(pool, database)).get(100)?.run).to.deep.equal([
      '0.000002',
      '0.000001',
      '0.000002',
      '0.000001',
    ]);
  });

  for (const set of nistUnivariateSets) {
    it(`equal the values certified by NIST for ${set.name}`, async () => {
      const [average, , , deviation] = (await figuresOf(set.values)) ?? [];
      expect([average, deviation]).to.deep.equal([set.average, set.deviation]);
    });
  }

  it('are right near a tie, for sums of any size', async () => {
    const cases = [...halfSteps()];
    const { rows } = await test.database.pool.query<{ deviation: string }>(
      `SELECT takt.population_deviation_microhours(n, 0, squares * 0.000000000001) AS deviation
       FROM unnest($1::bigint[], $2::numeric[]) WITH ORDINALITY AS given (n, squares, position) ORDER BY position`,
      [cases.map(({ n }) => n), cases.map(({ squares }) => squares)],
    );
    expect(rows.map((row) => row.deviation)).to.deep.equal(
      cases.map(({ n, squares }) => String(roundHalfUp((twice) => twice ** 2n * n <= 4n * squares))),
    );
  });
});

/**
 * Yields counts and sums of squares around the mean, in microhours. The deviation sqrt(squares / n) is at a tie between
 * two microhours, or as near to a tie as whole numbers permit.
 */
function* halfSteps(): Generator<{ n: bigint; squares: bigint }> {
  for (const n of [4n, 36n, 1_000n, 999_999n, 1_000_000n, 123_456_788n]) {
    for (const step of [0n, 1n, 7n, 99_999_999n, 499_999_999_998n, 499_999_999_999n]) {
      const atHalfStep = (n * (2n * step + 1n) ** 2n) / 4n;
      for (const squares of [atHalfStep - 1n, atHalfStep, atHalfStep + 1n]) yield { n, squares };
    }
  }
}
