import { chmod, cp, lstat, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type BinaryPackage, findBinaryPackage, linkLibraries, prepareBinaries } from '../src/binaries.js';
import { parsePasswd } from '../src/server-user.js';
import { IS_LINUX_ROOT } from './embedded-homes.js';

describe('the programs of PostgreSQL', () => {
  let parent: string;
  let unlinked: BinaryPackage;

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'takt-binaries-'));
    const installed = await findBinaryPackage();
    unlinked = { ...installed, directory: join(parent, 'package') };
    await cp(installed.directory, unlinked.directory, { recursive: true, filter: isNoLink });
  });

  afterEach(async () => {
    await rm(parent, { recursive: true });
  });

  it('run after two processes have created the links to libraries at the same time', async () => {
    const copies = join(parent, 'copies');
    const found = await Promise.all([1, 2].map(() => prepareBinaries(unlinked, copies, undefined)));
    expect(found.map(({ majorVersion }) => majorVersion)).to.deep.equal([18, 18]);
    expect(found[0]?.postgres).to.equal(join(unlinked.directory, 'native/bin/postgres'));
    expect(await readdir(parent)).not.to.include('copies');
  });

  it('are repaired if one of their links is broken', async () => {
    const name = join(unlinked.directory, 'native/lib/libpq.so.5');
    await symlink('nowhere', name);
    await linkLibraries(unlinked.directory);
    expect(await readFile(name))
      .to.have.property('length')
      .greaterThan(0);
  });

  it('are copied once for a user who may not read them', async function () {
    if (!IS_LINUX_ROOT) this.skip();
    const user = parsePasswd(await readFile('/etc/passwd', 'utf8')).find(({ name }) => name === 'nobody');
    await chmod(parent, 0o755);
    await chmod(unlinked.directory, 0o700);
    const copies = join(parent, 'copies');
    const found = await Promise.all([1, 2].map(() => prepareBinaries(unlinked, copies, user)));
    expect(found[1]?.postgres).to.equal(join(copies, unlinked.version, 'native/bin/postgres'));
    expect(await readdir(copies)).to.deep.equal([unlinked.version]);
  });

  it('are copied where that user may enter, whatever the umask is or was', async function () {
    if (!IS_LINUX_ROOT) this.skip();
    const user = parsePasswd(await readFile('/etc/passwd', 'utf8')).find(({ name }) => name === 'nobody');
    await chmod(parent, 0o755);
    await chmod(unlinked.directory, 0o700);
    const umask = process.umask(0o077);
    try {
      const copies = join(parent, 'takt/copies');
      expect(await prepareBinaries(unlinked, copies, user)).to.include({ majorVersion: 18 });
      await chmod(copies, 0o700);
      await chmod(join(parent, 'takt'), 0o700);
      expect(await prepareBinaries(unlinked, copies, user)).to.include({ majorVersion: 18 });
    } finally {
      process.umask(umask);
    }
  });
});

async function isNoLink(path: string): Promise<boolean> {
  return !(await lstat(path)).isSymbolicLink();
}
