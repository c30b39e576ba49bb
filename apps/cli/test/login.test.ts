import { checkBeforeStart, openDatabase } from '@takt/database';
import { createTestDatabase, type TestDatabase } from '@takt/database/testing';
import { openPublisher } from '@takt/events';
import { migrateQueueSchema } from '@takt/events/internal';
import { completion } from '@takt/test-support';
import { expect } from 'chai';
import { runTakt } from './support/run-takt.js';

describe('takt login', function () {
  this.timeout(180_000);
  let test: TestDatabase;
  const takt = (...args: readonly string[]) => runTakt(['login', ...args], { DATABASE_URL: test.url });

  before(async () => {
    test = await createTestDatabase();
  });
  after(() => test.close());

  it('prints only the address for the app on standard output, and no password elsewhere', async () => {
    const { code, stdout, stderr } = await takt('create', 'api');
    expect(code, stderr).to.equal(0);
    expect(stdout).to.match(/^postgres:\/\/takt_api_[0-9a-f]{8}:[\w-]{43}@127\.0\.0\.1:\d+\/test_\w+\n$/);
    const { username, password } = new URL(stdout.trim());
    expect(stderr).to.include(`${username} holds takt_api`).and.not.include(password);
    const found = await checkBeforeStart(stdout.trim(), { app: 'api', allowOwner: false });
    expect(found.problems).to.deep.equal([]);
  });

  it('changes the password of a log-in, lists log-ins without passwords, and drops a log-in', async () => {
    const first = (await takt('create', 'worker', '--name', 'site_worker')).stdout.trim();
    const second = (await takt('create', 'worker', '--name', 'site_worker')).stdout.trim();
    expect(second).not.to.equal(first);
    const database = openDatabase({ url: second, applicationName: 'of site_worker' });
    await database.pool.query('SELECT 1');
    const listed = JSON.parse((await takt('list', '--json')).stdout);
    expect(listed).to.deep.include({ name: 'site_worker', app: 'worker', connections: 1 });
    expect((await takt('list')).stdout).to.match(/^NAME +APP +CONNECTIONS\n/);
    expect(await takt('drop', 'site_worker')).to.include({ code: 0, stdout: 'dropped\n' });
    expect(await database.pool.query('SELECT 1').catch(String)).not.to.have.property('rowCount');
    await database.close();
    expect((await takt('drop', 'site_worker')).stderr).to.include('there is no log-in site_worker');
    const { rows } = await test.database.pool.query<{ action: string; details: object }>(
      "SELECT action, details FROM takt.audit_log WHERE subject = 'log-in site_worker' ORDER BY audit_entry_id",
    );
    const created = { action: 'login-created', details: { app: 'worker' } };
    expect(rows).to.deep.equal([created, created, { action: 'login-dropped', details: {} }]);
  });

  it('prints the QUEUE_URL of a producer for the intake if the queues are in the database', async () => {
    await migrateQueueSchema(test.url);
    const address = (await takt('create', 'intake')).stdout.trim();
    const publisher = await openPublisher(address);
    expect(await publisher.publish([completion(1)], { batchSize: 1 })).to.deep.equal({ events: 1, jobs: 1 });
    await publisher.close();
    const database = openDatabase({ url: address, applicationName: 'a producer' });
    const read = database.pool.query('SELECT data FROM bullmq.job');
    expect(await read.catch(String)).to.include('permission denied');
    await database.close();
  });

  it('rejects an unknown app, an invalid name, and a role that is no log-in', async () => {
    expect(await takt('create', 'reporting')).to.include({ code: 2, stdout: '' });
    for (const name of ['takt_api', 'pg_own', 'Api', "a'b", '']) {
      expect(await takt('create', 'api', '--name', name), name).to.include({ code: 2, stdout: '' });
    }
    expect((await takt('create', 'api', '--name', 'takt')).stderr).to.include(
      'the role takt exists and is no log-in',
    );
  });
});
