import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AppProcess, startApp } from '@takt/database/testing';
import { completion, needsProgram, someOf, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { runTakt } from '../support/run-takt.js';
import { openTestInstallation, type TestInstallation } from '../support/test-installation.js';

const EVENTS = 12;

interface Listed {
  readonly id: number;
  readonly eventId: string;
}

for (const store of someOf(['postgres', 'redis'] as const)) {
  describe(`takt rejected with queues on ${store}`, function () {
    this.timeout(180_000);
    let installation: TestInstallation;
    let worker: AppProcess | undefined;
    let folder: string;
    const takt = (args: readonly string[], input?: string) =>
      runTakt(['rejected', ...args], installation.environment, input);
    const list = async (): Promise<readonly Listed[]> => JSON.parse((await takt(['list', '--json'])).stdout);
    const firstId = async () => String((await list())[0]?.id);
    const file = async (name: string, content: string) => {
      const path = join(folder, name);
      await writeFile(path, content);
      return path;
    };
    const drain = () => runTakt(['drain'], installation.environment);
    const countRows = async () =>
      (await installation.database.pool.query('SELECT FROM takt.rejected_events')).rowCount ?? 0;

    before(async function () {
      if (store === 'redis') needsProgram(this, 'redis-server');
      folder = await mkdtemp(join(tmpdir(), 'takt-rejected-test-'));
      installation = await openTestInstallation(store);
      const [queue] = installation.queues;
      // These events bypass the publisher, which would reject all of them.
      const events = Array.from({ length: EVENTS }, (_, index) =>
        completion(index + 1, index < 10 ? { runTime: -1 - index } : { database: `NOBODY-${index}` }),
      );
      await queue?.addBulk(
        events.map((data, index) => ({ name: 'event', data, opts: { jobId: `job-${index}` } })),
      );
      const { databaseUrl, queueUrl } = installation;
      worker = await startApp('worker', { databaseUrl, queueUrl });
    });
    after(async () => {
      await worker?.stop();
      await installation?.close();
      await rm(folder, { recursive: true, force: true });
    });

    it('lists all rejected events', async () => {
      await waitUntil('all are rejected', async () => (await list()).length === EVENTS, 60_000);
      expect(new Set((await list()).map(({ eventId }) => eventId)).size).to.equal(EVENTS);
      const status = await runTakt(['status'], installation.environment);
      expect(status.stdout).to.match(/^rejected {5}12$/m);
      const table = await takt(['list']);
      expect(table.stdout.trimEnd().split('\n').length).to.equal(EVENTS + 1);
      expect(table.stderr).to.equal(
        'takt: 12 rejected, takt rejected list --by-reason counts them by reason\n',
      );
    });

    it('counts events by reason without regard to values in the reasons', async () => {
      const { code, stdout } = await takt(['list', '--by-reason']);
      expect(code).to.equal(0);
      const [titles, ...rows] = stdout.trimEnd().split('\n');
      expect(titles?.split(/ {2,}/)).to.deep.equal(['COUNT', 'LAST REJECTED AT', 'EXAMPLE', 'REASON']);
      expect(rows.map((row) => row.trim().split(/ {2,}/)[0])).to.deep.equal(['10', '2']);
      expect(rows[1]).to.match(/data\.database must be the code of a registered company$/);
      const [most] = JSON.parse((await takt(['list', '--by-reason', '--json'])).stdout);
      expect(most).to.have.keys('reason', 'count', 'lastRejectedAt', 'example');
      expect((await takt(['show', String(most.example)])).stdout).to.include('"runTime": -');
    });

    it('rejects an invalid correction with its reason, and changes nothing', async () => {
      const id = await firstId();
      const invalid = await file('invalid.json', JSON.stringify(completion(1, { runTime: -7 })));
      const refused = await takt(['retry', id, '--data', invalid]);
      expect(refused).to.include({ code: 1, stdout: '' });
      expect(refused.stderr).to.match(
        /contains no valid event, so nothing was retried: data\.runTime must be .*\(got -7\)/,
      );
      const broken = await takt(['retry', id, '--data', await file('broken.json', '{')]);
      expect(broken).to.include({ code: 1, stdout: '' });
      expect(broken.stderr).to.include('broken.json is not JSON, so nothing was retried');
      const missing = await takt(['retry', id, '--data', join(folder, 'missing.json')]);
      expect(missing).to.include({ code: 1, stdout: '' });
      expect((await list()).length).to.equal(EVENTS);
    });

    it('corrects and retries an event in one step', async () => {
      const correct = (operation: number) => JSON.stringify(completion(operation), null, 2);
      const stored = await takt(['retry', await firstId(), '--data', await file('one.json', correct(101))]);
      expect(stored).to.include({ code: 0, stdout: 'retried 1\n' });
      const queued = await takt(['retry', await firstId(), '--data', '-'], correct(102));
      expect(queued).to.include({ code: 0, stdout: 'retried 1\n' });
      expect((await drain()).code).to.equal(0);
      expect((await list()).length).to.equal(EVENTS - 2);
      const { rows } = await installation.database.pool.query(
        'SELECT work_order_operation_id::integer AS id FROM takt.work_order_operations ORDER BY 1',
      );
      expect(rows).to.deep.equal([{ id: 101 }, { id: 102 }]);
    });

    it('accepts only one id with --data, and reports an invalid id', async () => {
      const usage: readonly (readonly [readonly string[], string])[] = [
        [['retry', '1', '2', '--data', 'x'], 'name the one id'],
        [['retry', '--all', '--data', 'x'], 'name the one id'],
        [['retry', 'nonsense'], 'nonsense'],
        [['show', 'work-order-operations/1'], 'work-order-operations/1'],
        [['discard', '0'], '0'],
      ];
      for (const [args, message] of usage) {
        const { code, stdout, stderr } = await takt(args);
        expect(stderr).to.include(message);
        expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
      }
      const gone = await takt(['show', '999999']);
      expect(gone).to.include({ code: 1, stdout: '' });
      expect(gone.stderr).to.equal(
        'takt: 999999 is not rejected, or no longer: takt rejected list shows the rejected events\n',
      );
    });

    it('retries and discards all events', async () => {
      expect((await takt(['retry', '--all'])).stdout).to.equal(`retried ${EVENTS - 2}\n`);
      await drain();
      const again = await list();
      expect(again.length).to.equal(EVENTS - 2);
      const { code, stdout, stderr } = await takt([
        'discard',
        ...again.map(({ id }) => String(id)),
        '999999',
      ]);
      expect({ code, stdout }).to.deep.equal({ code: 1, stdout: `discarded ${EVENTS - 2}\n` });
      expect(stderr).to.include('999999 is not rejected');
      expect(await takt(['list'])).to.deep.equal({
        code: 0,
        stdout: '',
        stderr: 'takt: nothing is rejected\n',
      });
      expect(await countRows()).to.equal(0);
    });

    it('shows operations without master data for their structure version until the data arrive', async () => {
      const unlisted = (...args: readonly string[]) =>
        runTakt(['unlisted', 'list', ...args], installation.environment);
      const table = await unlisted();
      expect(table.code).to.equal(0);
      expect(table.stdout.split('\n').map((line) => line.split(/ {2,}/))).to.deep.equal([
        ['DATABASE', 'STRUCTURE VERSION', 'OPERATIONS'],
        ['TEM-NO', '7', '2'],
        [''],
      ]);
      expect(table.stderr).to.include('takt: 2 operations wait for 1 structure versions');
      expect(JSON.parse((await unlisted('--database', 'TEM-NO', '--json')).stdout)).to.deep.equal([
        { database: 'TEM-NO', productStructureVersionId: 7, productStructureVersionKey: null, operations: 2 },
      ]);
      expect(await unlisted('--database', 'NOBODY')).to.include({
        code: 1,
        stderr: 'takt: company NOBODY is not registered\n',
      });
      const status = await runTakt(['status'], installation.environment);
      expect(status.stdout).to.match(
        /^unlisted {5}2 operations of 1 structure versions without master data/m,
      );
      await installation.database.pool.query('DELETE FROM takt.product_structure_versions');
      expect(await unlisted()).to.deep.equal({
        code: 0,
        stdout: '',
        stderr: 'takt: no operation waits for the master data of its structure version\n',
      });
    });
  });
}
