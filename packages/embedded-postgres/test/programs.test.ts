import { chmod, cp, lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type BinaryPackage, findPackage, preparePrograms } from '../src/programs.js';
import { IS_LINUX_ROOT } from './embedded-homes.js';
import { nobody } from './holders.js';

describe('the programs of PostgreSQL', () => {
  let parent: string;
  let unlinked: BinaryPackage;

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'takt-binaries-'));
    const installed = await findPackage();
    unlinked = { ...installed, directory: join(parent, 'package') };
    await cp(installed.directory, unlinked.directory, { recursive: true, filter: isNoLink });
  });

  afterEach(async () => {
    await rm(parent, { recursive: true });
  });

  it('run after two processes have created the links to libraries at the same time', async () => {
    const copies = join(parent, 'copies');
    const found = await Promise.all([1, 2].map(() => preparePrograms(unlinked, undefined, copies)));
    expect(found[0]?.postgres).to.equal(join(unlinked.directory, 'native/bin/postgres'));
    expect(await readdir(parent)).not.to.include('copies');
  });

  it('are copied once for a user who may not read them', async function () {
    if (!IS_LINUX_ROOT) this.skip();
    await chmod(parent, 0o755);
    await chmod(unlinked.directory, 0o700);
    const copies = join(parent, 'copies');
    const found = await Promise.all([1, 2].map(() => preparePrograms(unlinked, nobody(), copies)));
    expect(found[1]?.postgres).to.equal(join(copies, unlinked.version, 'native/bin/postgres'));
    expect(await readdir(copies)).to.deep.equal([unlinked.version]);
  });

  it('are copied where that user may enter, whatever the umask is or was', async function () {
    if (!IS_LINUX_ROOT) this.skip();
    await chmod(parent, 0o755);
    await chmod(unlinked.directory, 0o700);
    const umask = process.umask(0o077);
    try {
      const copies = join(parent, 'takt/copies');
      expect(await preparePrograms(unlinked, nobody(), copies)).to.have.property('initdb');
      await chmod(copies, 0o700);
      await chmod(join(parent, 'takt'), 0o700);
      expect(await preparePrograms(unlinked, nobody(), copies)).to.have.property('initdb');
    } finally {
      process.umask(umask);
    }
  });
});

async function isNoLink(path: string): Promise<boolean> {
  return !(await lstat(path)).isSymbolicLink();
}
