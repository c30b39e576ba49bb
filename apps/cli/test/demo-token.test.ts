import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findAccessToken, revokeAccessToken } from '@takt/access';
import { addCompany } from '@takt/master-data';
import { createTestDatabase, type TestDatabase } from '@takt/test-support';
import { expect } from 'chai';
import { describeDemoToken } from '../src/commands/start.js';
import { obtainDemoToken } from '../src/demo.js';

describe('the demo token of takt start', () => {
  let test: TestDatabase;
  let folder: string;
  let path: string;

  before(async () => {
    test = await createTestDatabase();
    folder = await mkdtemp(join(tmpdir(), 'takt-demo-token-test-'));
    path = join(folder, 'home', 'demo-token');
  });
  after(async () => {
    await test.close();
    await rm(folder, { recursive: true });
  });

  it('is not made where no demo company is registered', async () => {
    await addCompany(test.database, 'OWN', "The site's own");
    expect(await obtainDemoToken(test.database, path)).to.equal(undefined);
    expect((await test.database.pool.query('SELECT FROM access_tokens')).rowCount).to.equal(0);
  });

  it('is for the demo companies alone, valid for 7 days, kept where only its owner reads it', async () => {
    await addCompany(test.database, 'TEM-SE', 'Tempus Sverige', { isDemo: true });
    await addCompany(test.database, 'TEM-NO', 'Tempus Norge', { isDemo: true });
    const made = await obtainDemoToken(test.database, path);
    const grant = await findAccessToken(test.database.pool, made?.token ?? '');
    expect(grant?.companies.map(({ code }) => code)).to.deep.equal(['TEM-NO', 'TEM-SE']);
    expect(made?.companyCodes).to.deep.equal(['TEM-NO', 'TEM-SE']);
    expect(made?.expiresAt).to.deep.equal(grant?.expiresAt);
    const days = ((grant?.expiresAt.getTime() ?? Number.NaN) - Date.now()) / 86_400_000;
    expect(days).to.be.within(6.99, 7);
    expect((await stat(path)).mode & 0o777).to.equal(0o600);
    expect(await readFile(path, 'utf8')).to.equal(`${made?.token}\n`);
  });

  it('is the same while it is valid, and another one after', async () => {
    const first = await obtainDemoToken(test.database, path);
    expect(await obtainDemoToken(test.database, path)).to.deep.equal(first);
    await revokeAccessToken(test.database, first?.token ?? '');
    const second = await obtainDemoToken(test.database, path);
    expect(second?.token).not.to.equal(first?.token);
    expect(await obtainDemoToken(test.database, path)).to.deep.equal(second);
  });

  it('is another one where it is not for just the demo companies any more', async () => {
    const first = await obtainDemoToken(test.database, path);
    await addCompany(test.database, 'TEM-DK', 'Tempus Danmark', { isDemo: true });
    const second = await obtainDemoToken(test.database, path);
    expect(second?.token).not.to.equal(first?.token);
    expect(second?.companyCodes).to.deep.equal(['TEM-DK', 'TEM-NO', 'TEM-SE']);
  });

  it('stands in the address of the page alone, and the others say where it goes', () => {
    const token = { token: 'takt_x', expiresAt: new Date(0), companyCodes: ['TEM-NO', 'TEM-SE'] };
    const lines = describeDemoToken(token, '.takt/demo-token', [
      { url: 'http://127.0.0.1:3000/a?$format=html', what: 'a page' },
      { url: 'http://127.0.0.1:3000/a?$format=json', what: 'JSON' },
    ]);
    expect(lines[0]).to.match(
      /^Production times of TEM-NO, TEM-SE, .* valid until 1970-01-01T00:00:00.000Z$/,
    );
    expect(lines.filter((line) => line.includes('takt_x'))).to.deep.equal([
      '  a page           http://127.0.0.1:3000/a?$format=html&$access_token=takt_x',
    ]);
    expect(lines).to.include('  JSON             http://127.0.0.1:3000/a?$format=json&$access_token=TOKEN');
    expect(lines.join('\n')).to.include('.takt/demo-token');
  });
});
