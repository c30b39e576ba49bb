import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inEmptyProject, needsProgram } from '@takt/test-support';
import { expect } from 'chai';
import { ReleaseError, type ReleaseOptions, release } from '../../src/release.js';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
/** A version that no release of this repository has, so that every manifest changes. */
const VERSION = '99.0.0';
const DATE = '2027-02-28';
const CHANGELOG =
  '# Changelog\n\n## Unreleased\n\n- A change.\n\n## 0.1.0, 2027-01-31\n\n- An older change.\n';

describe('a release of Takt', function () {
  this.timeout(180_000);
  let root: string;
  let said: string[];
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const releasing = (version: string, more: Partial<ReleaseOptions> = {}) =>
    release({
      root,
      version,
      date: DATE,
      folder: join(root, 'build-output', version),
      isDryRun: false,
      say: (line) => said.push(line),
      ...more,
    });
  const read = (file: string) => readFile(join(root, file), 'utf8');

  // The tests run in another repository that has the files and the build of this one, but a version and a changelog of
  // its own.
  before(async function () {
    needsProgram(this, 'git');
    root = await mkdtemp(join(tmpdir(), 'takt-release-test-'));
    for (const name of ['apps', 'packages', 'migrations', '.npmrc', '.gitignore', 'package-lock.json']) {
      await cp(join(ROOT, name), join(root, name), {
        recursive: true,
        filter: (path) => !/\/(node_modules|test|generators)(\/|$)/.test(path.slice(ROOT.length - 1)),
      });
    }
    const manifest = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8'));
    manifest.version = '0.1.0';
    manifest.scripts.build = 'test ! -e fails';
    await writeFile(join(root, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    await writeFile(join(root, 'CHANGELOG.md'), CHANGELOG);
    git('init', '--quiet');
    git('config', 'user.name', 'Somebody');
    git('config', 'user.email', 'somebody@example.org');
    git('add', '.');
    git('commit', '--quiet', '--message', 'Begin');
  });
  beforeEach(() => {
    said = [];
  });
  after(() => root !== undefined && rm(root, { recursive: true }));

  const refused = async (version: string, reason: RegExp | string, more: Partial<ReleaseOptions> = {}) => {
    const before = git('rev-parse', 'HEAD') + git('status', '--porcelain') + git('tag');
    const outcome = await releasing(version, more).catch((error: unknown) => error);
    expect(outcome).to.be.instanceOf(ReleaseError);
    expect(String(outcome)).to.match(new RegExp(reason));
    expect(git('rev-parse', 'HEAD') + git('status', '--porcelain') + git('tag')).to.equal(before);
  };

  it('is rejected if its version is invalid or older than the current version', async () => {
    for (const version of ['1', '1.2', 'v1.2.0', '1.2.0.1', '1.2.0-', '1.2.x', '; rm -rf']) {
      await refused(version, 'is not a version');
    }
    await refused('0.0.9', 'is older than 0.1.0');
    await refused('0.1.0-rc.1', 'is older than 0.1.0');
  });

  it('is rejected if the working tree has changes', async () => {
    await writeFile(join(root, 'left.txt'), '');
    await refused(VERSION, 'commit or undo what is changed first:\n.*left.txt');
    await rm(join(root, 'left.txt'));
  });

  it('is rejected if its folder already exists, or if the changelog has no new changes', async () => {
    await refused(VERSION, 'exists already', { folder: root });
    await writeFile(join(root, 'CHANGELOG.md'), CHANGELOG.replace('- A change.\n\n', ''));
    git('commit', '--all', '--quiet', '--message', 'Take the news away');
    await refused(VERSION, 'has nothing under "Unreleased"');
    git('reset', '--quiet', '--hard', 'HEAD~1');
  });

  it('changes nothing in a dry run', async () => {
    const before = git('rev-parse', 'HEAD');
    await releasing(VERSION, { isDryRun: true });
    expect(said).to.deep.equal([`${VERSION} can be released`]);
    expect([git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag')]).to.deep.equal([
      before,
      '',
      '',
    ]);
  });

  it('changes nothing if the build fails', async () => {
    await writeFile(join(root, 'fails'), '');
    git('add', '.');
    git('commit', '--quiet', '--message', 'Fail');
    expect(await releasing(VERSION).catch(String)).to.include('Command failed: npm run --silent build');
    expect([git('status', '--porcelain'), git('tag')]).to.deep.equal(['', '']);
    git('reset', '--quiet', '--hard', 'HEAD~1');
  });

  it('writes the versions, the lock file, the changelog and the tarballs before it commits and tags', async () => {
    await releasing(VERSION);
    const apps = (await readdir(join(root, 'apps'))).filter(
      (app) => !['acceptance', 'benchmarks'].includes(app),
    );
    const folder = join(root, `build-output/${VERSION}`);
    const tarballs = [...apps, 'client', 'events'].map((name) => `takt-${name}-${VERSION}.tgz`).sort();
    expect((await readdir(folder)).sort()).to.deep.equal(['SHA256SUMS', ...tarballs]);
    execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: folder });

    expect(git('log', '-1', '--format=%s %D').trim()).to.match(
      new RegExp(`^Release ${VERSION} .*tag: v${VERSION}`),
    );
    expect(git('status', '--porcelain')).to.equal('');
    expect(git('show', '--stat', '--format=', 'HEAD'))
      .to.include('package-lock.json')
      .and.not.include('build-output');
    const lock = JSON.parse(await read('package-lock.json'));
    const workspaces = Object.keys(lock.packages).filter((path) => !path.includes('node_modules/'));
    expect(workspaces).to.include('').and.include('apps/api').and.include('packages/events');
    for (const path of workspaces) {
      const manifest = JSON.parse(await read(join(path, 'package.json')));
      for (const written of [manifest, lock.packages[path]]) {
        expect(written.version, path).to.equal(VERSION);
        const ours = Object.entries({ ...written.dependencies, ...written.devDependencies }).filter(
          ([name]) => name.startsWith('@takt/'),
        );
        for (const [name, range] of ours) expect(range, `${path}: ${name}`).to.equal('*');
      }
    }
    expect(lock.version).to.equal(VERSION);
    expect(await read('CHANGELOG.md')).to.equal(
      CHANGELOG.replace('## Unreleased\n', `## Unreleased\n\n## ${VERSION}, ${DATE}\n`),
    );

    const listed = execFileSync('tar', ['-tzf', join(folder, `takt-api-${VERSION}.tgz`)], {
      encoding: 'utf8',
    }).split('\n');
    for (const file of [
      'package.json',
      'package-lock.json',
      '.npmrc',
      'apps/api/bin/takt-api.js',
      'migrations/functions/granted_rights.sql',
    ]) {
      expect(listed).to.include(`takt-api-${VERSION}/${file}`);
    }
    await refused(VERSION, `the tag v${VERSION} exists already`, { folder: join(root, 'elsewhere') });
    await refused('1.0.0', `is older than ${VERSION}`);
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
