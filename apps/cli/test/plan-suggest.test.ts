import { completion, structureVersion } from '@takt/test-support';
import { expect } from 'chai';
import { applyEvents } from './support/apply-events.js';
import { runTakt } from './support/run-takt.js';
import { openTestInstallation, type TestInstallation } from './support/test-installation.js';

const [PLANNED_TOO_SHORT, PLANNED_TOO_LONG, AS_PLANNED, SCATTERED] = [7, 8, 9, 10];

describe('takt plan suggest', function () {
  this.timeout(180_000);
  let installation: TestInstallation;
  const suggest = (...args: readonly string[]) =>
    runTakt(['plan', 'suggest', '--database', 'TEM-NO', ...args], installation.environment);

  before(async () => {
    installation = await openTestInstallation();
    const versions = [PLANNED_TOO_SHORT, PLANNED_TOO_LONG, AS_PLANNED];
    await applyEvents(installation.database.pool, [
      namedVersion(PLANNED_TOO_SHORT, '=Frame, "big"', 1),
      namedVersion(PLANNED_TOO_LONG, 'Door', 2),
      namedVersion(AS_PLANNED, 'Lid', 1.5),
      namedVersion(SCATTERED, 'Hinge', 1),
      ...Array.from({ length: 62 }, (_, index) =>
        completion(index + 1, { productStructureVersionId: versions[index % 3] }),
      ),
      // The average of these times is 1.6 h, and its confidence interval is 0.9 h to 2.3 h.
      ...Array.from({ length: 22 }, (_, index) =>
        completion(100 + index, { productStructureVersionId: SCATTERED, runTime: index % 2 === 0 ? 0 : 3.2 }),
      ),
    ]);
  });
  after(() => installation?.close());

  it('prints the suggestions as a table with their total, largest change first', async () => {
    const { code, stdout, stderr } = await suggest();
    const [titles, first, second, total, ...rest] = stdout.split('\n');
    expect(titles?.split(/ {2,}/)).to.deep.equal([
      ...['VERSION', 'TIME', 'COUNT', 'PLAN h', 'NEW h', 'CHANGE %', 'h A YEAR', 'STRUCTURE VERSION'],
    ]);
    expect(first?.trim().split(/ {2,}/)).to.deep.equal([
      ...['7', 'run', '21', '1.0000', '1.5000', '+50.00', '+10.5'],
      'Product =Frame, "big", =Frame, "big"',
    ]);
    expect(second?.trim().split(/ {2,}/)).to.deep.equal([
      ...['8', 'run', '21', '2.0000', '1.5000', '-25.00', '-10.5'],
      'Product Door, Door',
    ]);
    expect(total).to.equal('2 suggestions for 2 structure versions: +10.5 and -10.5 hours a year');
    expect(rest).to.deep.equal(['']);
    expect(stderr).to.equal(
      'takt: 1 more are unsure: --include-unsure lists them\n' +
        'takt: --format events prints them as events for takt publish\n',
    );
    expect(code).to.equal(0);
  });

  it('lists uncertain suggestions on request', async () => {
    const { stdout, stderr } = await suggest('--include-unsure');
    const hinge = stdout.split('\n').find((line) => line.endsWith('Hinge'));
    expect(hinge?.trim().split(/ {2,}/).slice(0, 8)).to.deep.equal([
      ...['10', 'run', '22', '1.0000', '1.6000', '+60.00', '+13.2', 'unsure'],
    ]);
    expect(stderr).not.to.include('unsure');
    const [events, all] = await Promise.all([
      suggest('--format', 'csv'),
      suggest('--format', 'csv', '--include-unsure'),
    ]);
    expect(all.stdout.split('\n').length - events.stdout.split('\n').length).to.equal(1);
  });

  it('prints only the first suggestions on request, in every format', async () => {
    expect((await suggest('--top', '1')).stdout).to.match(
      /^1 suggestions for 1 structure versions: \+10\.5 /m,
    );
    expect(JSON.parse((await suggest('--top', '1', '--json')).stdout)).to.have.lengthOf(1);
    const [event, ...others] = (await suggest('--top', '1', '--format', 'events')).stdout
      .trimEnd()
      .split('\n');
    expect(JSON.parse(event ?? '').data.productStructureVersionId).to.equal(7);
    expect(others).to.deep.equal([]);
    expect((await suggest('--top', '0')).code).to.equal(2);
  });

  it('accepts other limits, and says so if no suggestion remains', async () => {
    expect((await suggest('--threshold', '25.1')).stdout).to.match(/^1 suggestions /m);
    const none = {
      code: 0,
      stdout: '',
      stderr: 'takt: no plan differs by 10 % from the average of 23 or more operations\n',
    };
    expect(await suggest('--min-operations', '23')).to.deep.equal(none);
    expect(await suggest('--min-operations', '23', '--json')).to.deep.equal({
      code: 0,
      stdout: '[]\n',
      stderr: '',
    });
  });

  it('prints the same suggestions as JSON and as CSV without formulas', async () => {
    const rows = JSON.parse((await suggest('--json')).stdout);
    expect(rows).to.have.length(2);
    expect(rows[1]).to.deep.equal({
      ...{ productStructureVersionKey: null, productKey: null },
      ...{ productStructureVersionId: 8, name: 'Door', version: 1, revision: 'A' },
      ...{ productId: 8, productName: 'Product Door', kind: 'run', plannedTime: 2, suggestedTime: 1.5 },
      ...{ timeDifference: -0.5, overPlanPercent: -25, numberOfOperations: 21, hoursAYear: -10.5 },
      ...{ meanLow: 1.5, meanHigh: 1.5, verdict: 'under' },
    });
    expect(await suggest('--format', 'csv')).to.deep.equal({
      code: 0,
      stdout: [
        'ProductStructureVersionId,ProductStructureVersionName,Version,Revision,ProductId,ProductName,' +
          'Kind,PlannedTime,SuggestedTime,TimeDifference,OverPlanPercent,NumberOfOperations,MeanLow,MeanHigh,Verdict,' +
          'HoursAYear,ProductStructureVersionKey,ProductKey\r\n',
        '7,"\'=Frame, ""big""",1,A,7,"Product =Frame, ""big""",run,1,1.5,0.5,50,21,1.5,1.5,over,10.5,,\r\n',
        '8,Door,1,A,8,Product Door,run,2,1.5,-0.5,-25,21,1.5,1.5,under,-10.5,,\r\n',
      ].join(''),
      stderr: '',
    });
  });

  it('writes events that change the plans; once they are applied, nothing is left to suggest', async () => {
    const { code, stdout } = await suggest('--format', 'events');
    expect(code).to.equal(0);
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.map(({ data }) => data.productStructureVersionId)).to.have.members([7, 8]);
    const again = (await suggest('--format', 'events')).stdout.trimEnd().split('\n');
    expect(again.map((line) => JSON.parse(line).id)).to.have.members(events.map(({ id }) => id));

    await applyEvents(installation.database.pool, events);
    const { rows } = await installation.database.pool.query(
      `SELECT product_structure_version_id::integer AS id, name, run_time::integer AS run, setup_time AS setup,
         cleanup_time::integer AS cleanup
       FROM takt.product_structure_versions ORDER BY 1`,
    );
    expect(rows.map(({ id, name, run, setup, cleanup }) => [id, name, run, setup, cleanup])).to.deep.equal([
      [7, '=Frame, "big"', 1_500_000, null, 250_000],
      [8, 'Door', 1_500_000, null, 250_000],
      [9, 'Lid', 1_500_000, null, 250_000],
      // The suggestion for this structure version is uncertain, so the plan does not change.
      [10, 'Hinge', 1_000_000, null, 250_000],
    ]);
    expect(await suggest('--json')).to.include({ code: 0, stdout: '[]\n' });
  });

  it('exits with status 2 for an invalid limit or format, and with status 1 for an unregistered company', async () => {
    const outcomes = await Promise.all([
      suggest('--min-operations', '0'),
      suggest('--threshold', '-1'),
      suggest('--format', 'pdf'),
      suggest('--format', 'csv', '--json'),
      runTakt(['plan', 'suggest'], installation.environment),
      suggest('--database', 'NOBODY'),
    ]);
    expect(outcomes.map(({ code }) => code)).to.deep.equal([2, 2, 2, 2, 2, 1]);
    const [operations, threshold, format, both, missing, nobody] = outcomes.map(({ stderr }) => stderr);
    expect(operations).to.include('It must be an integer of at least 1.');
    expect(threshold).to.include('It must be a percentage of at least 0, as in 12.5.');
    expect(format).to.include('Allowed choices are table, csv, events.');
    expect(both).to.equal('takt: --json prints the table as JSON: leave --format out\n');
    expect(missing).to.include("required option '--database <code>' not specified");
    expect(nobody).to.equal('takt: company NOBODY is not registered\n');
  });
});

function namedVersion(id: number, name: string, runTime: number) {
  return structureVersion(id, {
    ...{ version: 1, revision: 'A' },
    ...{ name, product: { productId: id, status: 4, name: `Product ${name}`, type: 'K', description: '' } },
    plannedProductionTimes: { runTime, setupTime: null, cleanupTime: 0.25 },
  });
}
