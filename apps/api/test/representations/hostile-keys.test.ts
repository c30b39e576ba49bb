import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { insertOperations, insertStructureVersions } from '../support/insert-rows.js';
import { serveApi } from '../support/serve-api.js';

/** Keys that the event contract accepts, and that a careless writer would misread. */
const HOSTILE = [
  '=HYPERLINK("http://x","y")',
  '+1',
  '<script>alert(1)</script>',
  `O'Neil "&" Söhne`,
  '../../%41/..;?$filter=x#y',
  '\u05d0\u05d1-\u0661',
  '\u{1f527}'.repeat(200),
  '0010',
  'a\u0334\u0345',
  ']]>--><!--',
  "x' or 1 eq 1 or '",
  '%_\\',
];
const LIST = '/product/structure-versions/aggregated-production-times';

describe('keys that look like something else', () => {
  const api = opened(serveApi);
  let authorization: string;
  const get = (target: string, accept: string) => api.client.get(target, { authorization, accept });

  before(async () => {
    await insertStructureVersions(
      api.owner,
      HOSTILE.map((key, index) => ({ id: 1 + index, key, productKey: key, actual: { run: ['1'] } })),
    );
    await insertOperations(
      api.owner,
      HOSTILE.map((key, index) => ({ id: 1 + index, structureVersionId: 1, key, workOrderKey: key })),
    );
    authorization = `Bearer ${await api.createToken('TEM-NO')}`;
  });

  it('are exact in JSON and CSV, escaped in XML and HTML, and no formula in a spreadsheet', async () => {
    const { text } = await get(`${LIST}?$expand=Keys&$top=$max`, 'application/json');
    const rows: readonly Record<string, Record<string, unknown>>[] =
      JSON.parse(text).productStructureVersionAggregatedProductionTimes;
    expect(rows.map((row) => row['productStructureVersion']?.['productStructureVersionKey'])).to.deep.equal(
      HOSTILE,
    );
    const xml = (await get(`${LIST}?$expand=Keys&$top=$max`, 'application/xml')).text;
    expect(xml).to.include('&lt;script&gt;').and.not.include('<script>').and.not.include(']]>-->');
    const csv = (await get(`${LIST}?$expand=Keys&$format=csv`, 'text/csv')).text;
    expect(csv).to.include(`"'=HYPERLINK(""http://x"",""y"")"`).and.include(`'+1`);
    for (const target of [
      LIST,
      `${LIST}?view=all`,
      '/product/structure-versions/1/work-order-operations',
      '/product/products',
    ]) {
      const page = await get(target, 'text/html');
      expect(page.status, target).to.equal(200);
      expect(page.text, target).to.include('&lt;script&gt;').and.not.include('<script>alert');
      // Addresses have numbers, never keys.
      expect(page.text, target).not.to.match(/href="[^"]*(?:HYPERLINK|%2541|\.\.%2F)/i);
    }
  });

  it('are found by exactly their own filter and search, and shown on the page of an operation', async () => {
    for (const [index, key] of HOSTILE.entries()) {
      const filter = encodeURIComponent(`ProductStructureVersionKey eq '${key.replaceAll("'", "''")}'`);
      const { status, text } = await get(
        `${LIST}?$filter=${filter}&$select=ProductStructureVersionId`,
        'application/json',
      );
      expect(status, key).to.equal(200);
      const ids = [...text.matchAll(/"productStructureVersionId":(\d+)/g)].map(([, id]) => Number(id));
      expect(ids, key).to.deep.equal([1 + index]);
      const page = await get(`/product/work-order-operations/${1 + index}`, 'text/html');
      expect(page.status, key).to.equal(200);
      expect(page.text).not.to.include('<script>alert');
    }
    for (const path of ['', '/aggregated-production-times', '/work-order-operations']) {
      const page = await get(`/product/structure-versions/8${path}`, 'text/html');
      expect(page.text, path).to.match(/<title>[^<]*0010[^<]*<\/title>/);
    }
    const order = await get(
      `${LIST}?$orderby=ProductStructureVersionKey desc&$top=3&$expand=Keys`.replace(' ', '%20'),
      'application/json',
    );
    expect(order.status).to.equal(200);
  });
});
