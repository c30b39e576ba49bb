import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { CANARY, findCanaries, insertCompanies, servedCanaries } from '../access/canaries.js';
import { withoutCompany, withoutKeys } from '../access/companies-apart.js';
import { crawl } from '../access/crawler.js';
import { DETAIL, formats, LIST, namedByOthers, ways } from '../access/ways.js';
import type { HttpClient, HttpHeaders } from '../support/http-client.js';
import { serveApi } from '../support/serve-api.js';

/** No statement names a company here, so the database alone keeps the companies apart. */
describe('two companies that share a database, on every way through the API', function () {
  this.timeout(300_000);
  const api = opened(serveApi);
  let client: HttpClient;
  let close: () => Promise<void>;
  let token: string;
  let othersToken: string;

  before(async () => {
    await insertCompanies(api);
    ({ client, close } = await api.serveBeside({ statementOf: withoutCompany() }));
    token = await api.createToken('TEM-NO');
    othersToken = await api.createToken(CANARY.toUpperCase());
  });
  after(async () => await close?.());

  it('get their own canaries in a crawl of the API, so the crawl reaches every place', async () => {
    const visits = await crawl(api.client, othersToken, { ...ways(5), alone: [] });
    const met = visits.filter((visit) => findCanaries(visit).length > 0);
    for (const format of formats) {
      for (const target of [LIST, DETAIL]) {
        const seen = met.filter((visit) => visit.target.startsWith(`${target}?$format=${format}`));
        expect(seen, `${target} ${format}`).not.to.have.lengthOf(0);
      }
    }
    const texts = visits.map(({ answer }) => answer.text).join();
    for (const served of servedCanaries()) expect(texts, served).to.include(served);
  });

  const ask = (target: string, headers: HttpHeaders = {}) =>
    client.get(target, { ...headers, 'x-request-id': 'r-1', authorization: `Bearer ${token}` });

  it('get nothing of each other from any route, page, order, filter, search, link or error', async () => {
    const visits = await crawl(client, token, ways(3));
    expect(visits.length).to.be.greaterThan(500);
    const successes = visits.filter(({ answer }) => answer.status === 200);
    expect(successes.length).to.be.greaterThan(400);
    expect(visits.flatMap(findCanaries)).to.deep.equal([]);
    const again = successes.filter(
      ({ answer }, index) => answer.headers.etag !== undefined && index % 5 === 0,
    );
    for (const { target, answer } of again) {
      const kept = await ask(target, { 'if-none-match': String(answer.headers.etag) });
      expect(kept.status, target).to.equal(304);
      expect(findCanaries({ target, answer: kept })).to.deep.equal([]);
    }
  });

  it('get the same answer for an identifier of the other company as for an unknown identifier', async () => {
    for (const [target, absent, changed] of namedByOthers()) {
      const [named, unnamed] = await Promise.all([ask(target), ask(absent)]);
      const told = withoutKeys(unnamed).replaceAll(changed[1], changed[0]);
      expect(withoutKeys(named), target).to.equal(told);
    }
  });
});
