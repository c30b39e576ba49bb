import { resourceFamilies } from '@takt/catalogue/resources';
import { needsProgram, someOf } from '@takt/test-support';
import { expect } from 'chai';
import Papa from 'papaparse';
import { disarmed } from '../support/disarmed.js';
import { exportedQuestions, insertExportedRows } from '../support/exported-rows.js';
import type { HttpAnswer } from '../support/http-client.js';
import { insertStructureVersions } from '../support/insert-rows.js';
import { type Cell, jsonTable } from '../support/json-table.js';
import { OTHER_COMPANY } from '../support/open-test-api.js';
import { readCsvByPython } from '../support/python-readers.js';
import { type ServedApi, serveApi } from '../support/serve-api.js';

const TIMES = '/product/structure-versions/aggregated-production-times';

const parseHeader = (text: string) => Papa.parse<string[]>(text, { preview: 1 }).data[0] ?? [];

/** Returns the rows of the file including the header. Two independent parsers must return the same rows. */
function parse(text: string, delimiter: ',' | ';' = ','): readonly (readonly string[])[] {
  expect(text.endsWith('\r\n')).to.equal(true);
  const plain = text.replace(/^\uFEFF/, '');
  const { data, errors } = Papa.parse<string[]>(plain.slice(0, -2), { delimiter, newline: '\r\n' });
  expect(errors).to.deep.equal([]);
  expect(readCsvByPython(plain, delimiter)).to.deep.equal(data);
  return data;
}

function written(cell: Cell, decimal: '.' | ',' = '.'): string {
  if (cell === null) return '';
  return typeof cell === 'string' ? disarmed(cell) : String(cell).replace('.', decimal);
}

