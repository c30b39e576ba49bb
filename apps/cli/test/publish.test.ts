import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { completion, ndjson } from '@takt/test-support';
import { expect } from 'chai';
import { runTakt } from './support/run-takt.js';
import { openTestInstallation, type TestInstallation } from './support/test-installation.js';

describe('takt publish', function () {
  this.timeout(180_000);
  let installation: TestInstallation;
  let folder: string;
  let nextOperation = 1;
  const takt = (args: readonly string[], input?: string | Buffer) =>
    runTakt(['publish', ...args], installation.environment, input);
  const file = async (name: string, content: string | Buffer) => {
    const path = join(folder, name);
    await writeFile(path, content);
    return path;
  };
  /** Returns events that no other test has published. */
  const events = (count: number) => Array.from({ length: count }, () => completion(nextOperation++));

  before(async () => {
    installation = await openTestInstallation();
    folder = await mkdtemp(join(tmpdir(), 'takt-publish-test-'));
  });
  after(async () => {
    await installation?.close();
    await rm(folder, { recursive: true });
  });
  beforeEach(() => Promise.all(installation.queues.map((queue) => queue.drain())));

  it('publishes plain files, gzip files and the standard input, and skips blank lines', async () => {
    const plain = await file(
      'plain.ndjson',
      `\ufeff${ndjson(events(2))}\n  \r\n${ndjson(events(1)).trimEnd()}`,
    );
    const zipped = await file('zipped.ndjson.gz', gzipSync(ndjson(events(4))));
    const outcome = await takt([plain, zipped, '-', '--batch', '1'], ndjson(events(5)));
    expect(outcome).to.deep.equal({ code: 0, stdout: 'published 12\n', stderr: '' });
    expect(await installation.countWaiting()).to.equal(12);
  });

  it('divides the events into jobs of the size of --batch', async () => {
    expect((await takt(['-', '--batch', '10'], ndjson(events(25)))).stdout).to.equal('published 25\n');
    const jobs = await installation.queues[0]?.getWaiting();
    expect(jobs?.map(({ data }) => Array.isArray(data) && data.length).sort()).to.deep.equal([10, 10, 5]);
  });

  it('reports invalid lines by file and line, and publishes only the other files', async () => {
    const [good, last] = [ndjson(events(3)), ndjson(events(1))];
    const negative = JSON.stringify(completion(nextOperation++, { runTime: -1 }));
    const infinite = negative.replace('-1', '1e400');
    const bad = await file(
      'bad.ndjson',
      Buffer.concat([
        Buffer.from(`${good}${negative}\nno JSON\n\n${infinite}\n[]\n`),
        Buffer.from([0x22, 0xff, 0x22, 0x0a]),
        Buffer.from(last),
      ]),
    );
    const fine = await file('fine.ndjson', ndjson(events(2)));
    const { code, stdout, stderr } = await takt([bad, fine, '--batch', '1']);
    expect(stdout).to.equal('published 2\n');
    expect(code).to.equal(1);
    const lines = stderr.split('\n');
    expect(lines[0]).to.match(new RegExp(`^${bad}:4: data\\.runTime must be hours .* \\(got -1\\)$`));
    expect(lines[1]).to.match(new RegExp(`^${bad}:5: is not JSON`));
    expect(lines[2]).to.match(new RegExp(`^${bad}:7: data\\.runTime must be hours .* \\(got Infinity\\)$`));
    expect(lines[3]).to.match(new RegExp(`^${bad}:8: .*must be a JSON object`));
    expect(lines[4]).to.equal(`${bad}:9: is not UTF-8`);
    expect(lines[5]).to.equal(`takt: ${bad}: 5 of 10 lines are invalid, nothing of the file is published`);
    expect(await installation.countWaiting()).to.equal(2);

    const skipping = await takt([bad, '--skip-invalid', '--batch', '1']);
    expect(skipping).to.include({ code: 0, stdout: 'published 4\n' });
    expect(skipping.stderr).to.include(`${bad}:9: is not UTF-8`);
    expect(await installation.countWaiting()).to.equal(6);
  });

  it('publishes nothing of a standard input with an invalid line', async () => {
    const { code, stdout, stderr } = await takt(['-'], `${ndjson(events(1000))}{}\n`);
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: 'published 0\n' });
    expect(stderr).to.match(/^-:1001: /);
    expect(await installation.countWaiting()).to.equal(0);
  });

  it('names a missing or damaged file, and publishes nothing of that file', async () => {
    const whole = gzipSync(ndjson(events(500)));
    const damaged = await file('damaged.ndjson.gz', whole.subarray(0, whole.length / 2));
    const missing = join(folder, 'missing.ndjson');
    const { code, stdout, stderr } = await takt([missing, damaged]);
    expect({ code, stdout }).to.deep.equal({ code: 1, stdout: 'published 0\n' });
    expect(stderr).to.include(`takt: ${missing} cannot be read`);
    expect(stderr).to.match(
      new RegExp(`takt: ${damaged} cannot be read after line \\d+: unexpected end of file`),
    );
    expect(await installation.countWaiting()).to.equal(0);
  });

  it('publishes at most at the speed of --rate', async () => {
    const startedAt = performance.now();
    expect((await takt(['-', '--rate', '40'], ndjson(events(50)))).stdout).to.equal('published 50\n');
    expect(performance.now() - startedAt).to.be.at.least(1_150);
  });
});
