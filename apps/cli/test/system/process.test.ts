import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase, runTakt, spawnTakt } from '@takt/database/testing';
import { openEmbeddedServer } from '@takt/embedded-postgres';
import { migrateQueueSchema } from '@takt/events/internal';
import { expect } from 'chai';

describe('the process of a command', function () {
  this.timeout(180_000);
  it('loads only the libraries of the command', async () => {
    const { url, close } = await createTestDatabase();
    const home = await mkdtemp(join(tmpdir(), 'takt-cli-light-'));
    const running = await openEmbeddedServer({ home });
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

  it('exits silently if the reader closes the pipe', async () => {
    const child = spawnTakt(['generate', '--events', '1000000000'], {});
    let talk = '';
    child.stderr.on('data', (chunk) => {
      talk += String(chunk);
    });
    await once(child.stdout, 'data');
    child.stdout.destroy();
    const [code] = await once(child, 'exit');
    expect({ code, talk }).to.deep.equal({ code: 0, talk: '' });
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
