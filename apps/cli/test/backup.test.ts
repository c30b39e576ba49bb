import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@takt/database/testing';
import { migrateQueueSchema } from '@takt/events/internal';
import { completion, ndjson, needsProgram } from '@takt/test-support';
import { expect } from 'chai';
import { runTakt } from './support/run-takt.js';
import { openTestInstallation, type TestInstallation } from './support/test-installation.js';

describe('takt backup, takt restore and takt maintain', function () {
  this.timeout(180_000);
  let installation: TestInstallation;
  let target: TestDatabase;
  let folder: string;
  const pathOf = (name: string) => join(folder, name);

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'takt-cli-backup-'));
    installation = await openTestInstallation();
    target = await createTestDatabase({ migrated: false });
    await runTakt(['publish', '-'], installation.environment, ndjson([completion(1), completion(2)]));
  });
  after(async () => {
    await target?.close();
    await installation?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('copy a database with its queues into an empty database', async () => {
    const backup = await runTakt(['backup', pathOf('takt.backup')], installation.environment);
    expect(backup.stdout).to.match(
      /^backed up \d+ rows of \d+ tables into .*takt\.backup, 0\.\d MB, as of 20.*Z\n$/,
    );
    const environment = { DATABASE_URL: target.url };
    const restored = await runTakt(['restore', pathOf('takt.backup')], environment);
    expect(restored.stdout).to.match(/^restored \d+ rows of \d+ tables, as of 20.*Z\n$/);
    const { stdout } = await runTakt(['audit'], environment);
    expect(stdout).to.equal('audited 0 structure versions, 0 differences\n');
    const { queues } = JSON.parse((await runTakt(['status', '--json'], environment)).stdout);
    expect(queues[0]).to.include({ queue: 'work-order-operations', waiting: 1 });
  });

  it('report a wrong file, database or path without any change', async () => {
    const environment = { DATABASE_URL: target.url };
    await writeFile(pathOf('other'), 'no backup');
    const foreign = await runTakt(['restore', pathOf('other')], environment);
    expect(foreign).to.deep.equal({
      code: 1,
      stdout: '',
      stderr: `takt: ${pathOf('other')} cannot be restored: it is not a backup of Takt\n`,
    });
    const missing = await runTakt(['restore', pathOf('missing')], environment);
    expect(missing).to.include({ code: 1, stdout: '' });
    expect(missing.stderr).to.match(/missing cannot be restored: ENOENT/);
    const full = await runTakt(['restore', pathOf('takt.backup')], environment);
    expect(full).to.include({ code: 1, stdout: '' });
    expect(full.stderr).to.include('takt.backup cannot be restored: the database is not empty');
    const nowhere = await runTakt(['backup', pathOf('no/such/place')], environment);
    expect(nowhere).to.include({ code: 1, stdout: '' });
    expect(nowhere.stderr).to.match(/^takt: no backup was written to .*: ENOENT/);
    const noServer = await runTakt(['backup', pathOf('x')], { DATABASE_URL: 'postgres://127.0.0.1:1/takt' });
    expect(noServer).to.include({ code: 1, stdout: '' });
    expect(noServer.stderr).to.include('check DATABASE_URL and that the server runs');
  });

  it('report a queue outside the backup', async function () {
    needsProgram(this, 'redis-server');
    const onRedis = await openTestInstallation('redis');
    await runTakt(['publish', '-'], onRedis.environment, ndjson([completion(1)]));
    const { code, stderr } = await runTakt(['backup', pathOf('redis')], onRedis.environment);
    expect(code).to.equal(0);
    expect(stderr).to.equal(
      'takt: the queue of QUEUE_URL is not in the backup (1 unfinished jobs and 0 rejected events): ' +
        'back it up with the means of its server\n',
    );
    await onRedis.close();
  });

  it('maintain the database of the queues too, if it is another one', async () => {
    const queues = await createTestDatabase({ migrated: false });
    await migrateQueueSchema(queues.url);
    const other = await queues.database.pool.connect();
    await other.query("SELECT pg_advisory_lock(hashtextextended('takt maintain', 0))");
    for (const scheme of ['postgres', 'postgresql']) {
      const QUEUE_URL = queues.url.replace(/^\w+/, scheme);
      const { code, stderr } = await runTakt(['maintain'], { ...installation.environment, QUEUE_URL });
      expect([code, stderr], scheme).to.deep.equal([
        1,
        'takt: another takt maintain is running on this database: wait for its end\n',
      ]);
    }
    other.release(true);
    await queues.close();
  });

  it('print the result of the maintenance as JSON', async () => {
    const { code, stdout } = await runTakt(['maintain', '--json'], installation.environment);
    expect(code).to.equal(0);
    expect(JSON.parse(stdout)).to.deep.equal({ steps: [], oldTransactions: [] });
  });
});
