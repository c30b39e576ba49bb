import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { needsProgram, startTestRedis, type TestRedis } from '@takt/test-support';
import { expect } from 'chai';
import { parseEvent } from '../../src/index.js';
import { openQueueBackend } from '../../src/internal.js';

// The compiled test is in dist/test, so this is the root of the package.
const packageRoot = new URL('../../../', import.meta.url);

/** Returns the first code block in a language under a heading. */
async function exampleOf(heading: string, language: string): Promise<string> {
  const page = await readFile(new URL('../../docs/publishing.md', packageRoot), 'utf8');
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  return new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'ms').exec(section)?.[1] ?? '';
}

describe('the examples of publishing', () => {
  let redis: TestRedis;

  before(async function () {
    needsProgram(this, 'redis-server');
    redis = await startTestRedis();
  });
  after(async () => {
    await redis?.close();
  });

  // The acceptance tests run all examples with their install commands in an empty folder. This test needs no package
  // registry.
  for (const [heading, operation] of [
    ['With our publisher', 4714],
    ['With BullMQ alone, on Redis', 4715],
  ] as const) {
    it(`publish a valid event: ${heading}`, async () => {
      const program = await exampleOf(heading, 'js');
      const run = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
        cwd: fileURLToPath(packageRoot),
        env: { PATH: process.env['PATH'], QUEUE_URL: redis.url },
        timeout: 50_000,
        encoding: 'utf8',
      });
      expect(run.stderr).to.equal('');
      expect(run.status).to.equal(0);
      const backend = await openQueueBackend(redis.url, { onError: () => undefined });
      const queue = backend.openQueue('work-order-operations');
      const [job] = await queue.getWaiting();
      expect(job?.name).to.equal('work-order-operation.completed.v1');
      expect(job?.opts).to.include({ removeOnComplete: true, removeOnFail: false, attempts: 1 });
      expect(parseEvent(job?.data)).to.have.nested.property('event.workOrderOperationId', operation);
      await queue.drain();
      await backend.close();
    });
  }

  it('contain the same event in Python', async () => {
    const python = await exampleOf('With BullMQ alone, in Python', 'python');
    const event: unknown = JSON.parse(
      (/^event = (\{.*?^\})/ms.exec(python)?.[1] ?? '').replace(/,(\s*\})/g, '$1'),
    );
    expect(parseEvent(event)).to.have.property('ok', true);
    expect(python).to.contain('"prefix": "{takt}"').and.to.contain('Queue("work-order-operations"');
  });
});
