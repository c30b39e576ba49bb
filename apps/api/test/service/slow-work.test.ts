import { createAccessToken } from '@takt/access';
import { createLogger } from '@takt/runtime';
import { createTestDatabase, type TestDatabase, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { startApi } from '../../src/start-api.js';
import { batchOf } from '../batch/ask-batch.js';
import { type HttpClient, openHttpClient } from '../harness/http-client.js';
import { insertStructureVersions } from '../harness/insert-rows.js';
import { type Asked, keepAsking } from '../harness/keep-asking.js';
import { COMPANY, OTHER_COMPANY } from '../harness/open-test-api.js';

const TIMES = '/product/structure-versions/aggregated-production-times';
const LOOKED_AT = 20_000;
/** So many that the database gives the statement up after 1.9 s. */
const SLOW_FILTER = Array.from(
  { length: 250 },
  (_, index) => `contains(tolower(concat(ProductName,Name)),'zq${index}')`,
).join(' or ');
const SLOW = `${TIMES}?$filter=${encodeURIComponent(SLOW_FILTER)}`;
const USUAL = [
  TIMES,
  `${TIMES}?$orderby=ProductName%20desc&$expand=PagingDetails`,
  '/product/structure-versions/1000001/aggregated-production-times',
  `${TIMES}?$filter=RunTime%20gt%200&$inlinecount=allpages`,
  '/product/products?search=gear',
];
const MOST_REFUSED = 0.02;

/** The API as it is started, with all of its limits. */
describe('With readers whose work takes long', function () {
  this.timeout(180_000);
  let test: TestDatabase;
  let api: Awaited<ReturnType<typeof startApi>>;
  let client: HttpClient;
  let asked: Asked[] = [];
  const token = async (code: string) =>
    (await createAccessToken(test.database, { companyCodes: [code], expiresInMs: 3_600_000 })).token;

  before(async () => {
    test = await createTestDatabase();
    const owner = test.database.pool;
    await owner.query(`INSERT INTO takt.companies (code, name) VALUES ('TEM-NO', 'Tem'), ('OTHER', 'Other')`);
    const versionsOf = (companyId: number, count: number) =>
      Array.from({ length: count }, (_, index) => ({
        ...{
          id: companyId * 1_000_000 - 1_000_000 + index + 1,
          companyId,
          name: `Version ${'x'.repeat(500)}`,
        },
        ...{ productId: 1, productName: 'Gear' },
      }));
    await insertStructureVersions(owner, versionsOf(COMPANY, LOOKED_AT), { areSearched: false });
    await insertStructureVersions(owner, versionsOf(OTHER_COMPANY, 200));
    await owner.query('ANALYZE');
    api = await startApi({
      ...{ databaseUrl: test.appUrl('api'), host: '127.0.0.1', port: 0, baseUrl: 'https://takt.example' },
      logger: createLogger({ app: 'api test', level: 'silent', isTerminal: false }),
    });
    client = openHttpClient(api.port);
  });
  after(async () => {
    client?.close();
    await api?.close();
    await test?.close();
  });
  afterEach(async () => {
    await Promise.all(asked.map((one) => one.stop()));
    asked = [];
  });

  const ask = (bearer: string, targets: readonly string[], connections: number): Asked => {
    const one = keepAsking({ port: api.port, token: bearer, targets, connections });
    asked.push(one);
    return one;
  };
  const refusedOf = ({ statuses }: Asked) =>
    statuses.filter((status) => status !== 200).length / statuses.length;

  for (const connections of [16, 40]) {
    it(`other companies are answered while ${connections} connections of one reader filter, and the API is ready`, async () => {
      const attack = ask(await token('TEM-NO'), [SLOW], connections);
      await waitUntil('the first filters are given up', () => attack.statuses.length >= 3);
      const others = ask(await token('OTHER'), USUAL, 4);
      const states: number[] = [];
      for (let probes = 0; probes < 20 || others.statuses.length < 300; probes += 1) {
        states.push((await client.get('/health/ready')).status);
      }
      const { statuses } = others;
      expect(refusedOf(others), `of ${statuses.length}`).to.be.at.most(MOST_REFUSED);
      expect(new Set(states)).to.deep.equal(new Set([200]));
      expect(attack.statuses).not.to.include(200);
    });
  }

  it('another reader of the company is answered too', async () => {
    const attack = ask(await token('TEM-NO'), [SLOW], 40);
    await waitUntil('the first filters are given up', () => attack.statuses.length >= 3);
    const colleague = ask(await token('TEM-NO'), [TIMES, `${TIMES}?$top=1&$filter=RunTime%20gt%200`], 2);
    await waitUntil('a hundred answers', () => colleague.statuses.length >= 100);
    expect(refusedOf(colleague)).to.be.at.most(MOST_REFUSED);
  });

  for (const clients of [24, 64]) {
    it(`${clients} clients of one token that send batches are all answered`, async () => {
      const batches = ask(await token('OTHER'), [batchOf(USUAL)], clients);
      await waitUntil('six answers each', () => batches.statuses.length >= 6 * clients);
      expect(refusedOf(batches), `of ${batches.statuses.length}`).to.equal(0);
      expect(batches.overloaded()).to.equal(0);
    });
  }

  it('64 clients of one token that filter and count what is soon counted are all answered', async () => {
    const filters = ask(
      await token('OTHER'),
      [`${TIMES}?$filter=RunTime%20gt%200&$inlinecount=allpages`],
      64,
    );
    await waitUntil('six answers each', () => filters.statuses.length >= 6 * 64);
    expect(refusedOf(filters)).to.equal(0);
  });
});
