import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openServerLog } from '../src/server-log.js';

describe('the log of the embedded server', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'takt-log-'));
  });

  afterEach(async () => {
    await rm(directory, { recursive: true });
  });

  it('begins anew when it has grown past 10 MiB, and goes on under the same descriptor', async () => {
    const path = join(directory, 'server.log');
    const log = await openServerLog(path);
    await appendFile(path, 'x'.repeat(10 * 1024 * 1024));
    await log.bound();
    expect(await log.lengthBytes(), 'still within the bound').to.equal(10 * 1024 * 1024);
    await log.note('one more');
    await log.bound();
    expect(await log.lengthBytes()).to.equal(0);
    await log.note('after');
    expect(await readFile(path, 'utf8')).to.match(/^[^\0]* guardian: after\n$/);
    expect((await stat(`${path}.1`)).size).to.be.greaterThan(10 * 1024 * 1024);
    await log.close();
  });

  it('gives what was written since, at most the last 8 KiB', async () => {
    const log = await openServerLog(join(directory, 'server.log'));
    await log.note('before');
    const offset = await log.lengthBytes();
    await log.note('after');
    expect(await log.textSince(offset)).to.match(/^\S+ guardian: after\n$/);
    await log.note('y'.repeat(20_000));
    expect(await log.textSince(offset)).to.have.length(8192);
    await log.close();
  });
});
