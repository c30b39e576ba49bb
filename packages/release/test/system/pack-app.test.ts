import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { packApp } from '../../src/pack-app.js';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));

// The test apps/acceptance/test/system/endurance/images.test.ts checks that npm can install the packed app, and that the app
// runs.
describe('an app packed for production', () => {
  let folder: string;

  const left = join(ROOT, 'packages/run/dist/src/deleted-module.js');

  before(() => writeFile(left, ''));
  after(() => rm(left));
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'takt-pack-app-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const apps = readdirSync(join(ROOT, 'apps')).filter((app) => existsSync(join(ROOT, 'apps', app, 'bin')));
  for (const app of apps) {
    it(`contains everything that ${app} needs, but no tests and no outdated compiled files`, async () => {
      await packApp(ROOT, app, folder);
      const files = readdirSync(folder, { recursive: true }).map(String);
      expect(files).to.include.members([
        `apps/${app}/dist/src/main.js`,
        'migrations/functions',
        'packages/database/dist/src/index.js',
        'package-lock.json',
        '.npmrc',
      ]);
      expect(
        files.filter((path) => /\/(test|scripts|src)$/.test(path.replace('/dist/src', ''))),
      ).to.deep.equal([]);
      expect(files).to.include('packages/run/dist/src/index.js');
      expect(files).to.not.include('packages/run/dist/src/deleted-module.js');
      expect(readdirSync(join(folder, 'apps'))).to.deep.equal([app]);
      const program = readdirSync(join(folder, 'apps', app, 'bin')).map((name) =>
        join('apps', app, 'bin', name),
      );
      expect(readFileSync(join(folder, program[0] ?? ''), 'utf8')).to.match(/^#!\/usr\/bin\/env /);
      const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      expect(manifest)
        .to.include({ name: 'takt', private: true })
        .and.not.have.any.keys('devDependencies', 'scripts');
      expect(manifest.workspaces).to.include(`apps/${app}`).and.not.include('packages/test-support');
    });
  }

  it('cannot be packed if it does not exist', async () => {
    for (const name of ['database', 'nothing', '']) {
      const outcome = await packApp(ROOT, name, folder).catch(String);
      expect(outcome).to.equal(`Error: there is no app ${name}: see the folders of apps`);
    }
  });
});
