import { userInfo } from 'node:os';
import { createTestDatabase } from '@takt/database/testing';
import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { runTakt } from './support/run-takt.js';

describe('takt migrate and takt company', function () {
  this.timeout(180_000);
  const database = opened(() => createTestDatabase({ migrated: false }));
  const takt = (...args: readonly string[]) => runTakt(args, { DATABASE_URL: database.url });

  it('migrate an empty database with its queues, and do nothing the second time', async () => {
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

  it('register a company once, and list it as a table and as JSON', async () => {
    expect(await takt('company', 'add', 'TEM-NO', 'Tempus Norge')).to.include({
      code: 0,
      stdout: 'added TEM-NO\n',
    });
    expect(await takt('company', 'add', 'TEM-NO', 'Another')).to.include({
      code: 0,
      stdout: 'TEM-NO was registered already\n',
    });
    expect((await takt('company', 'list')).stdout).to.equal(
      'CODE    NAME          STATE   UNIT  TIME ZONE\nTEM-NO  Tempus Norge  active  h     UTC\n',
    );
    expect(JSON.parse((await takt('company', 'list', '--json')).stdout)).to.deep.equal([
      {
        code: 'TEM-NO',
        name: 'Tempus Norge',
        timeZone: 'UTC',
        timeUnit: 'h',
        hasMonthsInTimeZone: true,
        disabledAt: null,
      },
    ]);
  });

  it('rename a company and thereby change the ETag of its pages', async () => {
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

  it('disable and enable a company, and record who did it', async () => {
    const done = async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await takt(...args);
      expect(code, stderr).to.equal(0);
      return stdout;
    };
    expect(await done('company', 'disable', 'TEM-NO')).to.equal('disabled\n');
    expect(await done('company', 'list')).to.match(/^TEM-NO {2}Tempus Norge +disabled /m);
    expect(await done('company', 'enable', 'TEM-NO')).to.equal('enabled\n');
    const table = await done('audit-log', '--top', '2', '--search', 'tem-no');
    expect(table).to.match(/^ *ID {2}AT +BY +ACTION +SUBJECT +DETAILS\n/);
    const user = userInfo().username;
    const at = '\\d{4}-\\d\\d-\\d\\dT\\S+Z';
    expect(table).to.match(
      new RegExp(
        `^ *\\d+  ${at}  ${user} at the command line  company-changed  company TEM-NO  disabled_at: \\S+ -> none$`,
        'm',
      ),
    );
    const [newest, second] = JSON.parse(await done('audit-log', '--json'));
    expect(newest).to.include({ action: 'company-changed', subject: 'company TEM-NO' });
    expect(
      JSON.parse(await done('audit-log', '--json', '--top', '1', '--before', String(newest.entryId))),
    ).to.deep.equal([second]);
    expect(await takt('audit-log', '--search', 'no such text')).to.deep.include({
      ...{ code: 0, stdout: '', stderr: 'takt: the audit log has no such entry\n' },
    });
  });

  it('register a company with a time zone, change the zone, and suggest names for an unknown zone', async () => {
    const add = (...zone: readonly string[]) => takt('company', 'add', 'TEM-NZ', 'Tempus Aotearoa', ...zone);
    expect(await add('--time-zone', 'auckland')).to.include({
      code: 2,
      stderr:
        'takt: a time zone is an IANA name, as in Europe/Oslo or UTC, not "auckland"; did you mean Pacific/Auckland?\n',
    });
    expect(await add('--time-zone', 'pacific/auckland')).to.include({ code: 0, stdout: 'added TEM-NZ\n' });
    const listed = async () => (await takt('company', 'list')).stdout.split('\n').at(-2);
    expect(await listed()).to.equal('TEM-NZ  Tempus Aotearoa  active  h     Pacific/Auckland');
    const { database: own } = database;
    await own.pool.query('UPDATE takt.companies SET time_zone = $1 WHERE code = $2', [
      'Europe/Oslo',
      'TEM-NZ',
    ]);
    expect(await listed()).to.equal(
      'TEM-NZ  Tempus Aotearoa  active  h     Europe/Oslo (months unfinished: takt company set-time-zone TEM-NZ Europe/Oslo)',
    );
    expect(await takt('company', 'set-time-zone', 'TEM-NZ', 'Europe/Oslo')).to.include({
      ...{ code: 0, stdout: 'TEM-NZ has time zone Europe/Oslo; rebuilt 0 structure versions\n' },
    });
    expect(await listed()).to.equal('TEM-NZ  Tempus Aotearoa  active  h     Europe/Oslo');
    expect(await takt('company', 'set-time-zone', 'NOBODY', 'Europe/Oslo')).to.include({ code: 1 });
  });

  it('set the unit of a company, which is one of three', async () => {
    expect(await takt('company', 'set-unit', 'TEM-NZ', 'h:mm')).to.include({
      ...{ code: 0, stdout: 'TEM-NZ has unit h:mm\n' },
    });
    expect((await takt('company', 'list')).stdout.split('\n').at(-2)).to.match(/^TEM-NZ .* active {2}h:mm /);
    const { code, stderr } = await takt('company', 'set-unit', 'TEM-NZ', 'days');
    expect(code).to.equal(2);
    expect(stderr).to.include('h, min, h:mm');
    expect(await takt('company', 'set-unit', 'NOBODY', 'min')).to.include({ code: 1 });
  });

  it('reject an invalid code of a company', async () => {
    const { code, stderr } = await takt('company', 'add', 'tem no', 'x');
    expect(stderr).to.include('1 to 20 capital letters');
    expect(code).to.equal(2);
  });
});
