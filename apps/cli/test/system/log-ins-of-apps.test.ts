import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, runTakt, type TestDatabase } from '@takt/database/testing';
import { migrateQueueSchema } from '@takt/events/internal';
import { findFreePort, spawnObserved, waitUntil } from '@takt/test-support';
import { expect } from 'chai';

const API = join(import.meta.dirname, '../../../../api/bin/takt-api.js');
const INTAKE = join(import.meta.dirname, '../../../../intake/bin/takt-intake.js');
const WORKER = join(import.meta.dirname, '../../../../worker/bin/takt-worker.js');

describe('an app with the log-in of the owner', function () {
  this.timeout(180_000);
  let test: TestDatabase;
  before(async () => {
    test = await createTestDatabase();
  });
  after(() => test.close());

  const start = async (script: string, environment: Readonly<Record<string, string>> = {}) => {
    const port = String(await findFreePort());
    const ports = { PORT: port, INTAKE_PORT: port, WORKER_PORT: port, QUEUE_URL: 'redis://127.0.0.1:1' };
    return spawnObserved([script], { DATABASE_URL: test.url, ...ports, ...environment });
  };

  it('does not start, and explains what to do', async () => {
    const app = await start(API);
    expect(await app.ended).to.equal(1);
    expect(app.output()).to.match(
      /the log-in takt is a superuser.*takt login create api.*TAKT_ALLOW_OWNER=1/,
    );
  });

  it('starts with a warning about its rights if a setting allows it, and uses only the role of the app', async () => {
    const app = await start(API, { TAKT_ALLOW_OWNER: '1' });
    await waitUntil('it serves', () => app.output().includes('"msg":"serving"'), 60_000);
    expect(app.output()).to.match(/"level":40,.*the log-in takt is a superuser/);
    const port = /"port":(\d+)/.exec(app.output())?.[1];
    const isReady = async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok;
    await waitUntil('it is ready', isReady, 60_000);
    await test.database.pool.query('REVOKE SELECT ON takt.error_messages FROM takt_api');
    await waitUntil('the role may no longer read', async () => !(await isReady()), 60_000);
    await app.stop();
  });

  for (const [name, script] of [
    ['worker', WORKER],
    ['intake', INTAKE],
  ] as const) {
    it(`does not start if the queue of the ${name} has that log-in`, async () => {
      await migrateQueueSchema(test.url);
      const app = await start(script, { DATABASE_URL: test.appUrl(name), QUEUE_URL: test.url });
      expect(await app.ended).to.equal(1);
      expect(app.output()).to.match(
        new RegExp(`the log-in takt is a superuser.*set QUEUE_URL of the ${name} to what takt login create`),
      );
    });
  }
});

describe('an app that is started without takt start on the embedded server', function () {
  this.timeout(180_000);
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'takt-alone-test-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('uses the log-in from takt migrate, and asks for takt migrate if there is none', async () => {
    const home = join(folder, 'home');
    const environment = { TAKT_HOME: home, PORT: '0', PATH: String(process.env['PATH']) };
    const early = spawnObserved([API], environment);
    expect(await early.ended).to.equal(1);
    expect(early.output()).to.match(/there is no log-in for the api in .* yet: run npx takt migrate/);

    expect(await runTakt(['migrate'], { TAKT_HOME: home })).to.include({ code: 0 });
    const path = join(home, 'logins', 'api');
    expect((await stat(path)).mode & 0o777).to.equal(0o600);
    const [name = '', password = ''] = (await readFile(path, 'utf8')).trim().split(':');
    const api = spawnObserved([API], environment);
    await waitUntil('it serves', () => api.output().includes('"msg":"serving"'), 60_000);
    expect(api.output()).not.to.include(password).and.not.to.include('superuser');
    expect(execFileSync('ps', ['-ww', '-eo', 'args'], { encoding: 'utf8' })).not.to.include(password);
    const listed = JSON.parse((await runTakt(['login', 'list', '--json'], { TAKT_HOME: home })).stdout);
    expect(listed).to.have.length(4);
    expect(listed.find((login: { readonly name: string }) => login.name === name)).to.deep.include({
      app: 'api',
    });
    expect(await api.stop()).to.equal(0);
  });
});
