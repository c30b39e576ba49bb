import { opened, parseXml } from '@takt/test-support';
import { type Language, languages } from '@takt/texts';
import { expect } from 'chai';
import { accessRuleIds, permissionIds } from '../../src/computed/computed-objects.js';
import { jsonAt } from '../support/json-at.js';
import { SERVED_AT, serveApi } from '../support/serve-api.js';
import { EVERYTHING, errorIdIn, type ToldResource } from './told-resource.js';

const NOT_FOUND = 100_000;
const MISSING_PARAMETER = 100_240;
const DETAIL = '/product/structure-versions/{productStructureVersionId}';
const LIST = '/product/structure-versions/aggregated-production-times';

describe('the answer of /metadata', () => {
  const api = opened(serveApi);
  let token: string;
  before(async () => {
    token = await api.createToken('TEM-NO');
  });

  const ask = async (query: string, path = '/metadata') =>
    await api.client.get(`${path}?${query}`, { authorization: `Bearer ${token}` });
  const tell = async (query: string): Promise<ToldResource> => JSON.parse((await ask(query)).text).metadata;

  it('has the fields and the order that clients of RamBase expect', async () => {
    const { text } = await ask(`uri=${LIST}&verb=GET&${EVERYTHING}`);
    const { metadata } = JSON.parse(text);
    expect(Object.keys(metadata)).to.deep.equal([
      ...['description', 'uri', 'maximumResultRows', 'admittance', 'uriParameters', 'inputFields'],
      ...['responseFields', 'filterFields', 'sortableFields', 'namedFilters', 'macroDefinitions'],
    ]);
    expect(metadata).to.include({ uri: LIST, maximumResultRows: 80 });
    expect(metadata.admittance).to.deep.equal({
      ...{ accessDenied: null, accessRuleId: null, missingPermissionId: null, errorMessageId: null },
    });
    const status = metadata.responseFields.find(
      ({ path }: { readonly path: string }) => path === 'productStructureVersion.status',
    );
    expect(Object.entries(status)).to.deep.equal([
      ['name', 'Status'],
      ['translatedName', 'Status'],
      ['datatype', 'Integer'],
      ['path', 'productStructureVersion.status'],
      ['description', 'Status of the product structure.'],
      ['translatedDescription', 'Status of the product structure.'],
      ['hasDomainDescription', true],
      [
        'applicableDomainValues',
        `${SERVED_AT}/system/domain-values/applicable-values?object=ProductStructureVersion&field=Status`,
      ],
      ['expandParameter', null],
    ]);
    const named = (fields: readonly Record<string, unknown>[], name: string) =>
      Object.entries(fields.find((field) => field['name'] === name) ?? {});
    const average = [
      ['name', 'AverageRunTime'],
      ['translatedName', 'Average run time'],
      ['datatype', 'Decimal'],
    ];
    const filterField = named(metadata.filterFields, 'AverageRunTime');
    expect(filterField.slice(0, 3)).to.deep.equal(average);
    expect(filterField.map(([name]) => name).slice(3)).to.deep.equal([
      ...['description', 'translatedDescription', 'applicableDomainValues', 'macroSet'],
    ]);
    const sortableField = named(metadata.sortableFields, 'AverageRunTime');
    expect(sortableField.slice(0, 3)).to.deep.equal(average);
    expect(sortableField.map(([name]) => name).slice(3)).to.deep.equal([
      'description',
      'translatedDescription',
    ]);
  });

  it('contains the data that a client needs for requests', async () => {
    const plain = await tell(`uri=${LIST}`);
    expect(Object.keys(plain)).to.deep.equal([
      ...['uri', 'maximumResultRows', 'admittance', 'inputFields', 'responseFields', 'filterFields'],
      ...['sortableFields', 'namedFilters'],
    ]);
    expect(Object.keys(plain.responseFields[0] ?? {})).to.deep.equal([
      ...['name', 'datatype', 'path', 'hasDomainDescription'],
    ]);
    expect(Object.keys(plain.filterFields[0] ?? {})).to.deep.equal(['name', 'datatype', 'macroSet']);
    const pathsOf = ({ responseFields }: ToldResource) => responseFields.map(({ path }) => path);
    expect(pathsOf(plain)).not.to.include('planComparison.hoursOverPlan');
    const all = await tell(`uri=${LIST}&$expand=expandablefields`);
    expect(pathsOf(all)).to.include('planComparison.hoursOverPlan');
    expect(all.responseFields.find(({ path }) => path === 'planComparison.hoursOverPlan')).to.include({
      expandParameter: 'PlanComparison',
    });
    const { status, text } = await ask(`uri=${LIST}&$expand=Description,Nothing`);
    expect([status, jsonAt(JSON.parse(text), 'parameters.2.value')]).to.deep.equal([400, 'Nothing']);
  });

  it('is the same for a template and for a concrete path in any spelling', async () => {
    const { text } = await ask(`uri=${encodeURIComponent(DETAIL)}&verb=GET&${EVERYTHING}`);
    expect(jsonAt(JSON.parse(text), 'metadata.uri')).to.equal(DETAIL);
    for (const uri of [
      DETAIL.slice(1),
      '/product/structure-versions/{id}',
      '/product/structure-versions/7',
      'product/structure-versions/7?$select=Name&$top=3',
      '//product/structure-versions/none#there',
      `${SERVED_AT}/product/structure-versions/7`,
      ` ${DETAIL} `,
    ]) {
      for (const rest of ['', '&VERB=get', '&verb=', '&verb=HEAD']) {
        const told = await ask(`URI=${encodeURIComponent(uri)}${rest}&${EVERYTHING}`);
        expect(told.text, uri + rest).to.equal(text);
      }
    }
    const written = await tell(`uri=${LIST}`);
    expect(written.uri, 'a path that is written out stands before one with an identifier').to.equal(LIST);
  });

  for (const uri of ['batch', '/batch', `${SERVED_AT}/batch?resource0=x`]) {
    it(`describes a batch, although a batch is not a resource: ${uri}`, async () => {
      const told = await tell(`uri=${encodeURIComponent(uri)}&${EVERYTHING}`);
      expect(told).to.include({ uri: '/batch', maximumResultRows: null });
      expect(Object.values(told.admittance)).to.deep.equal([null, null, null, null]);
      expect(told.uriParameters.map(({ name, isRequired }) => [name, isRequired])).to.deep.equal([
        ['resource0', true],
      ]);
      expect(told.responseFields.map(({ path, datatype }) => [path, datatype])).to.deep.equal([
        ['resources[].uri', 'String'],
        ['resources[].batchId', 'String'],
      ]);
      expect([told.filterFields, told.sortableFields]).to.deep.equal([[], []]);
    });
  }

  const refused: readonly (readonly [
    query: string,
    status: number,
    id: number,
    parameters: readonly string[],
  ])[] = [
    ['uri=nothing/7', 404, NOT_FOUND, ['GET', '/nothing/7']],
    ['uri=/product/products/', 404, NOT_FOUND, ['GET', '/product/products/']],
    ['uri=/Product/Products', 404, NOT_FOUND, ['GET', '/Product/Products']],
    ['uri=https%3A%2F%2Felsewhere.example/x', 404, NOT_FOUND, ['GET', '/https://elsewhere.example/x']],
    ['uri=/', 404, NOT_FOUND, ['GET', '/']],
    ['uri=/product/products&verb=post', 404, NOT_FOUND, ['POST', '/product/products']],
    ['verb=GET', 400, MISSING_PARAMETER, ['uri']],
    ['uri=+&verb=GET', 400, MISSING_PARAMETER, ['uri']],
    ['uri=a&URI=b', 400, 100_204, ['uri']],
    ['uri=a%00', 400, 100_205, ['uri', '2']],
  ];
  for (const [query, status, id, parameters] of refused) {
    it(`is an error for a wrong request, with the cause in its parameters: ${query}`, async () => {
      const answer = await ask(`${query}&$format=json`);
      expect([answer.status, errorIdIn(answer.text)]).to.deep.equal([status, id]);
      const told: readonly { readonly value: string }[] = JSON.parse(answer.text).parameters;
      expect(told.map(({ value }) => value)).to.deep.equal(parameters);
      const xml = await ask(`${query}&$format=xml`);
      expect([xml.status, parseXml(xml.text).name]).to.deep.equal([status, 'Error']);
    });
  }

  it('does not repeat a token from the requested path', async () => {
    const { status, text } = await ask(`uri=${encodeURIComponent(`/nothing/$access_token=${token}`)}`);
    expect(status).to.equal(404);
    expect(text).not.to.include(token);
  });

  it('contains field names in the language of $lang; the translated names of filter fields are unique', async () => {
    const names = new Map<Language, readonly string[]>();
    for (const language of languages) {
      const { filterFields } = await tell(`uri=${LIST}&$expand=TranslatedName&$lang=${language}`);
      const told = filterFields.map(({ translatedName }) => translatedName);
      expect(new Set(told), language).to.have.lengthOf(filterFields.length);
      names.set(language, told);
    }
    const english = names.get('eng') ?? [];
    for (const [language, told] of names) {
      const alike = told.filter((name, index) => name === english[index]);
      expect(alike.length, language).to.be[language === 'eng' ? 'greaterThan' : 'lessThan'](
        language === 'eng' ? english.length - 1 : english.length / 3,
      );
    }
  });

  it('repeats $format and $db in the addresses of domain values', async () => {
    const { text } = await ask(`uri=/product/products&$format=json&$db=tem-no&${EVERYTHING}`);
    const { filterFields }: ToldResource = JSON.parse(text).metadata;
    expect(filterFields.find(({ name }) => name === 'Status')?.applicableDomainValues).to.equal(
      `${SERVED_AT}/system/domain-values/applicable-values?object=Product&field=Status&$format=json&$db=tem-no`,
    );
  });

  it('has fixed identifiers of permissions and access rules', () => {
    expect(permissionIds).to.deep.equal({
      ...{ 'production-times': 1, 'error-messages': 2, 'application-versions': 3, 'publish-events': 4 },
    });
    expect(accessRuleIds).to.deep.equal({
      ...{ 'read-production-times': 1, 'read-planned-times': 2, 'read-error-messages': 3 },
      ...{ 'read-application-versions': 4, 'read-persons': 5, 'operate-queues': 6 },
      'operate-all-companies': 7,
      'manage-access': 8,
    });
  });
});
