import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeArgumentsOf, withDeadline } from '@takt/run';
import { findFreePort } from '@takt/test-support';
import { expect } from 'chai';
import { CommandError } from '../../src/errors.js';
import { APP_PROCESSES } from '../../src/start-apps.js';
import { superviseApp } from '../../src/supervise-app.js';

describe('the apps of takt start', () => {
  it('have the same memory limits as under npm', () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(
      readFileSync(new URL('../../../../../package.json', import.meta.url), 'utf8'),
    );
    for (const { name, script } of APP_PROCESSES) {
      const program = scripts[name.toLowerCase()] ?? '';
      expect(program)
        .to.match(/^apps\//)
        .and.satisfy((path: string) => script.endsWith(`/${path}`));
      expect(nodeArgumentsOf(script).join(' ')).to.match(/--max-semi-space-size=\d+/);
    }
  });

  describe('under supervision', () => {
    let folder: string;
    let port: number;

    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'takt-supervise-app-test-'));
      port = await findFreePort();
    });
    after(() => rm(folder, { recursive: true }));

    const supervise = async (name: string, program: string) => {
      const script = join(folder, `${name}.mjs`);
      await writeFile(script, program);
      return superviseApp({
        name,
        script,
        environment: { PATH: process.env['PATH'] },
        readyUrl: `http://127.0.0.1:${port}/`,
        signal: new AbortController().signal,
        say: () => undefined,
      });
    };

    it('are no longer restarted if they exit three times during their start', async () => {
      const app = await supervise('broken', 'process.exit(3);');
      const failure = await app.ready.catch((error: unknown) => error);
      expect(failure).to.be.instanceOf(CommandError);
      expect(String(failure)).to.include('the broken did not start (exit code 3)');
      await app.close();
    }).timeout(180_000);

    it('are killed if they do not exit on request', async () => {
      const app = await supervise(
        'stubborn',
        `import { createServer } from 'node:http';
         process.on('SIGTERM', () => undefined);
         // If nobody kills it, it ends some time after the test.
         setTimeout(() => process.exit(), 45_000);
         createServer((_, response) => response.end()).listen(${port}, '127.0.0.1');`,
      );
      await app.ready;
      await withDeadline(app.close(), 30_000, () => {
        throw new Error('it was not killed');
      });
      expect(await fetch(`http://127.0.0.1:${port}/`).catch(() => 'gone')).to.equal('gone');
    }).timeout(180_000);
  });
});
