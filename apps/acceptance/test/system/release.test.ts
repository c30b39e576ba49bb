import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inEmptyProject, needsProgram } from '@takt/test-support';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
/** A version that no release of this repository has, so that every manifest changes. */
const VERSION = '99.0.0';
const CHANGELOG =
  '# Changelog\n\n## Unreleased\n\n- A change.\n\n## 0.1.0, 2027-01-31\n\n- An older change.\n';
const APPS = readdirSync(join(ROOT, 'apps')).filter((app) => existsSync(join(ROOT, 'apps', app, 'bin')));

// The test images.test.ts checks that npm can install a packed app, and that the app runs.
describe('an app packed for production', function () {
  this.timeout(180_000);
  let folder: string;
  const pack = (app: string) =>
    spawnSync('docker/pack-app.sh', [app, folder], { cwd: ROOT, encoding: 'utf8' });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'takt-pack-app-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  for (const app of APPS) {
    it(`contains everything that ${app} needs, but no tests and no sources`, () => {
      const { status, stderr } = pack(app);
      expect(status, stderr).to.equal(0);
      const files = readdirSync(folder, { recursive: true }).map(String);
      expect(files).to.include.members([
        `apps/${app}/dist/src/main.js`,
        'migrations/functions',
        'packages/database/dist/src/index.js',
        'packages/run/dist/src/index.js',
        'package-lock.json',
        '.npmrc',
      ]);
      expect(
        files.filter((path) => /\/(test|scripts|src)$/.test(path.replace('/dist/src', ''))),
      ).to.deep.equal([]);
      expect(readdirSync(join(folder, 'apps'))).to.deep.equal([app]);
      const [program = ''] = readdirSync(join(folder, 'apps', app, 'bin'));
      expect(readFileSync(join(folder, 'apps', app, 'bin', program), 'utf8')).to.match(/^#!\/usr\/bin\/env /);
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      expect(manifest)
        .to.include({ name: 'takt', private: true })
        .and.not.have.any.keys('devDependencies', 'scripts');
      expect(manifest.workspaces).to.include(`apps/${app}`).and.not.include('packages/test-support');
    });
  }

  it('cannot be packed if it does not exist', () => {
    for (const name of ['database', 'nothing', '..']) {
      const { status, stderr } = pack(name);
      expect([status, stderr]).to.deep.equal([1, `there is no app ${name}: see the folders of apps\n`]);
    }
  });
});

