import { openDatabase } from '@takt/database';
import { createTestDatabase } from '@takt/database/testing';
import { createAppMetrics } from '@takt/run/monitoring';
import { TAKT_VERSION } from '@takt/run/version';
import { expect } from 'chai';

describe('the metrics of all apps', () => {
  it('contain the version, the process and the use of the connection pools', async () => {
    const test = await createTestDatabase();
    const { registry, observePool } = createAppMetrics();
    const database = openDatabase({ url: test.url, applicationName: 'test', maxConnections: 2 });
    observePool('database', database.pool);
    await database.pool.query('SELECT 1');
    const lent = await database.pool.connect();
    await lent.query('SELECT 1');
    await lent.query('no statement').catch(() => undefined);
    const lines = (await registry.metrics()).split('\n');
    lent.release();
    await database.close();
    await test.close();
    expect(lines).to.include.members([
      `takt_build_info{version="${TAKT_VERSION}"} 1`,
      'takt_pool_connections{pool="database",state="active"} 1',
      'takt_pool_connections{pool="database",state="idle"} 0',
      'takt_pool_max_connections{pool="database"} 2',
      'takt_pool_waiting{pool="database"} 0',
      'takt_statement_seconds_count{pool="database"} 3',
    ]);
    expect(TAKT_VERSION).to.match(/^\d+\.\d+\.\d+/);
    expect(lines.some((line) => line.startsWith('nodejs_eventloop_lag_seconds '))).to.equal(true);
  });
});
