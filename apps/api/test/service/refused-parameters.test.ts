import { newestOf, resourceFamilies } from '@takt/catalogue/resources';
import { opened } from '@takt/test-support';
import { expect } from 'chai';
import { insertStructureVersions } from '../support/insert-rows.js';
import { jsonAt } from '../support/json-at.js';
import { SERVED_AT, serveApi } from '../support/serve-api.js';

const LIST = '/product/structure-versions/aggregated-production-times';
const COMPARE = '/product/structure-versions/compare';
/** The largest identifier, and another one with 16 digits. */
const [LARGEST, LONG] = [9_007_199_254_740_991, 1_234_567_890_123_456];

describe('a parameter that a resource would not take into account', () => {
  const api = opened(serveApi);
  let authorization: string;

  before(async () => {
    await insertStructureVersions(api.owner, [
      ...[LARGEST, LONG].map((id) => ({ id, productId: id })),
      { id: 1, planned: { run: '1' }, actual: { run: ['2', '2', '3'] } },
      { id: 2 },
    ]);
    authorization = `Bearer ${await api.createToken('TEM-NO')}`;
  });

  const get = (target: string) => api.client.get(target, { authorization });
  const errorOf = async (target: string) => {
    const { status, text } = await get(target);
    if (status === 200) return `200 ${target}`;
    const error = JSON.parse(text);
    return `${status} ${jsonAt(error, 'errorMessage.errorMessageId')} ${jsonAt(error, 'message')}`;
  };
  /** An address of each resource. Its object need not exist, because parameters are checked first. */
  const addresses = resourceFamilies.map((family) => {
    const { path, parameters = [] } = newestOf(family);
    return { path: path.replaceAll(/\{\w+\}/g, '10001'), own: parameters.map(({ name }) => name) };
  });

  it('is refused by every resource if its name lacks the dollar sign', async () => {
    const names = {
      filter: '$filter',
      top: '$top',
      ORDERBY: '$orderby',
      expand: '$expand',
      format: '$format',
    };
    for (const { path } of addresses) {
      for (const [name, right] of Object.entries(names)) {
        expect(await errorOf(`${path}?${name}=1`), path).to.equal(
          `400 100252 The parameter “${name}” lacks its dollar sign. Write ${right}, or leave it out.`,
        );
      }
    }
  });

  it('is refused by every resource if it would change the rows of other resources', async () => {
    for (const { path, own } of addresses) {
      for (const name of ['from', 'to', 'compareFrom', 'compareTo', 'kind', 'ids']) {
        const refused = `400 100253 This resource has no parameter “${name}”. Leave it out, or ask a resource that has it.`;
        const found = await errorOf(`${path}?${name}=2026-01`);
        expect(found === refused, `${name} ${path}: ${found}`).to.equal(!own.includes(name));
      }
      expect(await errorOf(`${path}?views=1`), path).not.to.match(/^400 10025/);
    }
  });

  it('is refused by a comparison, which has neither filters nor pages', async () => {
    for (const name of [
      '$filter',
      '$orderby',
      '$top',
      '$skip',
      '$pageKey',
      '$inlinecount',
      '$count',
      'search',
    ]) {
      for (const format of ['json', 'xml', 'html']) {
        const { status, text } = await get(`${COMPARE}?ids=1,2&${name}=1&$format=${format}`);
        expect(status, `${name} ${format}`).to.equal(400);
        expect(text).to.include(`This resource has no parameter “${name}”.`);
      }
    }
    expect(
      (await get(`${COMPARE}?ids=1,2&$select=RunTime&$expand=Summary&from=2020-01&$lang=deu`)).status,
    ).to.equal(200);
  });

  it('is refused if it is a month without a value', async () => {
    for (const name of ['from', 'to', 'compareFrom', 'compareTo']) {
      expect(await errorOf(`${LIST}?${name}=`), name).to.match(new RegExp(`^400 100207 .*“${name}”`));
    }
    expect(await errorOf(`/product/structure-versions/1/aggregated-production-times?from=`)).to.match(
      /^400 100207/,
    );
    // A form sends its empty fields too.
    for (const path of [LIST, '/product/structure-versions/1/aggregated-production-times']) {
      const { status, headers } = await get(`${path}?$format=html&form=period&from=&to=2026-01`);
      expect([status, headers.location]).to.deep.equal([
        303,
        `${SERVED_AT}${path}?$format=html&to=2026-01&$db=TEM-NO`,
      ]);
    }
  });

  it('is in no link of a page with a period', async () => {
    const start = [
      `${LIST}?$format=html&from=2020-01&compareFrom=2019-01&compareTo=2019-12`,
      `/product/products/aggregated-production-times?$format=html&from=2020-01`,
      '/product/structure-versions/1/aggregated-production-times?$format=html&from=2020-01',
      `${COMPARE}?ids=1,2&$format=html&from=2020-01`,
    ];
    const seen = new Set<string>();
    for (const address of start) {
      const { status, text } = await get(address);
      expect(status, text).to.equal(200);
      for (const [, href = ''] of text.matchAll(/<a [^>]*href="([^"]+)"/g)) {
        const target = href.replaceAll('&#39;', "'").replaceAll('&amp;', '&');
        if (target.startsWith(SERVED_AT)) seen.add(target.slice(SERVED_AT.length));
      }
    }
    expect([...seen].filter((target) => target.includes('from=2020-01')).length).to.be.greaterThan(10);
    for (const target of seen) expect((await get(target)).status, target).not.to.equal(400);
  });

  it('does not include identifiers of 16 digits, which every resource takes', async () => {
    const { text } = await get(`${COMPARE}?ids=${LARGEST},${LONG}`);
    expect(jsonAt(JSON.parse(text), 'productStructureVersionAggregatedProductionTimes')).to.have.lengthOf(2);
    const product = '/product/products/aggregated-production-times';
    const page = await get(`${product}?$format=html&open=${LARGEST}`);
    expect(page.text).to.include(`/product/structure-versions/${LARGEST}/`);
    expect(await errorOf(`${COMPARE}?ids=9007199254740992`)).to.match(/^400 100207/);
  });

  it('leaves an identifier beyond 2^53 as it was written', async () => {
    const beyond = '99999999999999999999';
    expect(await errorOf(`/product/products/${beyond}`))
      .to.include(`404`)
      .and.include(beyond);
    expect(
      await errorOf(`/product/structure-versions/${beyond}/aggregated-production-times/months`),
    ).to.include(beyond);
  });

  it('is not among the parameters of a comparison in its metadata', async () => {
    const { text } = await get(`/metadata?uri=${COMPARE}&$expand=URIParameters,ExpandableFields`);
    const { metadata } = JSON.parse(text);
    expect(metadata.uri).to.equal(COMPARE);
    expect(metadata.uriParameters.map(({ name }: { name: string }) => name)).to.deep.equal([
      ...['ids', 'from', 'to', 'compareFrom', 'compareTo'],
    ]);
    expect([metadata.filterFields, metadata.sortableFields]).to.deep.equal([[], []]);
    expect(metadata.responseFields.length).to.be.greaterThan(20);
  });

  it('is told on a page if it is a number of rows above the largest', async () => {
    const told = 'A page has at most 80 rows.';
    expect((await get(`${LIST}?$format=html&$top=81`)).text).to.include(told);
    expect((await get(`${LIST}?$format=html&$top=80`)).text).not.to.include(told);
    expect((await get(`${LIST}?$format=html&$top=$max`)).text).not.to.include(told);
  });

  it('does not limit a list of months to another number of rows than other lists', async () => {
    const { text } = await get('/product/structure-versions/1/aggregated-production-times/months');
    expect(jsonAt(JSON.parse(text), 'paging.pageSize')).to.equal(10);
  });
});
