import { type ErrorCode, errorCatalogue, renderMessage } from '@takt/catalogue/errors';
import { languages } from '@takt/texts';
import { expect } from 'chai';
import { leavesOfJson, leavesOfXml, readError } from '../support/document.js';
import { type DocumentChecks, openDocumentChecks } from '../support/document-checks.js';
import { LIST } from '../support/production-times.js';
import { contentTypes, formats, servedResources } from '../support/served-resources.js';
import { type ApiAnswer, openTestApi, type TestApi } from '../support/test-api.js';

const BASE = 'https://takt.example/erp';
const UNKNOWN_VERSION = '/system/applications/10001/versions/999999';

/** Failing requests, each with the status and the error message identifier of the expected answer. */
const failures: readonly {
  readonly what: string;
  readonly status: number;
  readonly errorMessageId: number;
  readonly target: string;
  readonly token?: string;
}[] = [
  { what: 'an unknown path', status: 404, errorMessageId: 100000, target: '/system/nothing?$filter=(' },
  { what: 'no token', status: 403, errorMessageId: 100100, target: `${LIST}?$top=0`, token: '' },
  { what: 'a token that is none', status: 403, errorMessageId: 100100, target: LIST, token: 'x' },
  { what: 'a foreign company', status: 403, errorMessageId: 100101, target: `${LIST}?$db=FOREIGN&$top=0` },
  { what: 'a company that is no code', status: 403, errorMessageId: 100101, target: `${LIST}?$db=%27--` },
  { what: 'an unknown format', status: 400, errorMessageId: 100207, target: `${LIST}?$format=yaml` },
  {
    what: 'a repeated company',
    status: 400,
    errorMessageId: 100204,
    target: `${LIST}?$db=TEM-NO&$DB=TEM-SE`,
  },
  { what: 'an unknown parameter', status: 400, errorMessageId: 100203, target: `${LIST}?$topp=1` },
  { what: 'a bad encoding', status: 400, errorMessageId: 100200, target: `${LIST}?$top=%ZZ` },
  { what: 'a control character', status: 400, errorMessageId: 100205, target: `${LIST}?$select=a%00b` },
  { what: 'a wrong filter', status: 400, errorMessageId: 100209, target: `${LIST}?$filter=RunTime%20gt` },
  { what: 'an unknown field', status: 400, errorMessageId: 100214, target: `${LIST}?$orderby=Nothing` },
  {
    what: 'a wrong type',
    status: 400,
    errorMessageId: 100217,
    target: `${LIST}?$filter=RunTime%20gt%20%27a%27`,
  },
  { what: 'a damaged page key', status: 400, errorMessageId: 100218, target: `${LIST}?$pageKey=abc` },
  {
    what: 'a version that does not exist',
    status: 400,
    errorMessageId: 100220,
    target: `${LIST}?$useMinimumVersion=6`,
  },
  {
    what: 'a filter of a detail',
    status: 400,
    errorMessageId: 100206,
    target: `${UNKNOWN_VERSION}?$filter=a`,
  },
  {
    what: 'an identifier below its minimum',
    status: 400,
    errorMessageId: 100300,
    target: '/system/applications/1/versions/999999',
  },
  {
    what: 'an application version that does not exist',
    status: 404,
    errorMessageId: 101015,
    target: UNKNOWN_VERSION,
  },
  {
    what: 'an error message that does not exist',
    status: 404,
    errorMessageId: 100301,
    target: '/system/error-messages/199999',
  },
];

const codes = Object.keys(errorCatalogue).filter((code): code is ErrorCode => code in errorCatalogue);

function codeOf(errorMessageId: number): ErrorCode {
  const code = codes.find((one) => errorCatalogue[one].errorMessageId === errorMessageId);
  if (code === undefined) throw new Error(`no entry ${errorMessageId}`);
  return code;
}

