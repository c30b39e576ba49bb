import { type Database, openDatabase } from '@takt/database';
import { createTestDatabase, type TestDatabase } from '@takt/database/testing';
import { expect } from 'chai';
import { noteAudit, readDatabaseSize, readLastAudit } from '../../src/monitoring/index.js';

describe('the status of the database on the dashboard', () => {
  let test: TestDatabase;
  let asDashboard: Database;

  before(async () => {
    test = await createTestDatabase();
    asDashboard = openDatabase({ url: test.appUrl('dashboard'), applicationName: 'dashboard' });
  });
  after(async () => {
    await asDashboard?.close();
    await test?.close();
  });

  it('contains the audit that ended last, if any', async () => {
    expect(await readLastAudit(asDashboard.pool)).to.equal(undefined);
    const run = { database: null, structureVersions: 1_000, differences: 0, seconds: 1.5 };
    await noteAudit(test.database.pool, run);
    await noteAudit(test.database.pool, { ...run, database: 'TEM-NO', differences: 2 });
    expect(await readLastAudit(asDashboard.pool)).to.deep.include({
      ...run,
      database: 'TEM-NO',
      differences: 2,
    });
  });

  it('contains the size of the database and of each table, largest first', async () => {
    await test.database.pool.query(
      `CREATE TABLE takt.measured (id integer PRIMARY KEY, filler text) PARTITION BY RANGE (id);
       CREATE TABLE takt.measured_low PARTITION OF takt.measured FOR VALUES FROM (0) TO (5000);
       CREATE TABLE takt.measured_high PARTITION OF takt.measured FOR VALUES FROM (5000) TO (100000);
       INSERT INTO takt.measured SELECT id, repeat('x', 200) FROM generate_series(1, 10000) AS id`,
    );
    const { databaseBytes, tables } = await readDatabaseSize(asDashboard.pool);
    const [measured] = tables;
    expect(measured?.table).to.equal('takt.measured');
    expect(tables.filter(({ table }) => table.startsWith('takt.measured'))).to.have.length(1);
    expect(measured?.bytes).to.be.within(2_000_000, 5_000_000);
    expect(measured?.indexBytes).to.be.within(100_000, 1_000_000);
    expect(databaseBytes).to.be.above((measured?.bytes ?? 0) + (measured?.indexBytes ?? 0));
  });
});
