import { filter, listOf, objectOf, orThrow } from '@takt/client';
import { expect } from 'chai';
import { answering, startLoopback } from './support/loopback.js';
import { startTestService, type TestService } from './support/test-service.js';

const LIST = '/system/error-messages';
const DETAIL = '/system/error-messages/{errorMessageId}';

describe('a batch of requests in one call of the client', function () {
  this.timeout(180_000);
  let service: TestService;
  const asked: string[] = [];

  before(async () => {
    service = await startTestService();
  });
  beforeEach(() => asked.splice(0));
  after(async () => await service?.close());

  const open = () =>
    service.open({
      language: 'nob',
      fetch: (input, init) => {
        asked.push(String(input));
        return fetch(input, init);
      },
    });

  it('returns the same results as single requests, even if one of the requests fails', async () => {
    const takt = open();
    const chosen = {
      filter: filter`contains(Message, ${"'"}) eq false and HttpStatusCode eq ${400}`,
      top: 3,
    };
    const { answers } = orThrow(
      await takt.batch([
        listOf(LIST, chosen),
        objectOf(DETAIL, { errorMessageId: 100_100, language: 'deu', descriptions: true }),
        objectOf(DETAIL, { errorMessageId: 999_999 }),
        listOf('/system/domain-values/applicable-values', { object: 'Product', field: 'Status' }),
      ]),
    );
    expect(asked).to.have.lengthOf(1);
    const [page, message, missing, values] = answers;
    const alone = orThrow(await takt.list(LIST, chosen));
    const { items, paging } = orThrow(page);
    expect({ items, paging }).to.deep.equal({ items: alone.items, paging: alone.paging });
    expect(orThrow(message).value).to.include({ errorMessageId: 100_100, statusDescription: 'aktiv' });
    expect(missing).to.deep.include({ ok: false });
    if (!missing.ok) {
      expect(missing.error).to.include({ kind: 'api', status: 404 });
      expect(missing.error).to.have.property('translatedMessage').that.does.not.equal(missing.error.message);
    }
    expect(orThrow(values).items[0]).to.include({ key: '2', description: 'ny' });
  });

  it('returns pages from which the client can read the next page', async () => {
    const takt = open();
    const { answers } = orThrow(await takt.batch([listOf(LIST, { top: 2 }), listOf(LIST, { top: 4 })]));
    const second = orThrow(await (orThrow(answers[0]).next?.() ?? Promise.reject()));
    expect(second.items).to.deep.equal(orThrow(answers[1]).items.slice(2));
    expect(second.paging.position).to.equal(3);
  });

  it('is rejected if it has no requests or too many', async () => {
    const takt = open();
    for (const count of [0, 21]) {
      const refused = await takt.batch(Array.from({ length: count }, () => listOf(LIST)));
      expect(refused).to.have.nested.property('error.status', 400);
    }
    const most = orThrow(await takt.batch(Array.from({ length: 20 }, () => listOf(LIST, { top: 1 }))));
    expect(most.answers.every(({ ok }) => ok)).to.equal(true);
  });

  it('fails with a clear error if the answer lacks a result', async () => {
    const part = { uri: 'x', batchId: 'resource1', response: { product: { productId: 1 } } };
    const other = await startLoopback(answering(200, {}, JSON.stringify({ resources: [part] })));
    const takt = service.open({ baseUrl: other.baseUrl });
    const product = objectOf('/product/products/{productId}', { productId: 1 });
    const { answers } = orThrow(await takt.batch([product, product]));
    expect(answers[0]).to.have.nested.property('error.kind', 'not-json');
    expect(answers[1]).to.deep.include({ ok: true, value: { productId: 1 } });
    await other.close();
  });
});
