import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { prepareEvent } from '@takt/events';
import { listen } from '@takt/run';
import { findProgram, needsProgram } from '@takt/test-support';
import { expect } from 'chai';
import { figuresUrlOf, publishingLine } from '../src/demo-event.js';

const run = promisify(execFile);

const PRODUCT = { companyCode: 'TEM-NO', structureVersionId: 4711, productName: 'Frame' };
/** The name of the folder needs quotes in a shell. */
const TOKEN = 'takt_of the file';

describe('the shell command that publishes an event', () => {
  let folder: string;
  const asked: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
  let url: string;
  const server = createServer(async (request, response) => {
    asked.push({ headers: request.headers, body: await text(request) });
    response.end();
  });

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "takt line's "));
    await writeFile(join(folder, 'token'), `${TOKEN}\n`);
    url = `http://127.0.0.1:${await listen(server, 0, '127.0.0.1')}`;
  });
  after(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });

  for (const shell of ['sh', 'bash', 'zsh'].filter((name) => findProgram(name) !== undefined)) {
    it(`publishes a valid completion in ${shell}, with another operation each second`, async function () {
      needsProgram(this, 'curl');
      const line = publishingLine(url, PRODUCT, join(folder, 'token'));
      expect(line).not.to.include('\n').and.not.to.include(TOKEN);
      const earliest = Math.floor(Date.now() / 1_000);
      await run(shell, ['-c', line]);
      const { headers, body } = asked.at(-1) ?? { headers: {}, body: '' };
      expect(headers).to.include({
        authorization: `Bearer ${TOKEN}`,
        'content-type': 'application/cloudevents+json',
      });
      const event = JSON.parse(body);
      expect(prepareEvent(event)).to.include({ ok: true });
      expect(event.data.workOrderOperationId).to.be.within(earliest, Date.now() / 1_000);
      expect(event.data).to.include({ database: 'TEM-NO', productStructureVersionId: 4711 });
    });
  }

  it('is followed by a link to the figures of the company of the event', () => {
    expect(figuresUrlOf('http://127.0.0.1:3000', PRODUCT)).to.equal(
      'http://127.0.0.1:3000/product/structure-versions/4711/aggregated-production-times?$format=html&$db=TEM-NO',
    );
  });
});
