import { createTestDatabase } from '@takt/test-support';
import { expect } from 'chai';

describe('the generated columns of product structure versions', () => {
  it('hold average and deviation of each of the three times in microhours', async () => {
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
});
