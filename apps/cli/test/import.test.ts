import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AppProcess, spawnTakt, startApp } from '@takt/database/testing';
import { completion, ndjson, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { runTakt } from './support/run-takt.js';
import { openTestInstallation, type TestInstallation } from './support/test-installation.js';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));

describe('takt import', function () {
  this.timeout(180_000);
  let installation: TestInstallation;
  let folder: string;
  let worker: AppProcess;
  const takt = (...args: readonly string[]) => runTakt(args, installation.environment);
  const pathOf = (name: string) => join(folder, name);
  /** The commands of the document, with the example files in the folder. */
  let commands: readonly (readonly string[])[];

  before(async () => {
    installation = await openTestInstallation();
    folder = await mkdtemp(join(tmpdir(), 'takt-import-'));
    for (const name of ['operations.csv', 'plans.csv']) {
      await copyFile(join(ROOT, 'docs/examples', name), pathOf(name));
    }
    const [, block = ''] =
      /```sh\n(.*?)```/s.exec(await readFile(join(ROOT, 'docs/import.md'), 'utf8')) ?? [];
    commands = [...block.matchAll(/^npx takt (?!open)(.+)$/gm)].map(([, call = '']) =>
      [...call.replaceAll('docs/examples', folder).matchAll(/'([^']*)'|(\S+)/g)].map(
        ([, quoted, plain]) => quoted ?? plain ?? '',
      ),
    );
    const { databaseUrl, queueUrl } = installation;
    worker = await startApp('worker', { databaseUrl, queueUrl });
  });
  after(async () => {
    await worker?.stop();
    await installation?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('takes the two example files to the pages by the commands of the document', async () => {
    const outcomes = [];
    for (const command of commands) outcomes.push(await takt(...command));
    expect(outcomes.map(({ stdout }) => stdout)).to.deep.equal([
      'added WERK\n',
      `wrote ${pathOf('plans.csv.map.yaml')}\n`,
      'import 1: 60 new, 0 changed, 0 unchanged, 0 faulty\n',
      `wrote ${pathOf('operations.csv.map.yaml')}\n`,
      'would import: 496 new, 0 changed, 0 unchanged, 4 faulty\n',
      'import 2: 496 new, 0 changed, 0 unchanged, 4 faulty\n',
    ]);
    expect(outcomes.map(({ code }) => code)).to.deep.equal([0, 0, 0, 0, 0, 0]);
    const { stderr } = outcomes[5] ?? { stderr: '' };
    expect(stderr).to.match(
      /^takt: line 102: Fertiggestellt does not exist in Europe\/Berlin.*"29.03.2026 02:30"\)$/m,
    );
    expect(stderr).to.match(/^takt: line 202: Laufzeit \[min\] must be a number \(got "achtzig"\)$/m);
    expect((await takt('audit')).stdout).to.equal('audited 60 structure versions, 0 differences\n');
    const { rows } = await installation.database.pool.query(
      `SELECT sum(number_of_completed_operations)::integer AS operations FROM takt.product_structure_versions
       WHERE product_name LIKE '%ü%' OR product_name NOT LIKE '%ü%'`,
    );
    expect(rows).to.deep.equal([{ operations: 496 }]);
  });

  it('takes corrected faulty rows, and nothing twice', async () => {
    const faulty = (await readFile(pathOf('operations.faulty.csv'), 'utf8')).replace(
      '29.03.2026 02:30',
      '29.03.2026 03:30',
    );
    expect(faulty.split('\r\n')).to.have.length(6);
    await writeFile(pathOf('corrected.csv'), faulty);
    const map = ['--company', 'WERK', '--map', pathOf('operations.csv.map.yaml'), '--skip-invalid'];
    const corrected = await takt('import', pathOf('corrected.csv'), ...map);
    expect([corrected.code, corrected.stdout]).to.deep.equal([
      0,
      'import 3: 1 new, 0 changed, 0 unchanged, 3 faulty\n',
    ]);
    const again = await takt('import', pathOf('operations.csv'), ...map);
    expect([again.code, again.stdout]).to.deep.equal([
      0,
      'nothing to import: 0 new, 0 changed, 496 unchanged, 4 faulty\n',
    ]);
  });

  it('imports nothing with faulty rows or doubts, and says what to do', async () => {
    const refused = await takt('import', pathOf('operations.csv'), '--company', 'WERK');
    expect([refused.code, refused.stdout]).to.deep.equal([
      1,
      'nothing imported: 0 new, 0 changed, 496 unchanged, 4 faulty; --skip-invalid imports the others\n',
    ]);
    const mapping = await readFile(pathOf('operations.csv.map.yaml'), 'utf8');
    await writeFile(pathOf('hours.yaml'), mapping.replaceAll('unit: min', 'unit: h'));
    const hours = [
      'import',
      pathOf('operations.csv'),
      '--company',
      'WERK',
      '--map',
      pathOf('hours.yaml'),
      '--skip-invalid',
    ];
    const doubtful = await takt(...hours);
    expect(doubtful.code).to.equal(1);
    expect(doubtful.stdout).to.match(
      /^nothing imported: 0 new, 496 changed, .* --yes imports in spite of doubts\n$/,
    );
    expect(doubtful.stderr).to.match(
      /^takt: doubtful: \S+: the average run time of \d+ operations is .* times the plan .*: is the unit right\?$/m,
    );
  });

  it('undoes an import, and lists imports', async () => {
    const undone = await takt('import', 'undo', '3');
    expect([undone.code, undone.stdout]).to.deep.equal([0, 'undone import 3: 1 restored, 0 changed later\n']);
    expect((await takt('import', 'undo', '99')).stderr).to.equal(
      'takt: there is no import 99: takt import list shows them\n',
    );
    const listed = JSON.parse((await takt('import', 'list', '--json')).stdout);
    expect(
      listed.map(({ number, undoneAt, new: added }: Record<string, unknown>) => [
        number,
        undoneAt !== null,
        added,
      ]),
    ).to.deep.equal([
      [3, true, 1],
      [2, false, 496],
      [1, false, 60],
    ]);
    expect((await takt('import', 'list')).stdout).to.match(/^ +3 {2}WERK .* undone +1 /m);
  });

  it('takes each new file of a folder once, and moves it', async () => {
    const watched = await mkdtemp(join(tmpdir(), 'takt-watched-'));
    const args = ['--company', 'WERK', '--map', pathOf('operations.csv.map.yaml'), '--watch', watched];
    const watching = spawnTakt(['import', ...args], installation.environment);
    try {
      const [headings] = (await readFile(pathOf('operations.csv'), 'latin1')).split('\r\n');
      const row = 'FA-9;0010;WL-10.4700;A;01.10.2026 12:00;50,0;15,0';
      await writeFile(join(watched, 'night.csv'), `${headings}\r\n${row}\r\n`, 'latin1');
      await writeFile(join(watched, 'wrong.csv'), 'nothing;of;it\r\n1;2;3\r\n');
      const moved = async (to: string) => (await readdir(join(watched, to)).catch(() => [])).length;
      await waitUntil(
        'both files are moved',
        async () => (await moved('done')) + (await moved('failed')) === 2,
        60_000,
      );
      expect([await moved('done'), await moved('failed')]).to.deep.equal([1, 1]);
      expect((await takt('import', 'list', '--json')).stdout).to.include('night.csv');
    } finally {
      watching.kill('SIGTERM');
      await rm(watched, { recursive: true });
    }
  });

  it('is what takt publish names for a table', async () => {
    const published = await takt('publish', pathOf('operations.csv'));
    expect([published.code, published.stdout]).to.deep.equal([1, 'published 0\n']);
    expect(published.stderr).to.match(/is a table, and publish takes events: use takt import\n$/);
  });

  it('goes with its company, which takt company remove removes after asking', async () => {
    const refused = await runTakt(['company', 'remove', 'WERK'], installation.environment, 'NO\n');
    expect([refused.code, refused.stderr]).to.deep.equal([
      1,
      'takt: with WERK go 498 operations and 60 structure versions; 0 people, 0 clients and 0 tokens lose it\n' +
        'takt: enter WERK to remove it for ever\ntakt: nothing was removed\n',
    ]);
    const removed = await runTakt(['company', 'remove', 'WERK'], installation.environment, 'WERK\n');
    expect([removed.code, removed.stdout]).to.deep.equal([0, 'removed WERK\n']);
    expect((await takt('import', 'list')).stderr).to.match(/nothing was imported yet/);
    expect((await takt('audit-log')).stdout).to.include('company-removed');
    const late = ndjson([completion(1, { database: 'WERK' })]);
    await runTakt(['publish', '-'], installation.environment, late);
    expect((await takt('drain')).stdout).to.match(/failed 1\n$/);
  });

  it('takes corrected faulty rows with the settings of the export: encoding, headings in line 3, and filled cells', async () => {
    await takt('company', 'add', 'OTHER', 'Another');
    await writeFile(
      pathOf('filled.yaml'),
      `what: operations
file: {encoding: windows-1252, header: 3, fill: [Büro]}
columns: {workOrderOperationKey: '{Büro}/{Op}', productStructureVersionKey: V, completedAt: D, runTime: {column: T, unit: min}}
`,
    );
    const rows = ['F1;10;2026-03-01;x', ';20;2026-03-01;5', 'F2;10;2026-03-01;6', ';20;2026-03-01;bad'];
    const lines = ['Export;;;;', ';;;;', 'Büro;Op;D;T;V', ...rows.map((row) => `${row};WL-10.4700.A.0010`)];
    await writeFile(pathOf('filled.csv'), lines.join('\r\n'), 'latin1');
    const map = ['--company', 'OTHER', '--map', pathOf('filled.yaml'), '--skip-invalid', '--yes'];
    expect((await takt('import', pathOf('filled.csv'), ...map)).stdout).to.match(
      /: 2 new, 0 changed, 0 unchanged, 2 faulty\n$/,
    );
    const faulty = await readFile(pathOf('filled.faulty.csv'), 'utf8');
    expect(faulty).to.include('F1;10;2026-03-01;x').and.to.include('F2;20;2026-03-01;bad');
    await writeFile(pathOf('filled.csv'), faulty.replace(';x;', ';7;').replace(';bad;', ';8;'));
    expect((await takt('import', pathOf('filled.csv'), ...map)).stdout).to.match(
      /: 2 new, 0 changed, 0 unchanged, 0 faulty\n$/,
    );
    const { rows: stored } = await installation.database.pool.query(
      `SELECT work_order_operation_key AS key, round(run_time * 60)::integer AS minutes FROM takt.work_order_operations
       WHERE work_order_operation_key ~ '^F[12]/' ORDER BY 1`,
    );
    expect(stored.map(({ key, minutes }) => [key, minutes])).to.deep.equal([
      ['F1/10', 7],
      ['F1/20', 5],
      ['F2/10', 6],
      ['F2/20', 8],
    ]);
  });
});