describe('after a wrong request, the API', function () {
  this.timeout(180_000);
  let service: TestApi;
  let checks: DocumentChecks;

  before(async () => {
    service = await openTestApi({ companies: ['TEM-NO', 'TEM-SE'], baseUrlOf: () => BASE });
    checks = await openDocumentChecks(service.client);
  });
  after(async () => {
    checks?.close();
    await service?.close();
  });

  async function fail(
    { target, token = service.token }: { readonly target: string; readonly token?: string },
    parameters: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<ApiAnswer> {
    const asked = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
    const joint = target.includes('?') ? '&' : '?';
    const path = `/erp${target}${asked.length === 0 ? '' : joint + asked.join('&')}`;
    const authorization = token === '' ? {} : { authorization: `Bearer ${token}` };
    return await service.client.send('GET', path, { 'x-request-id': 'e-1', ...authorization, ...headers });
  }

  for (const failure of failures) {
    const { what, status, errorMessageId, target } = failure;
    const choosesFormat = !target.includes('$format');

    it(`answers ${what} with ${status}, the error ${errorMessageId} and a working link to that error message`, async () => {
      const answer = await fail(failure, {});
      expect(answer.status).to.equal(status);
      const error = readError(answer);
      expect(error.errorMessage.errorMessageId).to.equal(errorMessageId);
      expect(error.translatedMessage).to.equal(error.message);
      const { errorMessageLink } = error.errorMessage;
      expect(errorMessageLink).to.include(`${BASE}/system/error-messages/${errorMessageId}`);
      const described = await service.client.follow(errorMessageLink);
      expect(described.status, `${errorMessageLink}: ${described.text}`).to.equal(200);
      const message = JSON.parse(described.text).errorMessage;
      expect(message).to.include({ errorMessageId, httpStatusCode: status });
    });

    for (const format of formats) {
      it(`answers ${what} with a valid ${format} document and all its headers`, async () => {
        const accept = format === 'jsonstream' ? 'application/json' : contentTypes[format].split(';')[0];
        const parameters: Record<string, string> = choosesFormat ? { $format: format } : {};
        const answer = await fail(failure, parameters, choosesFormat ? {} : { accept: accept ?? '' });
        expect(answer.status).to.equal(status);
        expect(answer.headers).to.include({
          'content-type': contentTypes[format],
          'x-request-id': 'e-1',
          'x-content-type-options': 'nosniff',
        });
        expect(answer.headers.vary).to.include('Accept-Language');
        expect(answer.headers['content-security-policy']).to.include("default-src 'none'");
        const challenge = errorMessageId === 100100 ? 'Bearer error="invalid_token"' : undefined;
        expect(answer.headers['www-authenticate']).to.equal(challenge);
        await checks.expectValid(answer.text, format, LIST, String(status));
        expect(answer.text).not.to.include(service.token);
      });
    }

    it(`answers ${what} with the same content in JSON and in XML`, async () => {
      const ask = (type: string) => fail(failure, {}, { accept: type });
      const [json, xml] = await Promise.all([ask('application/json'), ask('application/xml')]);
      expect([...leavesOfXml(xml.text)]).to.deep.equal([...leavesOfJson(JSON.parse(json.text))]);
    });
  }

  for (const language of languages) {
    it(`states every error in ${language} and in English`, async () => {
      for (const failure of failures) {
        const name = codeOf(failure.errorMessageId);
        const error = readError(await fail(failure, { $lang: language.toUpperCase() }));
        const inEnglish = readError(await fail(failure, {}));
        const valuesOf = ({ parameters }: typeof error) => parameters.map(({ value }) => value);
        expect(error.message).to.equal(renderMessage(name, valuesOf(inEnglish), 'eng'));
        expect(error.translatedMessage).to.equal(renderMessage(name, valuesOf(error), language));
      }
    });
  }

  it('names the method and the path if the path is unknown', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE']) {
      const path = method === 'GET' ? '/erp/sales/orders' : `/erp${LIST}`;
      const error = readError(await service.client.send(method, path));
      expect(error.errorMessage.errorMessageId).to.equal(100000);
      const parameters = [method, path.slice('/erp'.length)].map((value, index) => ({ index, value }));
      expect(error.parameters).to.deep.equal(parameters);
    }
  });

  it('checks first the path, then the token, the company and the parameters, and last the existence of the object', async () => {
    const wrong = '$db=FOREIGN&$filter=(&$top=0';
    const order: readonly (readonly [string, string, number])[] = [
      [`/nothing?${wrong}`, '', 100000],
      [`${UNKNOWN_VERSION}?${wrong}`, '', 100100],
      [`${UNKNOWN_VERSION}?${wrong}`, service.token, 100101],
      [`${UNKNOWN_VERSION}?$db=TEM-SE&$filter=(`, service.token, 100206],
      [`${UNKNOWN_VERSION}?$db=TEM-SE&$select=Nothing`, service.token, 100214],
      [`/system/applications/1/versions/1?$db=FOREIGN`, '', 100100],
      [`/system/applications/1/versions/1?$db=FOREIGN`, service.token, 100101],
      [`${UNKNOWN_VERSION}?$db=TEM-SE`, service.token, 101015],
    ];
    for (const [target, token, errorMessageId] of order) {
      const error = readError(await fail({ target, token }, {}));
      expect(error.errorMessage.errorMessageId, target).to.equal(errorMessageId);
    }
  });

  it('gives the same answer at every resource to a request without a token', async () => {
    const texts = await Promise.all(
      servedResources.map(async ({ path }) => (await fail({ target: path, token: '' }, {})).text),
    );
    expect(new Set(texts).size).to.equal(1);
  });
});
