import { appendFile, mkdtemp, open, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { boundLog, logLengthBytes, logTextSince } from '../src/server-log.js';

describe('the log of the embedded server', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'takt-log-'));
  });

  afterEach(async () => {
    await rm(directory, { recursive: true });
  });

  it('is truncated when it exceeds 10 MiB, and continues in the same open file', async () => {
    const path = join(directory, 'server.log');
    const server = await open(path, 'a');
    await server.write('x'.repeat(10 * 1024 * 1024));
    await boundLog(path);
    expect(await logLengthBytes(path), 'still within the bound').to.equal(10 * 1024 * 1024);
    await server.write('one more');
    await boundLog(path);
    expect(await logLengthBytes(path)).to.equal(0);
    await server.write('after');
    expect(await readFile(path, 'utf8')).to.equal('after');
    expect((await stat(`${path}.1`)).size).to.be.greaterThan(10 * 1024 * 1024);
    await server.close();
  });

  it('is read from a position on, but at most the last 8 KiB', async () => {
    const path = join(directory, 'server.log');
    await appendFile(path, 'before');
    const offset = await logLengthBytes(path);
    await appendFile(path, 'after');
    expect(await logTextSince(path, offset)).to.equal('after');
    await appendFile(path, 'y'.repeat(20_000));
    expect(await logTextSince(path, offset)).to.have.length(8192);
  });
});
