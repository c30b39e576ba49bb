import { createTestDatabase, opened, runTakt } from '@takt/test-support';
import { expect } from 'chai';

describe('takt migrate and takt company', function () {
  this.timeout(180_000);
  const database = opened(() => createTestDatabase({ migrated: false }));
  const takt = (...args: readonly string[]) => runTakt(args, { DATABASE_URL: database.url });

  it('migrates an empty database with its queues, and finds nothing to do the second time', async () => {
    const first = await takt('migrate');
    expect(first).to.include({ code: 0, stderr: '' });
    expect(first.stdout).to.match(/^applied 0001-.*\n(applied .*\n)+schema version \d+\n$/);
    const second = await takt('migrate');
    expect(second.stdout).to.match(/^schema version \d+, nothing to do\n$/);
    const { rows } = await database.database.pool.query(
      "SELECT to_regclass('bullmq.job') IS NOT NULL AS made",
    );
    expect(rows).to.deep.equal([{ made: true }]);
  });

  it('registers a company once and lists it as a table and as JSON', async () => {
    expect(await takt('company', 'add', 'TEM-NO', 'Tempus Norge')).to.include({
      code: 0,
      stdout: 'added TEM-NO\n',
    });
    expect(await takt('company', 'add', 'TEM-NO', 'Another')).to.include({
      code: 0,
      stdout: 'TEM-NO was there already\n',
    });
    expect((await takt('company', 'list')).stdout).to.equal(
      'CODE    NAME          TIME ZONE\nTEM-NO  Tempus Norge  UTC\n',
    );
    expect(JSON.parse((await takt('company', 'list', '--json')).stdout)).to.deep.equal([
      { code: 'TEM-NO', name: 'Tempus Norge', timeZone: 'UTC', hasMonthsInTimeZone: true },
    ]);
  });

  it('gives a company another name, which changes the stamp of its pages', async () => {
    const stamps = async () =>
      (
        await database.database.pool.query(
          'SELECT stamp FROM company_changes JOIN companies USING (company_id) WHERE code = $1',
          ['TEM-NO'],
        )
      ).rows;
    const before = await stamps();
    expect(await takt('company', 'rename', 'TEM-NO', 'Tempus Norge AS')).to.include({
      code: 0,
      stdout: 'TEM-NO is Tempus Norge AS\n',
    });
    expect((await takt('company', 'list')).stdout).to.match(/^TEM-NO {2}Tempus Norge AS/m);
    expect(await stamps()).not.to.deep.equal(before);
    const unknown = await takt('company', 'rename', 'NOBODY', 'x');
    expect([unknown.code, unknown.stderr]).to.deep.equal([1, 'takt: company NOBODY is not registered\n']);
    await takt('company', 'rename', 'TEM-NO', 'Tempus Norge');
  });

  it('registers a company with a time zone, gives it another, and proposes names', async () => {
    const add = (...zone: readonly string[]) => takt('company', 'add', 'TEM-NZ', 'Tempus Aotearoa', ...zone);
    expect(await add('--time-zone', 'auckland')).to.include({
      code: 2,
      stderr:
        'takt: a time zone is an IANA name, as in Europe/Oslo or UTC, not "auckland"; did you mean Pacific/Auckland?\n',
    });
    expect(await add('--time-zone', 'pacific/auckland')).to.include({ code: 0, stdout: 'added TEM-NZ\n' });
    const listed = async () => (await takt('company', 'list')).stdout.split('\n').at(-2);
    expect(await listed()).to.equal('TEM-NZ  Tempus Aotearoa  Pacific/Auckland');
    const { database: own } = database;
    await own.pool.query('UPDATE takt.companies SET time_zone = $1 WHERE code = $2', [
      'Europe/Oslo',
      'TEM-NZ',
    ]);
    expect(await listed()).to.equal(
      'TEM-NZ  Tempus Aotearoa  Europe/Oslo (months unfinished: takt company set-time-zone TEM-NZ Europe/Oslo)',
    );
    expect(await takt('company', 'set-time-zone', 'TEM-NZ', 'Europe/Oslo')).to.include({
      ...{ code: 0, stdout: 'TEM-NZ has time zone Europe/Oslo; rebuilt 0 structure versions\n' },
    });
    expect(await listed()).to.equal('TEM-NZ  Tempus Aotearoa  Europe/Oslo');
    expect(await takt('company', 'set-time-zone', 'NOBODY', 'Europe/Oslo')).to.include({ code: 1 });
  });

  it('refuses a code that is none', async () => {
    const { code, stderr } = await takt('company', 'add', 'tem no', 'x');
    expect(stderr).to.include('1 to 20 capital letters');
    expect(code).to.equal(2);
  });
});
