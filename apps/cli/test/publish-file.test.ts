import { appendFile, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { openPublisher, type Publisher } from '@takt/events';
import { completion, ndjson } from '@takt/test-support';
import { expect } from 'chai';
import { createEventSender } from '../src/event-sender.js';
import { openEventSource } from '../src/event-source.js';
import { checkFile, sendFile } from '../src/publish-file.js';
import { openTestInstallation, type TestInstallation } from './support/test-installation.js';
import { openTestTerminal } from './support/test-terminal.js';

describe('a file that changes between its check and its publication', () => {
  let installation: TestInstallation;
  let publisher: Publisher;
  let folder: string;
  const { terminal } = openTestTerminal();
  const one = (operation: number) => ndjson([completion(operation)]);

  before(async () => {
    installation = await openTestInstallation();
    publisher = await openPublisher(installation.queueUrl);
    folder = await mkdtemp(join(tmpdir(), 'takt-publish-file-test-'));
  });
  after(async () => {
    await publisher.close();
    await installation?.close();
    await rm(folder, { recursive: true });
  });
  beforeEach(() => Promise.all(installation.queues.map((queue) => queue.drain())));

  /**
   * Publishes a file that `change` modifies after the check. Returns the published operations, and the error message of
   * a failure.
   */
  const publish = async (name: string, content: string | Buffer, change: (path: string) => Promise<void>) => {
    const path = join(folder, name);
    await writeFile(path, content);
    const source = await openEventSource(path, terminal.input);
    const sender = createEventSender(publisher.publishPrepared, { batchSize: 1, eventsPerSecond: undefined });
    try {
      const { lines } = await checkFile(source, terminal);
      await change(path);
      const failure = await sendFile(source, lines, { sender, terminal, skipInvalid: false }).then(
        () => undefined,
        (error: Error) => error.message,
      );
      await sender.flush();
      const jobs = await installation.queues[0]?.getWaiting();
      return { failure, operations: jobs?.map(({ data }) => operationOf(data)).sort() };
    } finally {
      await source.close();
    }
  };
  const operationOf = (data: unknown) => /"workOrderOperationId":(\d+)/.exec(JSON.stringify(data))?.[1];

  it('is published without lines that were appended later, valid or not', async () => {
    const grow = (path: string) => appendFile(path, `${one(3)}no JSON\n`);
    expect(await publish('grown.ndjson', one(1) + one(2), grow)).to.deep.equal({
      failure: undefined,
      operations: ['1', '2'],
    });
  });

  it('is published without a later continuation of its last line', async () => {
    const go = (path: string) => appendFile(path, `${one(3)}`);
    expect(await publish('continued.ndjson', one(1) + one(2).trimEnd(), go)).to.deep.equal({
      failure: undefined,
      operations: ['1', '2'],
    });
  });

  it('is published without a later part of the compressed file', async () => {
    const grow = (path: string) => appendFile(path, gzipSync(one(3)));
    expect(await publish('grown.ndjson.gz', gzipSync(one(1)), grow)).to.deep.equal({
      failure: undefined,
      operations: ['1'],
    });
  });

  it('is reported as changed if it was truncated or overwritten or has other lines', async () => {
    const cut = (path: string) => truncate(path, one(1).length);
    const { failure, operations } = await publish('cut.ndjson', one(1) + one(2), cut);
    expect(failure).to.match(/cut\.ndjson:2: was changed since it was checked$/);
    expect(operations).to.deep.equal(['1']);
    const spoil = (path: string) => writeFile(path, `${one(4)}${'x'.repeat(one(2).length)}`);
    expect((await publish('spoilt.ndjson', one(1) + one(2), spoil)).failure).to.match(/:2: was changed/);
    const split = (path: string) => writeFile(path, '\n'.repeat(one(1).length));
    expect((await publish('split.ndjson', one(1), split)).failure).to.match(/:2: was changed/);
  });
});
