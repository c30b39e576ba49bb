import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { IS_LINUX_ROOT, processesOf, refusal } from '../embedded-homes.js';
import { embeddedServers, findOtherUser, queryOnce } from '../holders.js';

/** The maximum time for work that takes one or two seconds on an idle machine. */
const AT_ONCE_MS = 10_000;
const PORT_TAKEN = /Address already in use|could not bind/;
const OTHER_FILE_SYSTEM = '/dev/shm';

describe('the home of an embedded server', () => {
  const { homes, holders, open } = embeddedServers();

  async function expectToWork(home: string): Promise<void> {
    const first = await open(home);
    await queryOnce(first.url, 'create table kept as select 42 as value');
    await first.close();
    expect(await processesOf(first.home)).to.deep.equal([]);
    const second = await open(home);
    try {
      // The server of another test may have taken the port meanwhile, as the log then says.
      if (second.url !== first.url) {
        expect(second.url.replace(/:\d+\//, '')).to.equal(first.url.replace(/:\d+\//, ''));
        expect(await readFile(join(first.home, 'postgres/server.log'), 'utf8')).to.match(PORT_TAKEN);
      }
      expect(await queryOnce(second.url, 'select value from kept')).to.equal(42);
    } finally {
      await second.close();
    }
  }

  async function expectRefusal(attempt: Promise<unknown>, message: RegExp): Promise<void> {
    const began = performance.now();
    expect((await refusal(attempt)).message).to.match(message);
    expect(performance.now() - began).to.be.below(AT_ONCE_MS);
  }

  it('may have spaces, quotes and umlauts in its path', async () => {
    await expectToWork(await homes.create(`Werk 1's "Läufe" $x -c port=1`));
  });

  it('may have a path of 200 characters, with directories that do not exist yet', async () => {
    const parent = await homes.create('Fertigungsüberwachung');
    const home = join(parent, 'n'.repeat(100), 'n').padEnd(200, 'n');
    expect(home).to.have.length(200);
    await expectToWork(home);
  });

  it('may be on another file system than the programs of PostgreSQL and the temporary files', async function () {
    const [other, usual] = await Promise.all(
      [OTHER_FILE_SYSTEM, tmpdir()].map((path) => stat(path).catch(() => undefined)),
    );
    if (other === undefined || other.dev === usual?.dev) {
      console.log(`      LEFT OUT: ${OTHER_FILE_SYSTEM} is no file system of its own here`);
      return this.skip();
    }
    await expectToWork(await homes.create('home', 0o755, OTHER_FILE_SYSTEM));
  });

  it('is rejected at once if a directory cannot be created', async function () {
    if (process.platform !== 'linux') return this.skip();
    const message = /cannot hold the embedded server(.|\n)*point TAKT_HOME to another directory/;
    for (const home of ['/proc', '/sys/nope', '/dev/null/nope']) {
      await expectRefusal(open(home), message);
    }
  });

  it('is rejected at once if it is a file', async () => {
    const home = await homes.create();
    await writeFile(home, '');
    await expectRefusal(open(home), /point TAKT_HOME to another directory/);
  });

  it('is rejected at once if the user may not write to it', async function () {
    const user = await findOtherUser();
    if (user === undefined) return this.skip();
    const home = await homes.create();
    await mkdir(home, { mode: 0o755 });
    const began = performance.now();
    const outcome = await holders.start(home, user).catch(String);
    expect(outcome).to.match(/cannot hold the embedded server(.|\n)*make it writable for this user/);
    expect(performance.now() - began).to.be.below(AT_ONCE_MS);
  });

  it('is rejected at once, with both versions, if another version of PostgreSQL has written its data', async () => {
    const home = await homes.create();
    await (await open(home)).close();
    await writeFile(join(home, 'postgres/data/PG_VERSION'), '17\n');
    await expectRefusal(
      open(home),
      /initialized by PostgreSQL version 17, which is not compatible with this version 18/,
    );
  });

  it('is rejected at once if the password of its data is lost', async () => {
    const home = await homes.create();
    await (await open(home)).close();
    await rm(join(home, 'postgres/password'));
    await expectRefusal(open(home), /password(.|\n)*is missing/);
  });

  it('is rejected at once if its password is wrong, and leaves no process running', async () => {
    const home = await homes.create();
    await (await open(home)).close();
    await writeFile(join(home, 'postgres/password'), 'wrong');
    await expectRefusal(open(home), /does not accept the password/);
  });

  it('may be in a directory that only root may enter, if root starts the server', async function () {
    if (!IS_LINUX_ROOT) return this.skip();
    const home = await homes.create('home', 0o700);
    await expectToWork(home);
    expect((await stat(join(home, 'postgres/data'))).uid).not.to.equal(0);
  });
});
