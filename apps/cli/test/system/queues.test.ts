import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { type AppProcess, spawnTakt, startApp } from '@takt/database/testing';
import { addCompany } from '@takt/figures/master-data';
import { listRejectionIds } from '@takt/rejections';
import { completion, ndjson, needsProgram, someOf, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { runTakt } from '../support/run-takt.js';
import { openTestInstallation, type TestInstallation } from '../support/test-installation.js';

for (const store of someOf(['postgres', 'redis'] as const)) {
  describe(`takt drain, takt rejected and takt status with queues in ${store}`, function () {
    this.timeout(180_000);
    let installation: TestInstallation;
    let worker: AppProcess | undefined;
    const takt = (...args: readonly string[]) => runTakt(args, installation.environment);
    const publish = (events: readonly unknown[], ...args: readonly string[]) =>
      runTakt(['publish', '-', ...args], installation.environment, ndjson(events));
    const rejectedIds = async () =>
      (await listRejectionIds(installation.database.pool)).map((id) => String(id));

    before(async function () {
      if (store === 'redis') needsProgram(this, 'redis-server');
      installation = await openTestInstallation(store);
    });
    after(async () => {
      await worker?.stop();
      await installation?.close();
    });

    it('report waiting jobs and a missing worker when the timeout of drain expires', async () => {
      await publish([completion(1), completion(2)], '--batch', '1');
      const { code, stdout, stderr } = await takt('drain', '--timeout', '2.2');
      expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
      const [warning, failure] = stderr.split('\n');
      expect(warning).to.match(/^takt: no worker is connected to work-order-operations yet/);
      expect(failure).to.equal(
        'takt: after 2.2 s there are still 2 jobs: no worker is connected to work-order-operations, takt start runs one',
      );
    });

    it('show the number of waiting jobs and the lag', async () => {
      // This job comes from a client whose clock is ahead. If the lag depended on the newest job, it would be zero.
      const newest = await installation.queues[0]?.add('event', {}, { timestamp: Date.now() + 3_600_000 });
      const { code, stdout } = await takt('status', '--json');
      await newest?.remove();
      expect(code).to.equal(0);
      const { queues, database, rejected } = JSON.parse(stdout);
      expect(queues[0]).to.include({ queue: 'work-order-operations', waiting: 3, active: 0, workers: 0 });
      expect(queues[0].lagSeconds).to.be.within(1, 600);
      expect(queues[1]).to.include({ queue: 'reference-data', waiting: 0, lagSeconds: null });
      expect(database).to.include({ completedOperations: 0 });
      expect(rejected).to.equal(0);
    });

    it('drain the queues, and count completed and rejected events', async () => {
      await Promise.all([
        publish([completion(3, { database: 'NOBODY' })], '--batch', '1'),
        publish([completion(4), completion(5, { database: 'NOBODY' }), completion(6)], '--batch', '3'),
      ]);
      const drain = spawnTakt(['drain'], installation.environment);
      const [stdout, ended] = [text(drain.stdout), once(drain, 'close')];
      let warnings = '';
      drain.stderr.on('data', (chunk) => {
        warnings += String(chunk);
      });
      // takt drain has counted the jobs by then. A faster worker would leave nothing to count.
      await waitUntil(
        'the command misses a worker',
        () => warnings.includes('no worker is connected'),
        60_000,
      );
      worker = await startApp('worker', {
        databaseUrl: installation.databaseUrl,
        queueUrl: installation.queueUrl,
      });
      expect(await stdout).to.equal('completed 3 failed 2\n');
      expect(await ended).to.deep.equal([0, null]);
    });

    it('list rejected events with their reasons and ids', async () => {
      const { code, stdout } = await takt('rejected', 'list');
      expect(code).to.equal(0);
      const [titles, ...rows] = stdout.trimEnd().split('\n');
      expect(titles?.split(/ {2,}/)).to.deep.equal([
        'ID',
        'REJECTED AT',
        'TIMES',
        'SOURCE',
        'EVENT ID',
        'REASON',
      ]);
      expect(rows.map((row) => row.trim().split(/ {2,}/).slice(3)).sort()).to.deep.equal(
        ['event-3', 'event-5'].map((id) => {
          return ['/line-3', id, 'data.database must be the code of a registered company (got "NOBODY")'];
        }),
      );
      const ids = rows.map((row) => row.trim().split(' ')[0] ?? '');
      expect(ids).to.have.members(await rejectedIds());
      const shown = await takt('rejected', 'show', ids[0] ?? '');
      expect(shown.stdout).to.include('"database": "NOBODY"').and.to.include('data.database must be');
    });

    it('retry one or all rejected events; each event counts once after its company is registered', async () => {
      const [first = ''] = await rejectedIds();
      expect((await takt('rejected', 'retry', first)).stdout).to.equal('retried 1\n');
      // A worker may be faster than the command, which then counts the minute before too.
      expect((await takt('drain')).stdout).to.match(/^completed \d failed [12]\n$/);
      await addCompany(installation.database, 'NOBODY', 'Somebody by now');
      expect((await takt('rejected', 'retry', '--all')).stdout).to.equal('retried 2\n');
      expect((await takt('drain')).stdout).to.match(/^completed \d failed 0\n$/);
      expect(await rejectedIds()).to.deep.equal([]);
      const { rows } = await installation.database.pool.query(
        'SELECT sum(number_of_completed_operations)::integer AS completed FROM takt.product_structure_versions',
      );
      expect(rows).to.deep.equal([{ completed: 6 }]);
    });
  });
}
