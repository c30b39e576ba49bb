import { setTimeout as delay } from 'node:timers/promises';
import { createAccessToken, revokeAccessToken } from '@takt/access';
import { addCompany } from '@takt/figures/master-data';
import { waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { leavesOfJson, readError } from './support/document.js';
import { applicationVersion, storeMasterData, structureVersion } from './support/master-data.js';
import { LIST } from './support/production-times.js';
import { APPLICATION_VERSION_ID, asking, servedResources } from './support/served-resources.js';
import { openTestApi, type TestApi, TOKEN_LIFETIME_MS } from './support/test-api.js';

const INVALID_TOKEN = 100100;
const REVOCATION_DEADLINE_MS = 5_000;

describe('the API, who may ask for what', function () {
  this.timeout(180_000);
  let service: TestApi;

  before(async () => {
    service = await openTestApi({ companies: ['TEM-NO', 'TEM-SE'], logLevel: 'trace' });
    await addCompany(service.database, 'FOREIGN', 'Foreign company');
    await storeMasterData(service, [
      structureVersion('TEM-NO', 1),
      structureVersion('TEM-SE', 2),
      structureVersion('FOREIGN', 3),
      applicationVersion('TEM-NO', APPLICATION_VERSION_ID),
      applicationVersion('FOREIGN', APPLICATION_VERSION_ID + 1),
    ]);
  });
  after(async () => await service?.close());

  const createToken = async (expiresInMs = TOKEN_LIFETIME_MS) =>
    (await createAccessToken(service.database, { companyCodes: ['TEM-NO'], expiresInMs })).token;
  const withHeader = (authorization: string, path = LIST) =>
    service.client.send('GET', path, { authorization, 'x-request-id': 'a-1' });
  const withParameter = (token: string, path = LIST) =>
    service.client.send('GET', `${asking(path)}$access_token=${encodeURIComponent(token)}`, {
      'x-request-id': 'a-1',
    });

  it('takes a token in the header, in the parameter and in its alias', async () => {
    for (const { path } of servedResources) {
      expect((await withHeader(`Bearer ${service.token}`, path)).status).to.equal(200);
      expect((await withHeader(`bearer ${service.token}`, path)).status).to.equal(200);
      expect((await withParameter(service.token, path)).status).to.equal(200);
      const alias = `${asking(path)}%24ACCESSTOKEN=${service.token}`;
      expect((await service.client.send('GET', alias)).status).to.equal(200);
    }
  });

  it('refuses a missing, malformed, unknown, expired and revoked token with one and the same 403', async () => {
    const expiring = await createToken(50);
    const revoked = await createToken();
    await revokeAccessToken(service.database, revoked);
    await delay(100);
    const unknown = `takt_${'A'.repeat(43)}`;
    const tokens = [
      unknown,
      expiring,
      revoked,
      `${service.token}x`,
      service.token.slice(1),
      'x',
      "' OR 1=1 --",
    ];
    const answers = await Promise.all([
      service.client.send('GET', LIST, { 'x-request-id': 'a-1' }),
      ...['', 'Bearer', 'Bearer ', `Basic ${service.token}`, `Bearer${service.token}`].map((text) =>
        withHeader(text),
      ),
      ...tokens.flatMap((token) => [withHeader(`Bearer ${token}`), withParameter(token)]),
    ]);
    for (const answer of answers) {
      expect(answer.status).to.equal(403);
      const { errorMessage, message } = readError(answer);
      expect(errorMessage.errorMessageId).to.equal(INVALID_TOKEN);
      expect(message).to.match(/^Invalid \$access_token/);
      expect(answer.text).to.equal(answers[0]?.text);
      const { date: _, ...headers } = answer.headers;
      const { date: __, ...others } = answers[0]?.headers ?? {};
      expect(headers).to.deep.equal(others);
      expect(headers['www-authenticate']).to.equal('Bearer error="invalid_token"');
    }
  });

  it('refuses a token within 5 s of its revocation, in the header and in the parameter', async () => {
    const token = await createToken();
    expect((await withHeader(`Bearer ${token}`)).status).to.equal(200);
    await revokeAccessToken(service.database, token);
    const isRefused = async () =>
      (await withHeader(`Bearer ${token}`)).status === 403 && (await withParameter(token)).status === 403;
    await waitUntil('the token is refused', isRefused, REVOCATION_DEADLINE_MS, 100);
  });

  it('refuses a token from the instant of its expiry, which it has just taken', async () => {
    // Long enough to be taken once, on a busy machine too.
    const token = await createToken(3_000);
    expect((await withHeader(`Bearer ${token}`)).status).to.equal(200);
    await delay(3_050);
    expect((await withHeader(`Bearer ${token}`)).status).to.equal(403);
  });

  it('serves the company that $db names, else the default one, and no rows of another', async () => {
    const read = async (parameters: string) => {
      const { text } = await service.client.get(`${LIST}?$inlinecount=allpages${parameters}`);
      const leaves = leavesOfJson(JSON.parse(text));
      const identifiers = [...leaves].filter(([leaf]) => leaf.endsWith('/productStructureVersionId'));
      return [leaves.get('/paging/size'), ...identifiers.map(([, value]) => value)];
    };
    expect(await read('')).to.deep.equal(['1', '1']);
    expect(await read('&$db=tem-no')).to.deep.equal(['1', '1']);
    expect(await read('&$db=TEM-SE')).to.deep.equal(['1', '2']);
  });

  it('answers a foreign company and one that does not exist alike, but for its name', async () => {
    for (const { path } of servedResources) {
      const ask = (company: string) =>
        service.client.get(`${asking(path)}$db=${company}`, { 'x-request-id': 'a-1' });
      const [foreign, absent] = await Promise.all([ask('FOREIGN'), ask('MISSING')]);
      expect(foreign.status).to.equal(403);
      expect(foreign.text.replaceAll('FOREIGN', 'MISSING')).to.equal(absent.text);
      const { date: _, ...headers } = foreign.headers;
      const { date: __, ...others } = absent.headers;
      expect(headers).to.deep.equal(others);
    }
  });

  it('answers an application version of another company as one that does not exist', async () => {
    const ask = (identifier: number) =>
      service.client.get(`/system/applications/10001/versions/${identifier}`, { 'x-request-id': 'a-1' });
    const [foreign, absent] = await Promise.all([ask(APPLICATION_VERSION_ID + 1), ask(999_999)]);
    expect(foreign.status).to.equal(404);
    expect(foreign.text).to.equal(absent.text);
    expect(readError(foreign)).to.include({ message: 'Permission not found' });
  });

  it('repeats the token in no JSON, no XML, no header and no line of its log', async () => {
    const { token } = service;
    const failing = ['$top=0', '$filter=(', '$db=FOREIGN', '$lang=nob&$topp=1', '$format=yaml'];
    for (const { path, kind } of servedResources) {
      for (const parameters of ['$format=json', '$format=xml', '$format=jsonstream', ...failing]) {
        const list = kind === 'list' ? '&$top=1&$expand=PagingDetails' : '';
        const more = failing.includes(parameters) ? '' : list;
        for (const name of ['$access_token', '$accessToken', '%24ACCESSTOKEN']) {
          const target = `${asking(path)}${name}=${token}&${parameters}${more}`;
          const { text, headers } = await service.client.send('GET', target);
          expect(text + JSON.stringify(headers), target).not.to.include(token);
        }
      }
    }
    for (const target of [`/nothing?$access_token=${token}`, `/nothing&access_token=${token}`]) {
      await service.client.send('GET', target, { authorization: `Bearer ${token}` });
    }
    await service.client.send('GET', `/health/live?$access_token=${token}`);
    const lines = service.api.output().split('\n');
    expect(lines.length).to.be.greaterThan(30);
    expect(lines.filter((line) => line.includes(token))).to.deep.equal([]);
  });
});
