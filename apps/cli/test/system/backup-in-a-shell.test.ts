import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { appNames } from '@takt/database';
import { createTestDatabase, runTakt, spawnTakt, type TestDatabase } from '@takt/database/testing';
import { completion, ndjson } from '@takt/test-support';
import { expect } from 'chai';
import { openTestInstallation, type TestInstallation } from '../support/test-installation.js';

const ROOT = new URL('../../../../../', import.meta.url);
const TAKT = fileURLToPath(new URL('apps/cli/bin/takt.js', ROOT));
const LOG_IN = /^postgres:\/\/takt_([a-z]+)_\w+:[\w-]+@/;

describe('takt backup and takt restore in a shell', function () {
  this.timeout(180_000);
  let installation: TestInstallation;
  let target: TestDatabase;
  let folder: string;
  let guide: string;
  const pathOf = (name: string) => join(folder, name);

  /** Runs the commands of the code block of the guide that starts with `begin`. Does not change the commands. */
  async function runAsWritten(begin: string, databaseUrl: string): Promise<string> {
    const block = guide.split('```sh\n').find((part) => part.startsWith(begin));
    const commands = block?.slice(0, block.indexOf('```'));
    if (commands === undefined) throw new Error(`the guide has no commands that begin with ${begin}`);
    const script = `npx() { shift; "${process.execPath}" "${TAKT}" "$@"; }\n${commands}`;
    const env = { PATH: process.env['PATH'], HOME: process.env['HOME'], DATABASE_URL: databaseUrl };
    return new Promise((resolve, reject) => {
      execFile('/bin/sh', ['-ec', script], { cwd: folder, env, timeout: 120_000 }, (error, stdout) => {
        if (error === null) {
          resolve(stdout);
        } else {
          reject(error);
        }
      });
    });
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'takt-cli-backup-'));
    const pages = ['backup', 'maintain'].map((page) => new URL(`docs/operating/${page}.md`, ROOT));
    guide = (await Promise.all(pages.map((page) => readFile(page, 'utf8')))).join('\n');
    installation = await openTestInstallation();
    target = await createTestDatabase({ migrated: false });
    await runTakt(['publish', '-'], installation.environment, ndjson([completion(1), completion(2)]));
  });
  after(async () => {
    await target?.close();
    await installation?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('work with the commands of the guide', async () => {
    const backedUp = await runAsWritten('npx takt backup takt.backup', installation.databaseUrl);
    expect(backedUp).to.match(
      /^backed up \d+ rows of \d+ tables into takt\.backup, 0\.\d MB, as of 20.*Z\n$/,
    );
    expect((await stat(pathOf('takt.backup'))).mode & 0o777).to.equal(0o600);
    const restored = await runAsWritten('npx takt restore takt.backup', target.url);
    expect(restored).to.match(/^restored \d+ rows of .*\naudited 0 structure versions, 0 differences\n$/);
    const logIns = await runAsWritten('npx takt login create api', target.url);
    const addresses = logIns.trimEnd().split('\n');
    expect(addresses.map((address) => LOG_IN.exec(address)?.[1])).to.have.members(appNames);
    for (const address of addresses) {
      await runTakt(['login', 'drop', new URL(address).username], { DATABASE_URL: target.url });
    }
    const { queues } = JSON.parse((await runTakt(['status', '--json'], { DATABASE_URL: target.url })).stdout);
    expect(queues[0]).to.include({ queue: 'work-order-operations', waiting: 1 });
    expect(await runAsWritten('npx takt maintain', target.url)).to.equal('');
  });

  it('write a backup to a pipe and read it from a pipe', async () => {
    const command = `"${process.execPath}" "${TAKT}" backup - | cat > piped`;
    const env = { PATH: process.env['PATH'], DATABASE_URL: installation.databaseUrl };
    const said = await new Promise<string>((resolve) => {
      execFile('/bin/sh', ['-c', command], { cwd: folder, env }, (_error, _stdout, stderr) =>
        resolve(stderr),
      );
    });
    expect(said).to.match(/^takt: backed up \d+ rows of \d+ tables into standard output/);
    const other = await createTestDatabase();
    const outcome = await runTakt(
      ['restore', '-'],
      { DATABASE_URL: other.url },
      await readFile(pathOf('piped')),
    );
    expect(outcome, outcome.stderr).to.include({ code: 0 });
    await other.close();
  });

  it('warn only if the standard output is a file that the group or others can read', async () => {
    const backUpInto = (umask: string, file: string) =>
      new Promise<string>((resolve) => {
        const command = `umask ${umask}; "${process.execPath}" "${TAKT}" backup - > ${file}`;
        const env = { PATH: process.env['PATH'], DATABASE_URL: installation.databaseUrl };
        execFile('/bin/sh', ['-c', command], { cwd: folder, env }, (_error, _stdout, stderr) =>
          resolve(stderr),
        );
      });
    for (const umask of ['022', '027', '073']) {
      expect(await backUpInto(umask, `open-${umask}`), umask).to.match(
        /^takt: standard output is a file that others may read.*umask 077/,
      );
    }
    expect(await backUpInto('077', 'closed')).to.match(/^takt: backed up /);
  });

  it('fail if the reader of the pipe stops early', async () => {
    const child = spawnTakt(['backup', '-'], { DATABASE_URL: installation.databaseUrl });
    child.stdout.destroy();
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += String(chunk);
    });
    expect(await once(child, 'exit')).to.deep.equal([1, null]);
    expect(said).to.include('the output is incomplete');
  });
});
