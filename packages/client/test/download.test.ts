import { filter, openClient, orThrow, TaktError } from '@takt/client';
import { waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { answering, failing, startLoopback } from './support/loopback.js';
import { startTestService, type TestService } from './support/test-service.js';

const LIST = '/system/error-messages';

describe('a list that is downloaded as a file', function () {
  this.timeout(180_000);
  let service: TestService;

  before(async () => {
    service = await startTestService();
  });
  after(async () => await service?.close());

  it('has the same rows, fields and order as the list', async () => {
    const chosen = { filter: filter`HttpStatusCode eq ${400}`, orderBy: 'ErrorMessageId desc' } as const;
    const options = { ...chosen, select: ['errorMessageId'], format: 'csv' } as const;
    const { body, contentType, fileName } = orThrow(await service.takt.download(LIST, options));
    const [head, ...rows] = (await new Response(body).text()).trim().split('\r\n');
    const identifiers: string[] = [];
    for await (const row of service.takt.each(LIST, chosen)) identifiers.push(String(row.errorMessageId));
    expect(head).to.equal('ErrorMessageId');
    expect(rows).to.deep.equal(identifiers).and.have.length.above(20);
    expect(contentType).to.match(/^text\/csv/);
    expect(fileName).to.match(/\.csv$/);
  });

  it('can have the format xlsx', async () => {
    const { body, fileName } = orThrow(await service.takt.download(LIST, { format: 'xlsx' }));
    const bytes = new Uint8Array(await new Response(body).arrayBuffer());
    expect([...bytes.slice(0, 4)]).to.deep.equal([0x50, 0x4b, 3, 4]);
    expect(fileName).to.match(/\.xlsx$/);
  });

  it('fails like any other call if the download cannot start', async () => {
    const refused = await service.takt.download(LIST, { format: 'csv', filter: 'Message' });
    expect(refused).to.have.nested.property('error.status', 400);
    const server = await startLoopback(
      failing(500, '0'),
      answering(200, { 'content-type': 'text/csv' }, 'a\r\n'),
    );
    const takt = openClient({ baseUrl: server.baseUrl, token: 'token' });
    const { body, fileName } = orThrow(await takt.download(LIST, { format: 'csv' }));
    expect(await new Response(body).text()).to.equal('a\r\n');
    expect(fileName).to.equal(undefined);
    await server.close();
  });

  it('fails half-way if the connection breaks, if data arrive too late, or if the caller cancels', async () => {
    for (const kind of ['network', 'timeout', 'aborted'] as const) {
      let breakOff = (): unknown => undefined;
      const server = await startLoopback((_, response) => {
        response.writeHead(200, { 'content-type': 'text/csv' }).write('first\r\n');
        breakOff = () => response.destroy();
      });
      const controller = new AbortController();
      const takt = openClient({
        baseUrl: server.baseUrl,
        token: 'token',
        retry: { timeoutMs: kind === 'timeout' ? 800 : 60_000 },
        signal: controller.signal,
      });
      const { body } = orThrow(await takt.download(LIST, { format: 'csv' }));
      const reader = body.getReader();
      expect(new TextDecoder().decode((await reader.read()).value)).to.equal('first\r\n');
      if (kind === 'network') breakOff();
      if (kind === 'aborted') setTimeout(() => controller.abort(), 50);
      const thrown = await reader.read().catch((error: unknown) => error);
      expect(thrown).to.be.instanceOf(TaktError).with.nested.property('failure.kind', kind);
      await server.close();
    }
  });

  it('is read from the service no faster than by the caller', async () => {
    let written = 0;
    const server = await startLoopback((_, response) => {
      response.writeHead(200, { 'content-type': 'text/csv' });
      const write = () => {
        while (response.write(Buffer.alloc(65_536))) written += 65_536;
        response.once('drain', write);
      };
      write();
    });
    const takt = openClient({ baseUrl: server.baseUrl, token: 'token' });
    const { body } = orThrow(await takt.download(LIST, { format: 'csv' }));
    const reader = body.getReader();
    await reader.read();
    let [held, looks] = [written, 0];
    await waitUntil('nothing more is written', () => {
      [held, looks] = [written, written === held ? looks + 1 : 0];
      return looks > 20;
    });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(written).to.equal(held);
    await reader.cancel();
    await server.close();
  });
});
