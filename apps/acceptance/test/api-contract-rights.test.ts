import { changeClientPermissions, createAccessToken, createApiClient } from '@takt/access';
import { leavesOf, newestOf, resourceFamilies } from '@takt/catalogue/resources';
import { waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { leavesOfJson, readError } from './support/document.js';
import { type DocumentChecks, openDocumentChecks } from './support/document-checks.js';
import { storeSamples } from './support/master-data.js';
import { asking, contentTypes, formats, servedResources } from './support/served-resources.js';
import { openTestApi, type TestApi, TOKEN_LIFETIME_MS } from './support/test-api.js';

const MISSING_PERMISSION = 100_102;
const MISSING_DUTY = 100_103;
const CHANGE_DEADLINE_MS = 5_000;

/** What everybody needs who reads; without the duties that show fields besides. */
const READING = ['read-production-times', 'read-error-messages', 'read-application-versions'];

describe('the API, for clients and people with some of the rights', function () {
  this.timeout(180_000);
  let service: TestApi;
  let checks: DocumentChecks;
  let clientId: number;

  before(async () => {
    service = await openTestApi({ companies: ['TEM-NO'] });
    await storeSamples(service, ['TEM-NO']);
    checks = await openDocumentChecks(service.client);
    ({ clientId } = await createApiClient(service.database, { name: 'Line', isPublic: true }));
  });
  after(async () => {
    checks?.close();
    await service?.close();
  });

  const createToken = async (limits: { clientId?: number; duties?: readonly string[] }) => {
    const request = { companyCodes: ['TEM-NO'], expiresInMs: TOKEN_LIFETIME_MS, ...limits };
    return (await createAccessToken(service.database, request)).token;
  };
  const ask = (token: string, target: string) =>
    service.client.send('GET', target, { authorization: `Bearer ${token}` });

  it('serves whole and valid documents without the fields that need another duty', async () => {
    const token = await createToken({ duties: READING });
    let hiddenFields = 0;
    for (const { path, template } of servedResources) {
      const family = resourceFamilies.find((one) => one.path === template);
      if (family === undefined) throw new Error(`${template} is no resource`);
      const { duty, furtherDuty, fields } = newestOf(family);
      if ([duty, furtherDuty].some((one) => one !== undefined && !READING.includes(one))) continue;
      const hidden = leavesOf(fields).flatMap((leaf) =>
        leaf.duties.length === 0 ? [] : [`/${leaf.path.join('/')}`.toLowerCase()],
      );
      hiddenFields += hidden.length;
      for (const format of formats) {
        const { status, text, headers } = await ask(token, `${asking(path)}$format=${format}`);
        expect([status, headers['content-type']]).to.deep.equal([200, contentTypes[format]]);
        await checks.expectValid(text, format, template, '200');
        if (format !== 'json') continue;
        const served = [...leavesOfJson(JSON.parse(text)).keys()].map((leaf) => leaf.toLowerCase());
        const shown = hidden.filter((end) => served.some((leaf) => leaf.endsWith(end)));
        expect(shown, path).to.deep.equal([]);
      }
    }
    expect(hiddenFields).to.be.greaterThan(20);
  });

  it('names the duty that is missing', async () => {
    const token = await createToken({ duties: READING.slice(1) });
    const [times] = servedResources;
    const error = readError(await ask(token, times?.path ?? ''));
    expect(error.errorMessage.errorMessageId).to.equal(MISSING_DUTY);
    expect(error.parameters).to.deep.equal([{ index: 0, value: 'read-production-times' }]);
  });

  it('serves a client what it is permitted, from then on and until it is taken away', async () => {
    const token = await createToken({ clientId });
    const path = '/system/error-messages';
    const refused = await ask(token, path);
    expect(refused.headers['www-authenticate']).to.equal('Bearer error="insufficient_scope"');
    const { errorMessage, parameters } = readError(refused);
    expect(errorMessage.errorMessageId).to.equal(MISSING_PERMISSION);
    expect(parameters).to.deep.equal([{ index: 0, value: 'error-messages' }]);
    const becomes = (status: number) =>
      waitUntil(
        `the answer is ${status}`,
        async () => (await ask(token, path)).status === status,
        CHANGE_DEADLINE_MS,
        100,
      );
    await changeClientPermissions(service.database, clientId, { add: ['error-messages'] });
    await becomes(200);
    const other = await ask(token, servedResources[0]?.path ?? '');
    expect(readError(other).errorMessage.errorMessageId).to.equal(MISSING_PERMISSION);
    await changeClientPermissions(service.database, clientId, { remove: ['error-messages'] });
    await becomes(403);
  });
});
