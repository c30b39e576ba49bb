import { createHash, randomBytes } from 'node:crypto';
import { createApiClient, createUser } from '@takt/access';
import { addCompany } from '@takt/figures/master-data';
import { opened, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import { type Fields, FollowedServiceClient, type RawAnswer } from '../support/followed-service-client.js';
import { applicationVersion, storeMasterData, structureVersion } from '../support/master-data.js';
import { openTestApi } from '../support/test-api.js';

const PASSWORD = 'correct horse & battery + staple=%';
const REDIRECT_URI = 'https://client.example/signed-in';
const TIMES = 'product/structure-versions/aggregated-production-times';
const ERRORS = 'system/error-messages';
const APPLICATION_VERSION = 'system/applications/10001/versions/1001';
const ROWS = 'productStructureVersionAggregatedProductionTimes';

/**
 * Covers every request of the client library of RamBase, the service whose API Takt follows. Each test covers one
 * operation.
 */
describe('the client library of RamBase', function () {
  this.timeout(180_000);
  const service = opened(() => openTestApi({ companies: ['TEM-NO', 'TEM-SE'] }));
  let client: FollowedServiceClient;
  let id: string;
  let secret: string;
  let pid: string;
  let refreshToken: string;

  before(async () => {
    await addCompany(service.database, 'FOREIGN', 'Foreign company');
    await storeMasterData(service, [
      ...Array.from({ length: 25 }, (_, index) => structureVersion('TEM-NO', 1 + index)),
      structureVersion('TEM-SE', 1),
      applicationVersion('TEM-NO', 1_001),
    ]);
    const permissions = ['production-times', 'error-messages', 'application-versions'];
    const companyCodes = ['TEM-NO', 'TEM-SE'];
    const known = { name: 'Planning tool', permissions, companyCodes, roles: ['planner'] };
    const created = await createApiClient(service.database, { ...known, redirectUris: [REDIRECT_URI] });
    id = String(created.clientId);
    secret = created.secret ?? '';
    const person = { name: 'Larsen', companyCodes, roles: ['planner'], password: PASSWORD };
    pid = String(await createUser(service.database, person));
    client = new FollowedServiceClient(service.api.origin);
  });

  const passwordForm = (password = PASSWORD, more = '') =>
    `grant_type=password&client_id=${id}&client_secret=${secret}&username=${encodeURIComponent(pid)}&password=${encodeURIComponent(password)}${more}`;
  const clientForm = (more = '') =>
    `client_id=${id}&client_secret=${secret}&grant_type=client_credentials${more}`;
  const refreshForm = (token: string) =>
    `client_id=${id}&client_secret=${secret}&refresh_token=${token}&grant_type=refresh_token`;

  /** Reads a document. If the status is not 200, the test fails with the text of the answer. */
  const read = async (target: string, headers: Readonly<Record<string, string>> = {}): Promise<Fields> => {
    const answer = await client.get(target, headers);
    expect(answer.status, `${target}: ${answer.text.slice(0, 500)}`).to.equal(200);
    return answer.document;
  };
  const rowsOf = (document: Fields, name = ROWS) => document[name] as readonly Fields[];
  const expectLoggedIn = (answer: RawAnswer) => {
    expect(answer.status, answer.text).to.equal(200);
    const { access_token, expires_in, is_target_test_system } = answer.document;
    expect(access_token).to.match(/^takt_/);
    expect(Number(expires_in)).to.be.greaterThan(0);
    expect(is_target_test_system).to.equal(false);
  };
  /** Expects a failed log-in in the form that the library reads. The library shows `message` to its user. */
  const expectLoginError = (answer: RawAnswer, error: string) => {
    expect(answer.status, answer.text).to.equal(400);
    expect(answer.document['error']).to.equal(error);
    expect(answer.document['message']).to.be.a('string').that.equals(answer.document['error_description']);
  };
  /**
   * Expects an error with the fields from which the library builds its exception. The library shows `translatedMessage`
   * to its user.
   */
  const expectError = (answer: RawAnswer, status: number, text: RegExp) => {
    expect(answer.status, answer.text).to.equal(status);
    expect(Object.keys(answer.document)[0]).to.equal('hTTPStatusCode');
    expect(answer.document['hTTPStatusCode']).to.equal(String(status));
    expect(answer.document['translatedMessage']).to.match(text);
    expect(answer.document['errorMessage']).to.have.property('errorMessageId').that.is.a('number');
    for (const field of ['parameters', 'innerErrors']) expect(answer.document[field]).to.be.an('array');
  };

  describe('when logging in', () => {
    it('gets a token for a person with a password', async () => {
      const answer = await client.logIn(passwordForm());
      expectLoggedIn(answer);
      refreshToken = String(answer.document['refresh_token']);
    });
    it('can read the session of the person who logged in', async () => {
      const { session } = await read('system/sessions/current');
      expect(session).to.include({ pid: Number(pid), database: 'TEM-NO', customerId: null });
    });
    it('gets a new token for a person, and may send the old token in the header', async () => {
      const before = client.accessToken;
      expectLoggedIn(await client.logIn(passwordForm()));
      expect(client.accessToken).not.to.equal(before);
    });
    it('may send a one-time password, a target and the address of the end user', async () => {
      expectLoggedIn(
        await client.logIn(passwordForm(PASSWORD, '&otp=123456&target=TEM&endclientip=192.0.2.1')),
      );
    });
    it('gets a new token for a refresh token, and may send the old token in the header', async () => {
      const answer = await client.logIn(refreshForm(refreshToken));
      expectLoggedIn(answer);
      expect(answer.document['refresh_token']).to.be.a('string').that.does.not.equal(refreshToken);
    });
    it('gets an error if the refresh token was already used', async () => {
      expectLoginError(await client.logIn(refreshForm(refreshToken)), 'invalid_grant');
    });
    it('gets a token for the client itself, and may send the old token in the header', async () => {
      expectLoggedIn(await client.logIn(clientForm()));
      const { session } = await read('system/sessions/current');
      expect(session).to.include({ pid: null, apiClientId: id });
    });
    it('gets a token that names a customer, a supplier and a target', async () => {
      expectLoggedIn(
        await client.logIn(clientForm('&customerid=1&supplierid=2&target=TEM&endclientip=192.0.2.1')),
      );
    });
    it('gets a token for a code with PKCE from a person who signed in on the page', async () => {
      const { verifier, code } = await signInOnPage();
      expectLoggedIn(
        await client.logIn(
          `grant_type=authorization_code&client_id=${id}&client_secret=${secret}&code=${code}&redirect_uri=${REDIRECT_URI}&code_verifier=${verifier}`,
        ),
      );
    });
    it('gets an error for a wrong password', async () => {
      expectLoginError(await client.logIn(passwordForm('wrong')), 'invalid_grant');
    });
    it('gets an error for a wrong secret', async () => {
      const form = `client_id=${id}&client_secret=wrong&grant_type=client_credentials`;
      expectLoginError(await client.logIn(form), 'invalid_client');
    });
    it('gets an error for a wrong grant type', async () => {
      const form = `client_id=${id}&client_secret=${secret}&grant_type=impersonate`;
      expectLoginError(await client.logIn(form), 'unsupported_grant_type');
    });
    it('gets an error that names a missing parameter', async () => {
      const form = `grant_type=password&client_id=${id}&client_secret=${secret}&password=x`;
      expectLoginError(await client.logIn(form), 'invalid_request');
    });
    it('gets a new token after requests with an existing token', async () => {
      client.accessToken = service.token;
      await read(`${TIMES}?$top=1`);
      expectLoggedIn(await client.logIn(passwordForm()));
    });
  });

  describe('when reading a list', () => {
    it('gets ten rows by default', async () => {
      expect(rowsOf(await read(TIMES))).to.have.length(10);
    });
    it('may send an empty parameter before all other parameters', async () => {
      expect(rowsOf(await read(`${TIMES}?&$top=2`))).to.have.length(2);
    });
    it('gets the maximum number of rows for $top=$max', async () => {
      expect(rowsOf(await read(`${TIMES}?&$top=$max`))).to.have.length(25);
    });
    it('gets at most the maximum number of rows, even for a higher number in the request', async () => {
      const { paging } = await read(`${ERRORS}?&$top=5000`);
      expect(paging).to.have.property('pageSize', 80);
    });
    it('can select another company', async () => {
      expect(rowsOf(await read(`${TIMES}?$db=TEM-SE&$top=$max`))).to.have.length(1);
    });
    it('can select another language', async () => {
      await read(`${ERRORS}?$lang=nob&$top=1`);
    });
    it('can request a minimum version of the resource', async () => {
      await read(`${TIMES}?$useMinimumVersion=1&$top=1`);
    });
    it('can request descriptions of domain values', async () => {
      const [row] = rowsOf(await read(`${TIMES}?&$top=1&$showDomainDescriptions=true`));
      expect(row?.['productStructureVersion']).to.have.property('statusDescription').that.is.a('string');
    });
    it('can filter by a text that contains blanks', async () => {
      const rows = rowsOf(await read(`${TIMES}?&$filter=ProductName eq 'Bracket 7' and RunTime gt 1`));
      expect(rows).to.have.length(1);
    });
    it('can filter with functions', async () => {
      const filter = "startswith(ProductName,'Bracket 1') or contains(ProductName,'25')";
      expect(rowsOf(await read(`${TIMES}?&$top=80&$filter=${filter}`))).to.have.length(12);
    });
    it('can filter with substringof', async () => {
      expect(rowsOf(await read(`${TIMES}?&$filter=substringof('25',ProductName)`))).to.have.length(1);
    });
    it('can filter for a missing value', async () => {
      expect(rowsOf(await read(`${TIMES}?&$top=80&$filter=CleanupTime eq null`))).to.have.length(25);
    });
    it('can request the total number of rows', async () => {
      const { paging } = await read(`${TIMES}?&$top=1&$inlinecount=allpages`);
      expect(paging).to.have.property('size', 25);
    });
    it('can leave out the total number of rows', async () => {
      const { paging } = await read(`${TIMES}?&$top=1&$inlinecount=none`);
      expect(paging).not.to.have.property('size');
    });
    it('can start at an offset', async () => {
      const { paging } = await read(`${TIMES}?&$top=5&$skip=20`);
      expect(paging).to.include({ position: 21, page: 5 });
    });
    it('can order by a field', async () => {
      const [row] = rowsOf(await read(`${TIMES}?&$top=1&$orderby=ProductName desc`));
      expect(row).to.have.nested.property(
        'productStructureVersion.productStructure.product.name',
        'Bracket 9',
      );
    });
    it('can order by two fields', async () => {
      await read(`${TIMES}?&$top=1&$orderby=RunTime desc,ProductName asc`);
    });
    it('can select fields', async () => {
      const [row] = rowsOf(await read(`${TIMES}?&$top=1&$select=ProductStructureVersionId,AverageRunTime`));
      expect(row?.['productStructureVersion']).to.deep.equal({ productStructureVersionId: 1 });
    });
    it('can select a field of an expansion', async () => {
      const [row] = rowsOf(await read(`${TIMES}?&$top=1&$select=RunTimeDifference`));
      expect(JSON.stringify(row?.['planComparison'])).to.include('"runTimeDifference":');
    });
    it('can expand the keys of pages', async () => {
      const { paging } = await read(`${TIMES}?&$top=10&$expand=PagingDetails`);
      expect(paging).to.have.property('nextPageKey').that.is.a('string');
    });
    it('can read one page after the other with page keys', async () => {
      const seen = new Set<unknown>();
      let key: unknown;
      do {
        const next = key === undefined ? '' : `&$pageKey=${String(key)}`;
        const document = await read(`${TIMES}?&$top=10&$expand=PagingDetails${next}`);
        for (const row of rowsOf(document)) seen.add(JSON.stringify(row['productStructureVersion']));
        key = (document['paging'] as Fields)['nextPageKey'];
      } while (key !== null);
      expect(seen.size).to.equal(25);
    });
    it('can read one page after the other with links', async () => {
      let target: string | undefined = `${TIMES}?&$top=10`;
      let count = 0;
      while (target !== undefined) {
        const document = await read(target);
        count += rowsOf(document).length;
        const next = (document['paging'] as Fields)['nextPage'];
        target = typeof next === 'string' ? next.slice(service.api.baseUrl.length + 1) : undefined;
      }
      expect(count).to.equal(25);
    });
    it('can send all parameters at once', async () => {
      const query =
        '$db=TEM-NO&$lang=deu&$useMinimumVersion=1&search=bracket&$top=3&$showDomainDescriptions=true&$filter=RunTime ge 1&$inlinecount=allpages&$skip=2&$orderby=ProductName&$select=ProductName,Name&$expand=PagingDetails';
      const { paging } = await read(`${TIMES}?${query}`);
      expect(paging).to.include({ size: 25, position: 3 });
    });
    it('can search error messages for a word', async () => {
      expect(rowsOf(await read(`${ERRORS}?search=token`), 'errorMessages')).not.to.have.length(0);
    });
    it('can filter and order error messages', async () => {
      const query = '&$filter=HttpStatusCode eq 403&$orderby=ErrorMessageId desc&$top=2';
      expect(rowsOf(await read(`${ERRORS}?${query}`), 'errorMessages')).to.have.length(2);
    });
    it('may send an unknown parameter without an effect', async () => {
      await read(`${TIMES}?foo=bar&$top=1`);
    });
    it('may send an additional header', async () => {
      await read(`${TIMES}?&$top=1`, { 'X-Planning-Run': '17' });
    });
  });

  describe('when reading one object', () => {
    it('gets an application version', async () => {
      expect(await read(APPLICATION_VERSION)).to.have.nested.property(
        'applicationVersion.applicationVersionId',
        1_001,
      );
    });
    it('gets an application version with selected fields and descriptions', async () => {
      const query = '?&$showDomainDescriptions=true&$select=Status,LookupKey';
      const { applicationVersion: found } = await read(APPLICATION_VERSION + query);
      expect(found).to.have.all.keys('status', 'statusDescription', 'lookupKey');
    });
    it('gets an error message', async () => {
      expect(await read(`${ERRORS}/101015`)).to.have.nested.property(
        'errorMessage.message',
        'Permission not found',
      );
    });
    it('gets a product with descriptions in the list of its structure versions', async () => {
      const document = await read('product/products/1001?$showDomainDescriptions=true');
      expect(document)
        .to.have.nested.property('product.structureVersions[0].statusDescription')
        .that.is.a('string');
    });
    it('gets the session of the client', async () => {
      expect(await read('system/sessions/current'))
        .to.have.property('session')
        .that.has.property('database', 'TEM-NO');
    });
  });

  describe('when reading the description of the service', () => {
    const EXPAND =
      '&$expand=ApplicableDomainValues,ExpandableFields,Description,TranslatedDescription,TranslatedName,MacroDefinitions,URIParameters';
    for (const uri of [
      TIMES,
      `/${TIMES}`,
      ERRORS,
      'system/applications/{applicationId}/versions/{applicationVersionId}',
      APPLICATION_VERSION,
      'batch',
    ]) {
      it(`gets the metadata of ${uri}`, async () => {
        const { metadata } = await read(`metadata?uri=${uri}&verb=GET${EXPAND}`);
        expect(metadata).to.have.property('responseFields').that.is.an('array');
        expect(metadata).to.have.nested.property('admittance.errorMessageId');
      });
    }
    it('gets an error for the metadata of an unknown verb', async () => {
      expectError(await client.get(`metadata?uri=${TIMES}&verb=POST${EXPAND}`), 404, /POST/);
    });
    it('gets the values of a domain with numbers as keys', async () => {
      const target = 'system/domain-values/applicable-values?object=Product&field=Status&$top=$max';
      const values = rowsOf(await read(target), 'domainValues');
      expect(values.map(({ key }) => Number(key))).to.include.members([2, 4, 9]);
      for (const { description } of values) expect(description).to.be.a('string');
    });
    it('gets the values of a domain in another language', async () => {
      const target =
        'system/domain-values/applicable-values?$lang=nob&object=ProductStructureVersion&field=Status&$top=$max';
      expect(rowsOf(await read(target), 'domainValues')).to.have.length(3);
    });
  });

  describe('when sending batches', () => {
    const encoded = encodeURIComponent(`${TIMES}?$top=2&$select=ProductName`);
    const batch = `batch?resource0=${encoded}&resource1=${ERRORS}/101015&resource2=${ERRORS}/1&resource3=${TIMES}?$top=1`;

    const expectBatch = (document: Fields) => {
      const resources = document['resources'] as readonly Fields[];
      expect(resources.map(({ batchId }) => batchId)).to.have.members([
        'resource0',
        'resource1',
        'resource2',
        'resource3',
      ]);
      const responses = resources.map(({ response }) => JSON.stringify(response));
      // The library looks for an error in the first thirty characters of each response. It needs a response of at least
      // that length.
      for (const text of responses) expect(text.length).to.be.at.least(30);
      const failed = responses.map((text) => /^\{\s*"httpstatuscode"/i.test(text.slice(0, 30)));
      expect(failed).to.deep.equal([false, false, true, false]);
      expect(rowsOf(resources[0]?.['response'] as Fields)).to.have.length(2);
      expect(rowsOf(resources[3]?.['response'] as Fields)).to.have.length(1);
    };
    it('gets all answers, even if one request of the batch fails', async () =>
      expectBatch(await read(batch)));
    it('can send ten batches at once', async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => read(batch)));
      for (const document of answers) expectBatch(document);
    });
    it('can send a batch of one request', async () => {
      const { resources } = await read(`batch?resource0=${ERRORS}?$top=1`);
      expect(resources).to.have.length(1);
    });
    it('gets an error if a batch is too large', async () => {
      const many = Array.from({ length: 21 }, (_, index) => `resource${index}=${ERRORS}`).join('&');
      expectError(await client.get(`batch?${many}`), 400, /20/);
    });
  });

  describe('gets an error text', () => {
    it('for an unknown field in a filter', async () => {
      expectError(await client.get(`${TIMES}?&$filter=Colour eq 'red'`), 400, /Colour/);
    });
    it('for an unfinished filter in another language', async () => {
      expectError(await client.get(`${TIMES}?$lang=deu&$filter=RunTime gt`), 400, /\$filter/);
    });
    it('for an unknown field in an order', async () => {
      expectError(await client.get(`${TIMES}?&$orderby=Colour`), 400, /Colour/);
    });
    it('for an unknown expansion', async () => {
      expectError(await client.get(`${TIMES}?&$expand=Colours`), 400, /Colours/);
    });
    it('for a page key of another list', async () => {
      expectError(await client.get(`${TIMES}?&$pageKey=abc`), 400, /\$pageKey/);
    });
    it('for a foreign company', async () => {
      expectError(await client.get(`${TIMES}?$db=FOREIGN`), 403, /FOREIGN/);
    });
    it('for an unknown object', async () => {
      expectError(await client.get('system/applications/10001/versions/9999'), 404, /Permission not found/);
    });
    it('for an unknown path', async () => {
      expectError(await client.get('sales/orders'), 404, /sales\/orders/);
    });
    for (const method of ['POST', 'PUT', 'DELETE'] as const) {
      it(`for ${method}, because the service is read-only`, async () => {
        expectError(await client.write(method, TIMES, '{"name":"x"}'), 404, new RegExp(method));
      });
    }
  });

  // The service deliberately rejects four requests of the library. The decisions on access state the reasons.
  describe('when using unsupported features', () => {
    it('gets no token by the implicit grant, and no redirect with a token', async () => {
      const answer = await client.get(
        `oauth2?client_id=${id}&response_type=token&redirect_uri=${REDIRECT_URI}&state=s`,
      );
      const location = String(answer.headers['location'] ?? '');
      expect(location + answer.text).to.match(/unsupported_response_type|response_type/);
      expect(location).not.to.match(/access_token/);
    });
    it('cannot impersonate a person, because the service ignores the header', async () => {
      const { session } = await read('system/sessions/current', { 'Impersonate-User': '1' });
      expect(session).to.have.property('pid', Number(pid));
    });
    it('gets an error if it asks in advance for the permitted operations', async () => {
      const body = '{"apiOperations":[{"operationId":1}]}';
      expectError(
        await client.write('POST', 'system/api/api-operations/check-access', body),
        404,
        /check-access/,
      );
    });
    it('gets 403 instead of 401 for an expired token', async () => {
      const logout = await client.write('POST', 'oauth2/logout');
      expect(logout.status).to.equal(200);
      // A revocation takes effect within 5 s.
      await waitUntil('the token to end', async () => (await client.get(TIMES)).status !== 200);
      expectError(await client.get(TIMES), 403, /^Invalid \$access_token/);
    });
    it('can log in again with an expired token in the header', async () => {
      expectLoggedIn(await client.logIn(clientForm()));
      await read(`${TIMES}?$top=1`);
    });
  });

  /** Signs in like a browser that follows the sign-in link of the library. Returns the code and the PKCE verifier. */
  async function signInOnPage(): Promise<{ readonly verifier: string; readonly code: string }> {
    const verifier = randomBytes(32).toString('base64url');
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const link = `${service.api.baseUrl}/oauth2?client_id=${id}&response_type=code&redirect_uri=${REDIRECT_URI}&state=s&code_challenge=${challenge}&code_challenge_method=S256`;
    const response = await fetch(link, {
      method: 'POST',
      redirect: 'manual',
      headers: { Origin: new URL(service.api.baseUrl).origin },
      body: new URLSearchParams({ login: pid, password: PASSWORD }),
    });
    expect(response.status, await response.text()).to.equal(303);
    const location = new URL(response.headers.get('location') ?? '');
    expect(location.searchParams.get('state')).to.equal('s');
    return { verifier, code: location.searchParams.get('code') ?? '' };
  }
});
