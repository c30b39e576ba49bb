import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, runTakt } from '@takt/database/testing';
import { leaseEmbeddedServer } from '@takt/embedded-postgres';
import { migrateQueueSchema } from '@takt/events/internal';
import { expect } from 'chai';

/** A database URL with an address at which no server listens. */
const NOWHERE = { DATABASE_URL: 'postgres://takt:secret@127.0.0.1:1/takt' };

describe('the command line', function () {
  this.timeout(180_000);
  it('prints the help with status 0 on request, and with status 2 for a missing command', async () => {
    const [asked, missing] = await Promise.all([runTakt(['--help'], {}), runTakt([], {})]);
    expect(asked).to.include({ code: 0, stderr: '' });
    for (const command of ['start', 'publish', 'rejected', 'status'])
      expect(asked.stdout).to.include(command);
    expect(missing).to.include({ code: 2, stdout: '' });
    expect(missing.stderr).to.include('Usage: takt');
  });

  it('exits with status 2 and names the mistake after a wrong call', async () => {
    const wrong: readonly (readonly [readonly string[], string])[] = [
      [['frobnicate'], "unknown command 'frobnicate'"],
      [['publish', '--batch', '1001', 'x'], 'integer from 1 to 1000'],
      [['generate', '--events', '5', '--corrections', '1.5'], 'share from 0 to 1'],
      [['rejected', 'retry'], 'name the events to retry, or all with --all'],
    ];
    await Promise.all(
      wrong.map(async ([args, message]) => {
        const { code, stderr } = await runTakt(args, {});
        expect(stderr).to.include(message);
        expect(code, args.join(' ')).to.equal(2);
      }),
    );
  });

  it('exits with status 2 and names every wrong setting', async () => {
    const { code, stderr } = await runTakt(['status'], { PORT: 'x', QUEUE_URL: 'amqp://x' });
    expect(code).to.equal(2);
    expect(stderr).to.match(/^takt: PORT is "x".*\ntakt: QUEUE_URL is "amqp:\/\/x".*\n$/);
  });

  it('exits with status 1 and one line if the database does not answer', async () => {
    const { code, stdout, stderr } = await runTakt(['company', 'list'], NOWHERE);
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: '' });
    expect(stderr).to.match(/^takt: the database cannot be used: .*ECONNREFUSED.*check DATABASE_URL.*\n$/);
    expect(stderr).to.not.include('secret');
  });

  it('prints the stack of an error if LOG_LEVEL is debug', async () => {
    const { stderr } = await runTakt(['company', 'list'], { ...NOWHERE, LOG_LEVEL: 'debug' });
    expect(stderr).to.match(/^ {4}at .*\/context\./m);
  });

  it('loads only the libraries of the command', async () => {
    const { url, close } = await createTestDatabase();
    const home = await mkdtemp(join(tmpdir(), 'takt-cli-light-'));
    const running = await leaseEmbeddedServer({ home });
    try {
      for (const question of ['--help', '--version']) {
        expect(await librariesFor([question], {}), question).to.deep.equal(['commander']);
      }
      const lists = ['token list', 'company list', 'client list', 'user list', 'login list'];
      for (const question of [...lists, 'token --help', 'help user']) {
        const libraries = await librariesFor(question.split(' '), { DATABASE_URL: url });
        expect(libraries, question).to.deep.equal(['commander', 'pg']);
      }
      const libraries = await librariesFor(['unlisted', 'list'], { DATABASE_URL: url });
      expect(libraries).to.deep.equal(['commander', 'decimal.js', 'pg', 'simple-statistics']);
      await migrateQueueSchema(url);
      for (const question of ['status', 'drain', 'publish --help']) {
        const libraries = await librariesFor(question.split(' '), { DATABASE_URL: url });
        expect(libraries, question).not.to.include('bullmq');
      }
      // The first command migrates the embedded database, which needs BullMQ. The second command finds it up to date.
      expect(await librariesFor(['company', 'list'], { TAKT_HOME: home })).to.include('bullmq');
      expect(await librariesFor(['company', 'list'], { TAKT_HOME: home })).to.deep.equal(['commander', 'pg']);
    } finally {
      await running.close();
      await close();
      await rm(home, { recursive: true, force: true });
    }
  });

  it('asks for a migration if the database has none', async () => {
    const { url, close } = await createTestDatabase({ migrated: false });
    try {
      const outcomes = await Promise.all(
        [['audit'], ['drain']].map((args) => runTakt(args, { DATABASE_URL: url })),
      );
      for (const { code, stderr } of outcomes) {
        expect(stderr).to.include('run takt migrate');
        expect(code).to.equal(1);
      }
    } finally {
      await close();
    }
  });
});

/** Returns the third-party packages that a command loads. Counts all packages of pg as one. */
async function librariesFor(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'takt-cli-loaded-'));
  try {
    const { code, stderr } = await runTakt(args, { ...environment, NODE_V8_COVERAGE: folder });
    expect(code, stderr).to.equal(0);
    const reports = await Promise.all(
      (await readdir(folder)).map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8'))),
    );
    const urls: readonly string[] = reports.flatMap(({ result }) =>
      result.map((script: { url: string }) => script.url),
    );
    const names = urls.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? []);
    return [...new Set(names.map((name) => (OF_PG.test(name) ? 'pg' : name)))].sort();
  } finally {
    await rm(folder, { recursive: true });
  }
}

const OF_PG = /^(?:pg-[\w-]+|postgres-\w+|xtend)$/;
