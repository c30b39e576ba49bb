import { createTestDatabase, type TestDatabase } from '@takt/database/testing';
import { expect } from 'chai';

interface Times {
  /** The planned time in microhours. */
  readonly plan: number | null;
  readonly count: number;
  /** The sum of the times in hours. */
  readonly sum: string;
}

/**
 * The expected comparison: difference in microhours, percentage in hundredths of a percent, hours over plan in
 * microhours.
 */
type Comparison = readonly [difference: string | null, percent: string | null, hours: string | null];

const COMPARED: Readonly<Record<string, readonly [Times, Comparison]>> = {
  'above the plan': [{ plan: 2_000_000, count: 2, sum: '5' }, ['500000', '2500', '1000000']],
  'below the plan': [{ plan: 2_000_000, count: 3, sum: '4.5' }, ['-500000', '-2500', '-1500000']],
  // The difference uses the served average, 0.333333. The percentage and the hours over plan use the exact sum.
  'of an average without end': [{ plan: 250_000, count: 3, sum: '1' }, ['83333', '3333', '250000']],
  'of one far above its plan': [{ plan: 1, count: 3, sum: '1' }, ['333332', '3333323333', '999997']],
  'of one far below its plan': [{ plan: 30_000, count: 7, sum: '0.104999' }, ['-15000', '-5000', '-105001']],
  'half a hundredth above in sum': [{ plan: 10_000, count: 2, sum: '0.020001' }, ['1', '1', '1']],
  'half a hundredth below in sum': [{ plan: 10_000, count: 2, sum: '0.019999' }, ['0', '-1', '-1']],
  'half a hundredth of a percent above': [{ plan: 20_000, count: 1, sum: '0.020001' }, ['1', '1', '1']],
  'half a hundredth of a percent below': [{ plan: 20_000, count: 1, sum: '0.019999' }, ['-1', '-1', '-1']],
  'less than half of it above': [{ plan: 20_001, count: 1, sum: '0.020002' }, ['1', '0', '1']],
  'less than half of it below': [{ plan: 20_001, count: 1, sum: '0.020000' }, ['-1', '0', '-1']],
  'with nothing taken': [{ plan: 1, count: 1, sum: '0' }, ['-1', '-10000', '-1']],
  'at the end of what is accepted': [
    { plan: 1, count: 1, sum: '1000000' },
    ['999999999999', '9999999999990000', '999999999999'],
  ],
  'with a plan of nothing': [{ plan: 0, count: 2, sum: '3' }, ['1500000', null, '3000000']],
  'without operations': [{ plan: 5, count: 0, sum: '0' }, [null, null, '0']],
  'without a plan': [{ plan: null, count: 2, sum: '3' }, [null, null, null]],
  'beyond what is stored': [
    { plan: 0, count: 20_000_000, sum: '20000000000000' },
    ['1000000000000', null, '9000000000000000000'],
  ],
  'as far below it': [
    { plan: 1_000_000_000_000, count: 20_000_000, sum: '0' },
    ['-1000000000000', '-10000', '-9000000000000000000'],
  ],
};

describe('the generated columns of product structure versions', () => {
  it('contain the average and the deviation of run, setup and cleanup time in microhours', async () => {
    const test = await createTestDatabase();
    await test.database.pool.query("INSERT INTO takt.companies (code, name) VALUES ('TEM-NO', 'Tem')");
    const { rows } = await test.database.pool.query(`
      INSERT INTO takt.product_structure_versions (company_id, product_structure_version_id,
        number_of_completed_operations, run_time_sum, run_time_sum_of_squares,
        setup_time_count, setup_time_sum, setup_time_sum_of_squares,
        cleanup_time_count, cleanup_time_sum, cleanup_time_sum_of_squares)
      SELECT company_id, 1, 2, 4, 10, 2, 0.000001, 0.000000000001, 0, 0, 0 FROM takt.companies
      RETURNING average_run_time, deviation_run_time, average_setup_time, deviation_setup_time,
        average_cleanup_time, deviation_cleanup_time`);
    expect(rows[0]).to.deep.equal({
      average_run_time: '2000000',
      deviation_run_time: '1000000',
      average_setup_time: '1',
      deviation_setup_time: '1',
      average_cleanup_time: null,
      deviation_cleanup_time: null,
    });
    await test.close();
  });

  describe('for the comparison with the plan', () => {
    let test: TestDatabase;
    let nextId = 1;

    before(async () => {
      test = await createTestDatabase();
      await test.database.pool.query("INSERT INTO takt.companies (code, name) VALUES ('TEM-NO', 'Tem')");
    });
    after(() => test.close());

    async function compared(of: Readonly<Record<'run' | 'setup' | 'cleanup', Times>>) {
      const { rows } = await test.database.pool.query({
        text: `INSERT INTO takt.product_structure_versions (company_id, product_structure_version_id,
            run_time, number_of_completed_operations, run_time_sum, run_time_sum_of_squares,
            setup_time, setup_time_count, setup_time_sum, setup_time_sum_of_squares,
            cleanup_time, cleanup_time_count, cleanup_time_sum, cleanup_time_sum_of_squares)
          SELECT company_id, $1, $2, $3, $4::numeric, $4::numeric ^ 2,
            $5, $6, $7::numeric, $7::numeric ^ 2, $8, $9, $10::numeric, $10::numeric ^ 2 FROM takt.companies
          RETURNING run_time_difference, run_time_over_plan_percent, run_time_hours_over_plan,
            setup_time_difference, setup_time_over_plan_percent, setup_time_hours_over_plan,
            cleanup_time_difference, cleanup_time_over_plan_percent, cleanup_time_hours_over_plan,
            hours_over_plan`,
        values: [
          nextId++,
          ...[of.run, of.setup, of.cleanup].flatMap(({ plan, count, sum }) => [plan, count, sum]),
        ],
        rowMode: 'array',
      });
      const [row = []] = rows;
      return { run: row.slice(0, 3), setup: row.slice(3, 6), cleanup: row.slice(6, 9), hours: row[9] };
    }
    const unplanned: Times = { plan: null, count: 1, sum: '7' };

    for (const [name, [times, expected]] of Object.entries(COMPARED)) {
      it(`are right for run, setup and cleanup time in this case: ${name}`, async () => {
        for (const kind of ['run', 'setup', 'cleanup'] as const) {
          const others = { run: unplanned, setup: unplanned, cleanup: unplanned };
          const found = await compared({ ...others, [kind]: times });
          expect(found).to.deep.equal({
            ...{ run: [null, null, null], setup: [null, null, null], cleanup: [null, null, null] },
            ...{ [kind]: expected, hours: expected[2] },
          });
        }
      });
    }

    it('contain the hours over plan as the sum over all planned times', async () => {
      const { hours } = await compared({
        run: { plan: 1_000_000, count: 2, sum: '5' },
        setup: { plan: 500_000, count: 2, sum: '0.25' },
        cleanup: { plan: 1, count: 0, sum: '0' },
      });
      expect(hours).to.equal('2250000');
    });

    it('limit the hours over plan only after the sum over all times is complete', async () => {
      const { run, setup, hours } = await compared({
        run: { plan: 0, count: 20_000_000, sum: '20000000000000' },
        setup: { plan: 1_000_000_000_000, count: 19_000_000, sum: '0' },
        cleanup: unplanned,
      });
      expect([run[2], setup[2], hours]).to.deep.equal([
        ...['9000000000000000000', '-9000000000000000000', '1000000000000000000'],
      ]);
    });
  });
});
