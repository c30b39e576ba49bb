import type { RequestListener } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { openClient, orThrow, type RetryPolicy } from '@takt/client';
import { expect } from 'chai';
import { answering, empty, failing, type Loopback, startLoopback } from '../support/loopback.js';
import { startTestService } from '../support/test-service.js';

const PATH = '/product/products';

const ask = ({ baseUrl }: Loopback, retry: Partial<RetryPolicy> = {}, signal?: AbortSignal) =>
  openClient({ baseUrl, token: 'token', retry }).list(PATH, signal === undefined ? {} : { signal });

const waitsOf = ({ askedAt }: Loopback): readonly number[] =>
  askedAt.slice(1).map((at, index) => at - (askedAt[index] ?? 0));

describe('a failed request', function () {
  this.timeout(180_000);
  let servers: Loopback[];
  const start = async (...answers: RequestListener[]) => {
    const server = await startLoopback(...answers);
    servers.push(server);
    return server;
  };

  beforeEach(() => {
    servers = [];
  });
  afterEach(async () => {
    for (const server of servers) await server.close();
  });

  it('is retried after the time in Retry-After, given in seconds or as a date', async () => {
    const inTwoSeconds = new Date(Date.now() + 3_000).toUTCString();
    const server = await start(
      failing(500, '1'),
      failing(500, '0'),
      answering(503, { 'retry-after': inTwoSeconds }, ''),
      empty,
    );
    expect(await ask(server)).to.deep.include({ ok: true, items: [] });
    const [first = 0, second = 0] = waitsOf(server);
    expect(first).to.be.within(990, 10_000);
    expect(second).to.be.below(5_000);
    expect(Date.now()).to.be.at.least(Date.parse(inTwoSeconds) - 20);
  });

  it('is retried after random, growing delays if the answer has no Retry-After', async () => {
    const broken = await start((_, response) => response.destroy());
    expect(await ask(broken)).to.have.nested.property('error.kind', 'network');
    const waits = waitsOf(broken);
    expect(waits).to.have.lengthOf(3);
    [250, 500, 1_000].forEach((longest, index) => {
      expect(waits[index]).to.be.within(longest / 2 - 5, longest + 900);
    });
    const proxy = await start(answering(502, {}, '<html>'), answering(504, {}, ''), empty);
    expect(await ask(proxy)).to.have.property('ok', true);
  });

  it('is retried if no answer arrived in time', async () => {
    const server = await start(() => undefined, empty);
    expect(await ask(server, { timeoutMs: 400 })).to.have.property('ok', true);
  });

  it('is not retried after an error that a retry cannot avoid', async () => {
    for (const answer of [failing(400, '0'), failing(403, '0'), failing(404, '0'), failing(500)]) {
      const server = await start(answer);
      const result = await ask(server);
      expect(result).to.have.nested.property('error.kind', 'api');
      expect(server.askedAt).to.have.lengthOf(1);
    }
  });

  it('is not retried more often than the options allow', async () => {
    for (const attempts of [1, 3]) {
      const server = await start(failing(500, '0'));
      const result = await ask(server, { attempts });
      expect(result).to.have.nested.property('error.retryAfterMs', 0);
      expect(server.askedAt).to.have.lengthOf(attempts);
    }
  });

  it('is retried by the default limits if the given limits are undefined', async () => {
    const server = await start(failing(500, '0'));
    const unset = { attempts: undefined, timeoutMs: undefined, deadlineMs: undefined } as object;
    expect(await ask(server, unset)).to.have.nested.property('error.retryAfterMs', 0);
    expect(server.askedAt).to.have.lengthOf(4);
  });

  it('cannot be sent if a limit is not a number above 0', async () => {
    const server = await start(empty);
    for (const wrong of [{ attempts: 0 }, { attempts: 1.5 }, { timeoutMs: -1 }, { deadlineMs: Number.NaN }]) {
      expect(() => ask(server, wrong), JSON.stringify(wrong)).to.throw(
        RangeError,
        /^retry\.\w+ must be a number above 0/,
      );
    }
    expect(server.askedAt).to.deep.equal([]);
  });

  it('is not retried if the next attempt would start after the deadline', async () => {
    const server = await start(failing(500, '30'));
    const startedAt = performance.now();
    const result = await ask(server, { deadlineMs: 20_000 });
    expect(result).to.deep.include({ ok: false }).and.have.nested.property('error.retryAfterMs', 30_000);
    expect(performance.now() - startedAt).to.be.below(5_000);
  });

  it('ends at the deadline, even while an attempt is running', async () => {
    const server = await start(failing(500, '0'), () => undefined);
    const startedAt = performance.now();
    const result = await ask(server, { deadlineMs: 400, timeoutMs: 60_000 });
    expect(result).to.have.nested.property('error.kind', 'timeout');
    expect(performance.now() - startedAt).to.be.within(390, 5_000);
  });

  it('ends at once if the caller cancels during the wait', async () => {
    const server = await start(failing(500, '20'));
    const controller = new AbortController();
    const startedAt = performance.now();
    const result = ask(server, {}, controller.signal);
    while (server.askedAt.length === 0) await delay(5);
    setTimeout(() => controller.abort(), 50);
    expect(await result).to.have.nested.property('error.kind', 'aborted');
    expect(performance.now() - startedAt).to.be.below(5_000);
    expect(server.askedAt).to.have.lengthOf(1);
  });

  it('succeeds after a wait if the API first refuses it above the limit of requests', async () => {
    const service = await startTestService({ environment: { TAKT_REQUESTS_PER_MINUTE: '20' } });
    const refusals: number[] = [];
    const takt = service.open({
      fetch: async (input, init) => {
        const answer = await fetch(input, init);
        if (answer.status === 500) refusals.push(Number(answer.headers.get('retry-after')));
        return answer;
      },
    });
    // On a busy machine this needs more than twenty requests, because the API allows new requests in the course of
    // time.
    while (refusals.length === 0) orThrow(await takt.list(PATH));
    expect(refusals).to.include(3);
    await service.close();
  });

  it('is repeated until the API has restarted, so that the reading of pages continues', async () => {
    const service = await startTestService();
    const rows: number[] = [];
    let restarted: Promise<void> | undefined;
    const patient = service.open({ retry: { attempts: 1_000, deadlineMs: 150_000 } });
    for await (const { errorMessageId } of patient.each('/system/error-messages', { top: 5 })) {
      rows.push(errorMessageId);
      if (rows.length === 12) restarted = service.restart();
    }
    await restarted;
    const expected: number[] = [];
    for await (const row of service.takt.each('/system/error-messages')) expected.push(row.errorMessageId);
    expect(rows).to.deep.equal(expected);
    await service.close();
  });
});
