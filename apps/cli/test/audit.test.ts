import { completion, opened } from '@takt/test-support';
import { expect } from 'chai';
import { applyEvents } from './support/apply-events.js';
import { runTakt } from './support/run-takt.js';
import { openTestInstallation } from './support/test-installation.js';

describe('takt audit and takt rebuild', function () {
  this.timeout(180_000);
  const installation = opened(openTestInstallation);
  const takt = (...args: readonly string[]) => runTakt(args, installation.environment);

  before(async () => {
    const completions = [1, 2, 3].map((operation) => completion(operation, { runTime: operation }));
    await applyEvents(installation.database.pool, completions);
  });

  it('find no difference if the figures are correct', async () => {
    expect(await takt('audit')).to.deep.equal({
      code: 0,
      stdout: 'audited 1 structure versions, 0 differences\n',
      stderr: '',
    });
    expect(await takt('audit', '--database', 'TEM-NO')).to.include({ code: 0 });
  });

  it('record their run, so that the status of Takt shows it', async () => {
    const { database } = JSON.parse((await takt('status', '--json')).stdout);
    expect(database.lastAudit).to.include({ database: 'TEM-NO', structureVersions: 1, differences: 0 });
    expect((await takt('status')).stdout)
      .to.match(/^workers +0 alive; to the figures - from the queue, - from completion$/m)
      .and.to.match(/^last audit +\S+Z: 0 differences in 1 structure versions of TEM-NO$/m);
  });

  it('exit with status 1 if the company is not registered', async () => {
    const { code, stderr } = await takt('audit', '--database', 'NOBODY');
    expect(stderr).to.equal('takt: company NOBODY is not registered\n');
    expect(code).to.equal(1);
  });

  it('find and repair a wrong figure', async () => {
    await installation.database.pool.query(
      'UPDATE takt.product_structure_versions SET longest_run_time = 2500000',
    );
    const damaged = await takt('audit');
    expect(damaged.code).to.equal(1);
    const [sentence, titles, row] = damaged.stdout.split('\n');
    expect(sentence).to.equal('audited 1 structure versions, 1 differences');
    expect(titles?.split(/ {2,}/)).to.deep.equal([
      'DATABASE',
      'STRUCTURE VERSION',
      'MONTH',
      'FIGURE',
      'STORED',
      'RECOMPUTED',
    ]);
    expect(row?.split(/ +/)).to.deep.equal(['TEM-NO', '7', 'all', 'longestRunTime', '2.500000', '3.000000']);

    const asJson = await takt('audit', '--json');
    expect(asJson.code).to.equal(1);
    expect(JSON.parse(asJson.stdout)).to.deep.include({ structureVersions: 1, operations: 3 });
    expect(JSON.parse(asJson.stdout).differences[0]).to.include({
      figure: 'longestRunTime',
      stored: '2.500000',
    });

    const { code, stdout } = await takt('rebuild');
    expect(stdout).to.equal('rebuilt 1 structure versions, 1 repaired\nrepaired TEM-NO 7\n');
    expect(code).to.equal(0);
    expect((await takt('audit')).code).to.equal(0);
  });

  it('find and repair a wrong figure of a month', async () => {
    const { rows } = await installation.database.pool.query<{ month: string }>(
      `UPDATE takt.monthly_figures SET longest_run_time = 2500000 RETURNING to_char(month, 'YYYY-MM') AS month`,
    );
    const { code, stdout } = await takt('audit');
    expect(code).to.equal(1);
    const [sentence, , row] = stdout.split('\n');
    expect(sentence).to.equal('audited 1 structure versions, 1 differences');
    const expected = ['TEM-NO', '7', rows[0]?.month, 'longestRunTime', '2.500000', '3.000000'];
    expect(row?.split(/ +/)).to.deep.equal(expected);
    expect((await takt('rebuild')).stdout).to.equal(
      'rebuilt 1 structure versions, 1 repaired\nrepaired TEM-NO 7\n',
    );
    expect((await takt('audit')).code).to.equal(0);
  });

  it('find and repair a wrong search text, and report it in one line', async () => {
    const { pool } = installation.database;
    await pool.query('SELECT FROM takt.apply_product_structure_version_changes($1, $2)', [
      ['TEM-NO'],
      JSON.stringify([
        {
          ...{
            changed_at: '2026-03-02T12:00:00Z',
            product_structure_version_id: 7,
            status: 4,
            name: 'Frame',
          },
          ...{ version: 1, revision: 'A', product_id: 3, product_status: 4, product_name: 'Chassis' },
          ...{ product_type: 'K', product_description: '' },
        },
      ]),
    ]);
    await pool.query("UPDATE takt.structure_version_texts SET folded = 'lost'");
    const { code, stdout } = await takt('audit');
    expect(code).to.equal(1);
    const [sentence, , row] = stdout.split('\n');
    expect(sentence).to.equal('audited 1 structure versions, 1 differences');
    expect(row?.split(/ {2,}/)).to.deep.equal([
      ...['TEM-NO', '7', 'all', 'searchedText', 'lost', 'chassis / frame / 3 / 7'],
    ]);
    expect((await takt('rebuild')).stdout).to.equal(
      'rebuilt 1 structure versions, 1 repaired\nrepaired TEM-NO 7\n',
    );
    expect((await takt('audit')).code).to.equal(0);
  });
});
