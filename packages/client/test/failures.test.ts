import { type Failure, orThrow, type Result, TaktError } from '@takt/client';
import { findFreePort } from '@takt/test-support';
import { expect } from 'chai';
import { answering, startLoopback } from './support/loopback.js';
import { startTestService, type TestService } from './support/test-service.js';

const LIST = '/system/error-messages';
const once = { attempts: 1 };

function failureOf(result: Result<object>): Failure {
  if (result.ok) throw new Error('the call did not fail');
  return result.error;
}

describe('an error that the client throws', function () {
  this.timeout(180_000);
  let service: TestService;

  before(async () => {
    service = await startTestService();
  });
  after(async () => await service?.close());

  it('is the error that the service returns, in the requested language', async () => {
    const takt = service.open({ language: 'nob' });
    const failure = failureOf(await takt.list(LIST, { filter: 'Message eq 1 adn Status eq 2' }));
    if (failure.kind !== 'api') throw new Error(failure.message);
    expect(failure).to.include({ status: 400, errorMessageId: 100_209, retryAfterMs: undefined });
    expect(failure.translatedMessage).to.not.equal(failure.message);
    expect(failure.parameters.map(({ value }) => value)).to.include('$filter');
    expect(failure.innerErrors).to.deep.equal([]);
    expect(failure.requestId).to.match(/\S{8,}/);
  });

  it('is thrown without a retry for the status 403 or 404', async () => {
    const asked: string[] = [];
    const counting: typeof fetch = (input, init) => {
      asked.push(String(input));
      return fetch(input, init);
    };
    const stranger = service.open({ token: 'takt_stranger', fetch: counting });
    expect(failureOf(await stranger.list(LIST))).to.include({
      kind: 'api',
      status: 403,
      errorMessageId: 100_100,
    });
    const absent = await service
      .open({ fetch: counting })
      .get('/system/error-messages/{errorMessageId}', { errorMessageId: 999_999 });
    expect(failureOf(absent)).to.include({ kind: 'api', status: 404 });
    expect(asked).to.have.lengthOf(2);
  });

  it('is of kind network if no server listens or the answer breaks off', async () => {
    const nobody = service.open({ baseUrl: `http://127.0.0.1:${await findFreePort()}`, retry: once });
    const failure = failureOf(await nobody.list(LIST));
    expect(failure).to.include({ kind: 'network' });
    expect(failure.message).to.contain('ECONNREFUSED');
    const half = await startLoopback((_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{"errorMessages":[');
      setTimeout(() => response.destroy(), 50);
    });
    const broken = failureOf(await service.open({ baseUrl: half.baseUrl, retry: once }).list(LIST));
    expect(broken.kind).to.equal('network');
    await half.close();
  });

  it('is of kind timeout if the answer does not end in time', async () => {
    const slow = await startLoopback((_, response) => response.writeHead(200).write('{'));
    const takt = service.open({ baseUrl: slow.baseUrl, retry: { ...once, timeoutMs: 200 } });
    expect(failureOf(await takt.list(LIST))).to.include({ kind: 'timeout', afterMs: 200 });
    await slow.close();
  });

  it('contains an excerpt of an answer that does not come from the service', async () => {
    const texts = ['<html>Sign in</html>', '[]', '{}', '"text"', '{"errorMessages":[]}', '{"paging":{}}', ''];
    for (const text of texts) {
      const other = await startLoopback(answering(200, { 'content-type': 'text/html' }, text));
      const takt = service.open({ baseUrl: other.baseUrl });
      const failure = failureOf(await takt.list(LIST));
      expect(failure).to.include({ kind: 'not-json', status: 200, contentType: 'text/html', excerpt: text });
      expect(other.askedAt).to.have.lengthOf(1);
      await other.close();
    }
  });

  it('is thrown at once if the caller cancels a call or the whole client', async () => {
    const silent = await startLoopback(() => undefined);
    const reason = new Error('enough');
    for (const way of ['call', 'client', 'before'] as const) {
      const controller = new AbortController();
      const options = { baseUrl: silent.baseUrl, ...(way === 'client' ? { signal: controller.signal } : {}) };
      const startedAt = performance.now();
      if (way === 'before') controller.abort(reason);
      const asked = service.open(options).list(LIST, way === 'client' ? {} : { signal: controller.signal });
      setTimeout(() => controller.abort(reason), 50);
      const failure = failureOf(await asked);
      expect(failure).to.deep.include({ kind: 'aborted', reason });
      expect(performance.now() - startedAt).to.be.below(5_000);
    }
    await silent.close();
  });

  it('is of kind token if there is no token, and never contains a token', async () => {
    const tokens = [
      async () => await Promise.reject<string>(new Error('the vault is shut')),
      () => {
        throw new Error('the vault is shut');
      },
      'se cret\n',
      '',
    ];
    for (const token of tokens) {
      const failure = failureOf(await service.open({ token }).list(LIST));
      expect(failure.kind).to.equal('token');
      expect(failure.message).to.not.contain('cret');
    }
    const never = service.open({
      token: () => new Promise(() => undefined),
      retry: { ...once, timeoutMs: 100 },
    });
    expect(failureOf(await never.list(LIST))).to.include({ kind: 'timeout' });
  });

  it('is thrown after a complete page if the next page cannot be read', async () => {
    const rows: unknown[] = [];
    const takt = service.open({
      retry: once,
      fetch: (input, init) =>
        rows.length < 7 ? fetch(input, init) : Promise.reject(new TypeError('the cable is out')),
    });
    const walk = async () => {
      for await (const row of takt.each(LIST, { top: 7 })) rows.push(row);
    };
    const thrown = await walk().catch((error: unknown) => error);
    expect(rows).to.have.lengthOf(7);
    expect(thrown).to.be.instanceOf(TaktError).with.nested.property('failure.kind', 'network');
    expect(() => orThrow({ ok: false, error: (thrown as TaktError).failure })).to.throw(
      TaktError,
      'the cable is out',
    );
  });
});
