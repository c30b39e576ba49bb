import { createAccessToken } from '@takt/access';
import { createTestDatabase, type TestDatabase } from '@takt/database/testing';
import { createLogger } from '@takt/run';
import { waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { startApi } from '../../src/start-api.js';
import { type HttpClient, openHttpClient } from '../support/http-client.js';
import { insertStructureVersions } from '../support/insert-rows.js';
import { type Asked, keepAsking } from '../support/keep-asking.js';
import { COMPANY, OTHER_COMPANY } from '../support/open-test-api.js';

const TIMES = '/product/structure-versions/aggregated-production-times';
/** A search that times out after 1.5 s, because it waits for the lock on the searched table. */
const SLOW = `${TIMES}?search=gear`;
const USUAL = [
  TIMES,
  `${TIMES}?$orderby=ProductName%20desc&$expand=PagingDetails`,
  `${TIMES}?$filter=RunTime%20gt%200&$inlinecount=allpages`,
  '/product/products',
];
const MOST_REFUSED = 0.02;

/** The API of these tests has the same limits as in production. */
describe('During slow requests of a single reader,', () => {
  let test: TestDatabase;
  let api: Awaited<ReturnType<typeof startApi>>;
  let client: HttpClient;
  let asked: Asked[] = [];
  let unlock: () => Promise<void>;
  const token = async (code: string) =>
    (await createAccessToken(test.database, { companyCodes: [code], expiresInMs: 3_600_000 })).token;

  before(async () => {
    test = await createTestDatabase();
    const owner = test.database.pool;
    await owner.query(`INSERT INTO takt.companies (code, name) VALUES ('TEM-NO', 'Tem'), ('OTHER', 'Other')`);
    const versions = Array.from({ length: 200 }, (_, index) => ({ id: index + 1, actual: { run: ['1'] } }));
    for (const companyId of [COMPANY, OTHER_COMPANY]) {
      await insertStructureVersions(
        owner,
        versions.map((version) => ({ ...version, companyId })),
      );
    }
    api = await startApi({
      ...{ databaseUrl: test.appUrl('api'), host: '127.0.0.1', port: 0, baseUrl: 'https://takt.example' },
      logger: createLogger({ app: 'api test', level: 'silent', isTerminal: false }),
    });
    client = openHttpClient(api.port);
    const locker = await owner.connect();
    unlock = async () => {
      await locker.query('ROLLBACK');
      locker.release();
    };
    await locker.query('BEGIN; LOCK TABLE takt.structure_version_texts IN ACCESS EXCLUSIVE MODE');
  });
  after(async () => {
    await unlock?.();
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
    it(`other companies get answers and the API is ready, even after searches on ${connections} connections`, async () => {
      const attack = ask(await token('TEM-NO'), [SLOW], connections);
      await waitUntil('the first filters are given up', () => attack.statuses.length >= 3);
      const others = ask(await token('OTHER'), USUAL, 2);
      const states: number[] = [];
      for (let probes = 0; probes < 20 || others.statuses.length < 200; probes += 1) {
        states.push((await client.get('/health/ready')).status);
      }
      const { statuses } = others;
      expect(refusedOf(others), `of ${statuses.length}`).to.be.at.most(MOST_REFUSED);
      expect(new Set(states)).to.deep.equal(new Set([200]));
      expect(new Set(attack.statuses)).to.deep.equal(new Set([500]));
    });
  }

  it('another reader of the same company gets answers', async () => {
    const attack = ask(await token('TEM-NO'), [SLOW], 40);
    await waitUntil('the first filters are given up', () => attack.statuses.length >= 3);
    const colleague = ask(await token('TEM-NO'), [TIMES, `${TIMES}?$top=1&$filter=RunTime%20gt%200`], 2);
    await waitUntil('a hundred answers', () => colleague.statuses.length >= 100);
    expect(refusedOf(colleague)).to.be.at.most(MOST_REFUSED);
  });

  it('other companies get answers and the API is ready, even if one company uses all its connections', async () => {
    const locker = await test.database.pool.connect();
    await locker.query('BEGIN; LOCK TABLE takt.products IN ACCESS EXCLUSIVE MODE');
    try {
      const waits = ask(await token('TEM-NO'), ['/product/products'], 16);
      await waitUntil('six wait for the table', async () => {
        const { rows } = await test.database.pool.query(
          "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'",
        );
        return rows.length === 6;
      });
      for (let turn = 0; turn < 5; turn += 1) {
        const headers = { authorization: `Bearer ${await token('OTHER')}` };
        expect((await client.get('/system/sessions/current', headers)).status).to.equal(200);
        expect((await client.get('/health/ready')).status).to.equal(200);
        expect((await client.get('/system/applications', headers)).status).to.equal(200);
      }
      await waitUntil('the first are refused', () => waits.statuses.length > 0);
      expect(new Set(waits.statuses)).to.deep.equal(new Set([500]));
    } finally {
      await locker.query('ROLLBACK');
      locker.release();
    }
  });
});
