import { findAccessToken } from '@takt/access';
import { addCompany } from '@takt/master-data';
import { createTestDatabase, type TestDatabase } from '@takt/test-support';
import { expect } from 'chai';
import { describeDemoToken } from '../src/commands/start.js';
import { createDemoToken } from '../src/demo.js';

describe('the demo token of takt start', () => {
  let test: TestDatabase;

  before(async () => {
    test = await createTestDatabase();
  });
  after(() => test.close());

  it('is not made where no company is registered', async () => {
    expect(await createDemoToken(test.database)).to.equal(undefined);
    expect((await test.database.pool.query('SELECT FROM access_tokens')).rowCount).to.equal(0);
  });

  it('is for every company and valid for 7 days', async () => {
    await addCompany(test.database, 'TEM-SE', 'Tempus Sverige');
    await addCompany(test.database, 'TEM-NO', 'Tempus Norge');
    const made = await createDemoToken(test.database);
    const grant = await findAccessToken(test.database.pool, made?.token ?? '');
    expect(grant?.companies.map(({ code }) => code)).to.deep.equal(['TEM-NO', 'TEM-SE']);
    expect(made?.companyCodes).to.deep.equal(['TEM-NO', 'TEM-SE']);
    const days = ((grant?.expiresAt.getTime() ?? Number.NaN) - Date.now()) / 86_400_000;
    expect(days).to.be.within(6.99, 7);
  });

  it('is shown in a line by itself, and at the end of addresses that can be opened as they are', () => {
    const lines = describeDemoToken({ token: 'takt_x', validDays: 7, companyCodes: ['TEM-NO', 'TEM-SE'] }, [
      { url: 'http://127.0.0.1:3000/a?$format=html', what: 'a page' },
    ]);
    expect(lines).to.include('Demo token, valid for 7 days, for TEM-NO, TEM-SE:');
    expect(lines).to.include('  takt_x');
    expect(lines).to.include('  a page           http://127.0.0.1:3000/a?$format=html&$access_token=takt_x');
  });
});