describe('a release of Takt', function () {
  this.timeout(180_000);
  let root: string;
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const release = (version: string) =>
    spawnSync('docker/release.sh', [version], { cwd: root, encoding: 'utf8' });
  const stateOf = () => git('rev-parse', 'HEAD') + git('status', '--porcelain') + git('tag');

  // The tests run in another repository that has the files and the build of this one, but a version and a changelog of
  // its own. Its build copies the compiled files of this one.
  before(async function () {
    needsProgram(this, 'git');
    root = await mkdtemp(join(tmpdir(), 'takt-release-test-'));
    for (const name of ['apps', 'packages']) {
      await cp(join(ROOT, name), join(root, name), {
        recursive: true,
        filter: (path) => !/\/(node_modules|dist|test|generators)(\/|$)/.test(path.slice(ROOT.length - 1)),
      });
    }
    for (const name of ['migrations', 'docker', '.npmrc', '.gitignore', 'package-lock.json']) {
      await cp(join(ROOT, name), join(root, name), { recursive: true });
    }
    const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    manifest.version = '0.1.0';
    manifest.scripts.build = `test ! -e fails && for dist in $(cd ${ROOT} && echo */*/dist); do cp -R ${ROOT}$dist $dist; done`;
    await writeFile(join(root, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    await writeFile(join(root, 'CHANGELOG.md'), CHANGELOG);
    git('init', '--quiet');
    git('config', 'user.name', 'Somebody');
    git('config', 'user.email', 'somebody@example.org');
    git('add', '.');
    git('commit', '--quiet', '--message', 'Begin');
  });
  after(() => root !== undefined && rm(root, { recursive: true }));

  const expectRefused = (version: string, reason: RegExp) => {
    const before = stateOf();
    const { status, stderr } = release(version);
    expect(status).not.to.equal(0);
    expect(stderr).to.match(reason);
    expect(stateOf()).to.equal(before);
  };

  it('is rejected if its version is invalid, and changes nothing then', () => {
    for (const version of ['1', '1.2', '1.2.0.1', '1.2.x', '; rm -rf'])
      expectRefused(version, /Invalid version/);
    expectRefused('', /usage: npm run release/);
  });

  it('is rejected if the tree has changes, its folder exists, or the changelog has no news', async () => {
    await writeFile(join(root, 'left.txt'), '');
    expectRefused(VERSION, /commit or undo what is changed first/);
    await rm(join(root, 'left.txt'));
    await mkdir(join(root, 'build-output', VERSION), { recursive: true });
    expectRefused(VERSION, /exists already: remove it/);
    await rm(join(root, 'build-output'), { recursive: true });
    await writeFile(join(root, 'CHANGELOG.md'), CHANGELOG.replace('- A change.\n\n', ''));
    git('commit', '--all', '--quiet', '--message', 'Take the news away');
    expectRefused(VERSION, /has nothing under "Unreleased"/);
    git('reset', '--quiet', '--hard', 'HEAD~1');
  });

  it('changes nothing if the build fails', async () => {
    await writeFile(join(root, 'fails'), '');
    git('add', '.');
    git('commit', '--quiet', '--message', 'Fail');
    expectRefused(VERSION, /^/);
    expect(existsSync(join(root, 'build-output', VERSION))).to.equal(false);
    git('reset', '--quiet', '--hard', 'HEAD~1');
  });

  it('writes the versions, the lock file, the changelog and the tarballs before it commits and tags', async () => {
    const { status, stderr } = release(VERSION);
    expect(status, stderr).to.equal(0);
    const folder = join(root, `build-output/${VERSION}`);
    const tarballs = [...APPS, 'client', 'events'].map((name) => `takt-${name}-${VERSION}.tgz`).sort();
    expect(readdirSync(folder).sort()).to.deep.equal(['SHA256SUMS', ...tarballs]);
    execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: folder });
    expect(git('log', '-1', '--format=%s %D').trim()).to.match(
      new RegExp(`^Release ${VERSION} .*tag: v${VERSION}`),
    );
    expect(git('status', '--porcelain')).to.equal('');
    expect(git('show', '--stat', '--format=', 'HEAD'))
      .to.include('package-lock.json')
      .and.not.include('build-output');
    const lock = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8'));
    const workspaces = Object.keys(lock.packages).filter((path) => !path.includes('node_modules/'));
    expect(workspaces).to.include('').and.include('apps/api').and.include('packages/events');
    for (const path of workspaces) {
      const manifest = JSON.parse(await readFile(join(root, path, 'package.json'), 'utf8'));
      for (const written of [manifest, lock.packages[path]]) {
        expect(written.version, path).to.equal(VERSION);
        const all: Record<string, string> = { ...written.dependencies, ...written.devDependencies };
        const ours = Object.entries(all).filter(([name]) => name.startsWith('@takt/'));
        for (const [name, range] of ours) expect(range, `${path}: ${name}`).to.equal('*');
      }
    }
    expect(await readFile(join(root, 'CHANGELOG.md'), 'utf8')).to.match(
      new RegExp(`## Unreleased\n\n## ${VERSION}, \\d{4}-\\d\\d-\\d\\d\n\n- A change`),
    );
    const listed = execFileSync('tar', ['-tzf', join(folder, `takt-api-${VERSION}.tgz`)], {
      encoding: 'utf8',
    });
    expect(listed.split('\n')).to.include.members(
      ['package.json', 'package-lock.json', '.npmrc', 'apps/api/bin/takt-api.js'].map(
        (file) => `takt-api-${VERSION}/${file}`,
      ),
    );
    expectRefused(VERSION, new RegExp(`the tag v${VERSION} exists already`));
  });

  it('contains a client that can be installed outside the repository', async () => {
    const tarball = join(root, `build-output/${VERSION}/takt-client-${VERSION}.tgz`);
    // In this project, Node.js finds no module of this repository and no package from the registry.
    await inEmptyProject([], async (project) => {
      const { code, stdout, stderr } = await project.run(`
        npm install --offline --silent ${tarball}
        node --input-type=module --eval "
          import { openClient } from '@takt/client';
          import manifest from '@takt/client/package.json' with { type: 'json' };
          console.log(manifest.version, typeof openClient({ baseUrl: 'http://127.0.0.1', token: 'token' }).list);
        "
        ls node_modules/@takt`);
      expect(code, stderr).to.equal(0);
      expect(stdout).to.equal(`${VERSION} function\nclient\n`);
    });
  });
});