describe('a list as CSV', () => {
  let api: ServedApi;
  let headers: { readonly authorization: string };

  before(async function () {
    needsProgram(this, 'python3');
    api = await serveApi();
    await insertExportedRows(api.owner);
    await insertStructureVersions(api.owner, [{ id: 1, companyId: OTHER_COMPANY, name: 'foreign' }]);
    headers = { authorization: `Bearer ${await api.createToken('TEM-NO')}` };
  });
  after(() => api?.close());

  const get = (target: string): Promise<HttpAnswer> => api.client.get(target, headers);
  const csv = async (query: string) => {
    const answer = await get(`${TIMES}?$format=csv${query === '' ? '' : `&${query}`}`);
    expect(answer.status, answer.text.slice(0, 500)).to.equal(200);
    return answer;
  };

  it('is tested below for every list of the API without an identifier in its path', () => {
    const lists = resourceFamilies.flatMap(({ path, versions }) => (versions[0].kind === 'list' ? path : []));
    expect(lists.filter((path) => !path.includes('{'))).to.have.members(Object.keys(exportedQuestions));
  });

  for (const [path, questions] of Object.entries(exportedQuestions)) {
    for (const question of someOf(questions)) {
      it(`has the same rows as all JSON pages: ${path}?${question}`, async () => {
        const expected = await jsonTable(api.client, `${path}?$top=$max&${question}`, headers);
        for (const [more, delimiter, decimal] of [
          ['', ',', '.'],
          ['&$decimal=comma', ';', ','],
        ] as const) {
          const { status, text } = await get(`${path}?$format=csv${more}&${question}`);
          expect(status, text.slice(0, 500)).to.equal(200);
          // The file contains no empty line, because many readers skip empty lines. This is true even if the only
          // column is empty.
          if (question.startsWith('$select=SetupTime')) expect(text).to.not.match(/\r\n\r\n/);
          const [header = [], ...rows] = parse(text, delimiter);
          expect(new Set(header.map((name) => name.toLowerCase())).size).to.equal(header.length);
          expect(rows).to.deep.equal(expected.map((row) => row.map((cell) => written(cell, decimal))));
        }
      });
    }
  }

  it('names each column like its field in $filter, or by a unique end of its path', async () => {
    const [header] = parse((await csv('$showDomainDescriptions=true&$filter=false')).text);
    expect(header?.slice(0, 15)).to.deep.equal([
      ...[
        'ProductStructureVersionId',
        'ProductStructureVersionStatus',
        'ProductStructureVersionStatusDescription',
      ],
      ...['ProductStructureVersionName', 'Version', 'Revision', 'ProductId', 'ProductStatus'],
      ...['ProductStatusDescription', 'ProductName', 'ProductType', 'ProductTypeDescription', 'Description'],
      ...['ProductLink', 'ProductStructureVersionLink'],
    ]);
    expect(header?.slice(15, 19)).to.deep.equal([
      ...['RunTime', 'SetupTime', 'CleanupTime', 'NumberOfCompletedProductionWorkOrders'],
    ]);
  });

  it('has the same column names for any selection of columns', async () => {
    const all = parseHeader((await csv('$filter=false')).text);
    for (const name of all) {
      const one = parseHeader((await csv(`$filter=false&$select=${name}`)).text);
      expect(one, name).to.include(name);
    }
  });

  it('is a download that must not be cached', async () => {
    const { headers: of } = await csv('$filter=false');
    expect(of).to.include({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'cache-control': 'private, no-store',
      'accept-ranges': 'none',
      'resource-id': '6215',
      'content-language': 'en',
    });
    expect(of['content-disposition']).to.match(
      /^attachment; filename="structure-versions-aggregated-production-times_TEM-NO_\d{4}-\d\d-\d\d\.csv"$/,
    );
    expect(of).to.not.have.property('etag');
  });

  it('starts with a byte order mark only if it has decimal commas', async () => {
    const mark = Buffer.from([0xef, 0xbb, 0xbf]);
    expect((await csv('$decimal=comma&$filter=false')).body.subarray(0, 3)).to.deep.equal(mark);
    expect((await csv('$filter=false')).body.subarray(0, 3)).to.deep.equal(Buffer.from('Pro'));
  });

  it('contains the same link addresses as JSON', async () => {
    const [header = [], row = []] = parse((await csv('$filter=ProductStructureVersionId%20eq%207')).text);
    expect(row[header.indexOf('ProductLink')]).to.match(/^https:\/\/takt\.example\/product\/products\/\d+$/);
  });

  const refused: readonly (readonly [query: string, errorMessageId: number])[] = [
    ['$format=csv&$top=5', 100224],
    ['$format=csv&$expand=PagingDetails', 100224],
    ['$format=xlsx&$expand=Summary', 100224],
    ['$format=csv&$decimal=dot', 100207],
    ['$decimal=comma', 100225],
    ['$format=csv&$filter=Nonsense%20eq%201', 100214],
  ];
  for (const [query, errorMessageId] of refused) {
    it(`is rejected with error ${errorMessageId} in the format of the Accept header: ${query}`, async () => {
      const answer = await get(`${TIMES}?${query}`);
      expect(answer.status).to.equal(400);
      expect(answer.headers['content-type']).to.equal('application/json; charset=utf-8');
      expect(JSON.parse(answer.text).errorMessage.errorMessageId).to.equal(errorMessageId);
      const page = await api.client.get(`${TIMES}?${query}`, { ...headers, accept: 'text/html' });
      expect(page.headers['content-type']).to.equal('text/html; charset=utf-8');
      // The error message is a single object, so it is not available as CSV. Its link must not contain this format.
      expect(answer.text).to.not.include('format=csv"');
    });
  }

  const accepting = (target: string, accept: string) => api.client.get(target, { ...headers, accept });
  const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';

  for (const [accept, type] of [
    ['text/csv', 'text/csv; charset=utf-8; header=present'],
    ['text/csv;charset=utf-8;header=present', 'text/csv; charset=utf-8; header=present'],
    ['text/csv, */*', 'text/csv; charset=utf-8; header=present'],
    ['application/json;q=0.5, text/csv;q=0.9', 'text/csv; charset=utf-8; header=present'],
    ['text/html;q=0.8, text/csv', 'text/csv; charset=utf-8; header=present'],
    [XLSX, XLSX],
    [`text/csv;q=0.1, ${XLSX};q=0.2`, XLSX],
    ['application/json, text/csv;q=0.9', 'application/json; charset=utf-8'],
    ['text/csv;q=0, */*', 'application/json; charset=utf-8'],
    ['text/*', 'text/html; charset=utf-8'],
    [`application/*, ${XLSX};q=0.9`, 'application/json; charset=utf-8'],
    [BROWSER, 'text/html; charset=utf-8'],
  ] as const) {
    it(`is sent, like XLSX, only if the Accept header prefers the format to all others: ${accept}`, async () => {
      const answer = await accepting(`${TIMES}?$filter=ProductId%20eq%207`, accept);
      expect([answer.status, answer.headers['content-type']]).to.deep.equal([200, type]);
      expect(answer.headers.vary).to.match(/\bAccept\b/);
    });
  }

  it('is the same file for an Accept header and for $format; $format takes precedence', async () => {
    const query = '$filter=ProductId%20eq%207&$decimal=comma&$select=ProductName,AverageRunTime';
    const { body, headers: of } = await accepting(`${TIMES}?${query}`, 'text/csv');
    expect(body.equals((await csv(query)).body)).to.equal(true);
    expect(of['content-disposition']).to.match(/^attachment; filename=/);
    const json = await accepting(`${TIMES}?$format=json&$top=1`, 'text/csv');
    expect(json.headers['content-type']).to.equal('application/json; charset=utf-8');
  });

  it('is rejected with the same error in JSON for an Accept header and for $format', async () => {
    const { status, text } = await accepting(`${TIMES}?$top=5`, 'text/csv');
    expect([status, JSON.parse(text).errorMessage.errorMessageId]).to.deep.equal([400, 100_224]);
  });

  it('is replaced by JSON for a single object and for the index if an Accept header requests CSV', async () => {
    for (const path of ['/system/error-messages/101015', '/', '/system/sessions/current']) {
      const { status, headers: of } = await accepting(path, 'text/csv');
      expect([status, of['content-type']], path).to.deep.equal([200, 'application/json; charset=utf-8']);
    }
  });

  it('is an error for a single object if $format requests CSV', async () => {
    const { status, text } = await get('/system/error-messages/101015?$format=csv');
    expect(status).to.equal(400);
    expect(JSON.parse(text).errorMessage.errorMessageId).to.equal(100223);
  });
});
