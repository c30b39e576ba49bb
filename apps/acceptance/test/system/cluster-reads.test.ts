import { createAccessToken } from '@takt/access';
import {
  type AppProcess,
  createTestDatabase,
  needsCluster,
  startApp,
  type TestDatabase,
} from '@takt/database/testing';
import { addCompany } from '@takt/figures/master-data';
import { expect } from 'chai';
import { storeSamples } from '../support/master-data.js';
import { LIST } from '../support/production-times.js';
import { openApiClient, TOKEN_LIFETIME_MS } from '../support/test-api.js';

const COMPANIES = ['A', 'B', 'C', 'D'];

describe('an API on a cluster', function () {
  this.timeout(120_000);
  let test: TestDatabase;
  let apis: readonly AppProcess[] = [];

  before(async function () {
    const { nodes } = needsCluster(this);
    test = await createTestDatabase();
    for (const code of COMPANIES) await addCompany(test.database, code, code);
    await storeSamples(test, COMPANIES);
    const start = (port: number) => {
      const url = new URL(test.appUrl('api'));
      url.port = String(port);
      return startApp('api', { databaseUrl: test.url, environment: { DATABASE_URL: url.href } });
    };
    apis = await Promise.all([Number(new URL(test.url).port), ...nodes.map(({ port }) => port)].map(start));
  });
  after(async () => {
    await Promise.all(apis.map((api) => api.stop()));
    await test?.close();
  });

  it('gives the same answer on every node, for every company', async () => {
    for (const code of COMPANIES) {
      const { token } = await createAccessToken(test.database, {
        companyCodes: [code],
        expiresInMs: TOKEN_LIFETIME_MS,
      });
      const answers: string[] = [];
      for (const api of apis) {
        const client = openApiClient(api, token);
        const { text } = await client.get(`${LIST}?$top=20&$expand=Summary`);
        answers.push(text.replaceAll(api.origin, ''));
        client.close();
      }
      expect(answers[0]).to.include('"averageRunTime":').and.include('"summary"');
      expect(new Set(answers).size).to.equal(1);
    }
    // Every statement ran only once. An API that repeats a statement in another session logs this message.
    for (const api of apis) expect(api.output()).not.to.include('a session of the database was not the one');
  });
});
