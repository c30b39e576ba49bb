import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '@takt/database';
import type { ApiAnswer, ApiRequest, Route } from '@takt/http';
import { opened, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { createBatchRoute } from '../../src/batch/answer-batch.js';
import { createService } from '../../src/service/create-service.js';
import { COMPANY, OTHER_COMPANY, openTestApi } from '../support/open-test-api.js';
import { companyOf, grantFor, requestOf, routeAt, wholeOf } from '../support/requests.js';
import { batchOf } from './ask-batch.js';

/** Maximum time that a request waits for a connection of the pool before it fails. */
const CONNECT_DEADLINE_MS = 5_000;
const FAST = '/product/products';
const SLOW = '/product/structure-versions';

/** A route that keeps its answers back until a test releases them. It counts the answers in progress. */
class HeldRoute implements Route {
  readonly path: string;
  running = 0;
  most = 0;
  readonly begun: string[] = [];
  readonly #waiting: (() => void)[] = [];
  readonly #body: string;

  constructor(path: string, body = '{"held":true}') {
    this.path = path;
    this.#body = body;
  }

  async answer({ queryText }: ApiRequest): Promise<ApiAnswer> {
    this.begun.push(queryText);
    this.running += 1;
    this.most = Math.max(this.most, this.running);
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.running -= 1;
    return { status: 200, headers: {}, body: Buffer.from(this.#body), isStreamed: false };
  }

  /** Releases at most `count` waiting answers. Answers that start meanwhile are included. */
  async end(count = Number.POSITIVE_INFINITY): Promise<void> {
    for (let ended = 0; ended < count && this.#waiting.length > 0; ended += 1) {
      this.#waiting.shift()?.();
      await new Promise(setImmediate);
    }
  }
}

const repeat = (count: number, path: string) =>
  Array.from({ length: count }, (_, index) => `${path}?n=${index}`);

describe('the concurrent requests of batches', () => {
  const api = opened(openTestApi);

  const batchRoute = (routes: readonly Route[]) => {
    const findToken = async (token: string) => {
      const [companyId = 0, tokenId = 0] = token.split('-').map(Number);
      return grantFor([companyOf(api, companyId)], { tokenId });
    };
    const { answerError } = createService({ ...api, findToken });
    const counted: string[] = [];
    const route = createBatchRoute({
      ...{ routes, answerError, findToken, baseUrl: api.baseUrl },
      countBatched: (path, status) => counted.push(`${path} ${status}`),
    });
    const ask = async (uris: readonly string[], { tokenId = 1, companyId = COMPANY } = {}) => {
      const queryText = batchOf(uris).replace('/batch?', '');
      const headers = { authorization: `Bearer ${companyId}-${tokenId}` };
      const answer = await route.answer(requestOf({ path: '/batch', queryText, headers }));
      const document = JSON.parse(wholeOf(answer).toString());
      const responses: readonly Record<string, unknown>[] =
        document.resources?.map(({ response }: { response: object }) => response) ?? [];
      return { status: answer.status, headers: answer.headers, document, responses };
    };
    return { ask, counted };
  };

  it('are limited to three per company, for any number of batches and addresses', async () => {
    const slow = new HeldRoute(SLOW);
    const { ask, counted } = batchRoute([slow]);
    const asked = Promise.all([ask(repeat(20, SLOW)), ask(repeat(20, SLOW)), ask(repeat(3, SLOW))]);
    await waitUntil('three are begun', async () => slow.running === 3);
    while (slow.begun.length < 43 || slow.running > 0) await slow.end(1);
    const answers = await asked;
    expect(slow.most).to.equal(3);
    expect(answers.flatMap(({ responses }) => responses)).to.have.lengthOf(43);
    expect(counted).to.deep.equal(Array.from({ length: 43 }, () => `${SLOW} 200`));
  });

  it('alternate between batches, so that a small batch does not wait for the end of a large batch', async () => {
    const [slow, fast] = [new HeldRoute(SLOW), new HeldRoute(FAST)];
    const { ask } = batchRoute([slow, fast]);
    const large = ask(repeat(20, SLOW));
    await waitUntil('the large one is begun', async () => slow.running === 3);
    const small = ask(repeat(2, FAST));
    // The large batch asked for a turn for its fourth address before the small batch asked.
    for (let ended = 0; fast.begun.length < 2 && ended < 10; ended += 1) await slow.end(1);
    expect(fast.begun).to.have.lengthOf(2);
    expect(slow.begun.length).to.be.lessThan(12);
    await fast.end();
    expect((await small).responses).to.have.lengthOf(2);
    while (slow.begun.length < 20 || slow.running > 0) await slow.end(1);
    await large;
  });

  for (const clients of [24, 64]) {
    it(`are permitted to ${clients} simultaneous batches in turn, so that each batch gets an answer`, async () => {
      const slow = new HeldRoute(SLOW);
      const { ask } = batchRoute([slow]);
      const batches = Array.from({ length: clients }, (_, index) => ask([`${SLOW}?batch=${index}`]));
      await waitUntil('three are begun', async () => slow.running === 3);
      while (slow.begun.length < clients || slow.running > 0) await slow.end(1);
      for (const { status, responses } of await Promise.all(batches)) {
        expect([status, responses]).to.deep.equal([200, [{ held: true }]]);
      }
      expect(new Set(slow.begun).size).to.equal(clients);
    });
  }

  it('wait only briefly for a turn, and then fail with an error that asks for a retry', async () => {
    const slow = new HeldRoute(SLOW);
    const { ask } = batchRoute([slow]);
    const four = Array.from({ length: 4 }, () => ask([SLOW]));
    await waitUntil('three are begun', async () => slow.running === 3);
    const fifth = await ask([SLOW]);
    expect([fifth.status, fifth.document.errorMessage.errorMessageId]).to.deep.equal([500, 100_002]);
    expect(fifth.headers).to.include({ 'Retry-After': '1' });
    while (slow.begun.length < 4 || slow.running > 0) await slow.end(1);
    for (const { status } of await Promise.all(four)) expect(status).to.equal(200);
    const again = ask([SLOW]);
    await waitUntil('it is begun', async () => slow.running === 1);
    await slow.end();
    expect((await again).status).to.equal(200);
  });

  it('do not delay the requests of other companies, even if all of them are slow', async () => {
    const [slow, fast] = [new HeldRoute(SLOW), new HeldRoute(FAST)];
    const { ask } = batchRoute([slow, fast]);
    const asked = Array.from({ length: 12 }, (_, reader) => ask(repeat(20, SLOW), { tokenId: reader + 1 }));
    await waitUntil('three are begun', async () => slow.running === 3);
    const other = ask([FAST], { tokenId: 99, companyId: OTHER_COMPANY });
    await waitUntil('that of the other company is begun', async () => fast.running === 1);
    await fast.end();
    expect((await other).responses).to.deep.equal([{ held: true }]);
    const isOver = Promise.all(asked);
    let isDone = false;
    void isOver.finally(() => {
      isDone = true;
    });
    while (!isDone) await slow.end(1).then(() => new Promise(setImmediate));
    await isOver;
  });

  it('keep their turns beyond the deadline, but the batch answers in time with errors', async () => {
    const [slow, fast] = [new HeldRoute(SLOW), new HeldRoute(FAST)];
    const { ask } = batchRoute([slow, fast]);
    const beganAt = performance.now();
    // This timer starts before the deadline of the batch, so it ends first even if this process is delayed.
    const late = delay(2_700).then(() => 'late');
    const asked = ask([`${FAST}?a`, ...repeat(6, SLOW), `${FAST}?b`]);
    await waitUntil('the fast one is begun', async () => fast.running === 1);
    await fast.end();
    expect(await Promise.race([asked, late])).to.not.equal('late');
    const { status, responses } = await asked;
    expect(performance.now() - beganAt).to.be.above(2_200);
    expect(status).to.equal(200);
    const idOf = (response: Record<string, unknown>) => Object(response['errorMessage']).errorMessageId;
    expect(responses.map(idOf)).to.deep.equal([
      ...[undefined, 100_003, 100_003, 100_003, 100_008, 100_008, 100_008, 100_008],
    ]);
    expect(responses.map((response) => Object.keys(response)[0])).to.deep.equal([
      ...['held', ...Array.from({ length: 7 }, () => 'hTTPStatusCode')],
    ]);
    expect(slow.running).to.equal(3);
    const next = ask([FAST]);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(fast.running).to.equal(0);
    await slow.end(1);
    await waitUntil('its turn has come', async () => fast.running === 1);
    await fast.end();
    expect((await next).responses).to.deep.equal([{ held: true }]);
    expect(slow.begun).to.have.lengthOf(3);
    await slow.end();
  });

  it('have at most ten megabytes of answers per batch; a larger batch fails as a whole', async () => {
    const text = 'x'.repeat(999_980);
    const slow = new HeldRoute(SLOW, JSON.stringify({ text }));
    const { ask } = batchRoute([slow]);
    const finish = async (asked: ReturnType<typeof ask>) => {
      let isOver = false;
      void asked.finally(() => {
        isOver = true;
      });
      while (!isOver) await slow.end(1).then(() => new Promise(setImmediate));
      return asked;
    };
    expect((await finish(ask(repeat(10, SLOW)))).responses).to.have.lengthOf(10);
    const { status, document } = await finish(ask(repeat(20, SLOW)));
    expect([status, document.errorMessage.errorMessageId]).to.deep.equal([400, 100_250]);
    expect(slow.begun.length).to.be.lessThan(10 + 16);
    await slow.end();
  });

  it('leave connections for single requests while the database is slow', async () => {
    const database = openDatabase({ url: api.url, applicationName: 'takt api test', maxConnections: 8 });
    const findToken = async () => grantFor([companyOf(api)]);
    const { routes } = createService({ ...api, pool: database.pool, findToken });
    const { ask } = batchRoute(routes);
    const lock = await api.owner.connect();
    try {
      await lock.query('BEGIN; LOCK TABLE takt.products IN ACCESS EXCLUSIVE MODE');
      const batches = [ask(repeat(20, FAST)), ask(repeat(20, FAST))];
      await waitUntil('three wait for the lock', async () => {
        const { rows } = await api.owner.query("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
        return rows.length === 3;
      });
      const messages = routeAt(routes, '/system/error-messages');
      for (let index = 0; index < 20; index += 1) {
        const headers = { authorization: 'Bearer known' };
        const request = requestOf({ path: messages.path, headers });
        const beganAt = performance.now();
        expect((await messages.answer(request)).status).to.equal(200);
        expect(performance.now() - beganAt).to.be.lessThan(CONNECT_DEADLINE_MS);
      }
      const { rows } = await api.owner.query("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
      expect(rows).to.have.lengthOf(3);
      for (const { status, responses } of await Promise.all(batches)) {
        expect(status).to.equal(200);
        for (const response of responses) expect(response).to.include({ hTTPStatusCode: '500' });
      }
    } finally {
      await lock.query('ROLLBACK');
      lock.release();
      await database.close();
    }
  });
});
