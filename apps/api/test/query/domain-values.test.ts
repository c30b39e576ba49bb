import { servedDomains } from '@takt/catalogue/resources';
import { elementsAt, opened, parseXml } from '@takt/test-support';
import type { Language } from '@takt/texts';
import { expect } from 'chai';
import { jsonAt } from '../support/json-at.js';
import { domainValues } from '../support/resources.js';
import { SERVED_AT, serveApi } from '../support/serve-api.js';

const PATH = domainValues.path;
const STATUS = 'object=Product&field=Status';

/** Returns the keys of a domain in the alphabetical order of their descriptions in the language. */
function inOrderOf(domain: string, language: Language): readonly string[] {
  const { values = {} } = servedDomains().find(({ object, field }) => `${object}.${field}` === domain) ?? {};
  const { compare } = new Intl.Collator(language === 'deu' ? 'de' : 'en');
  return Object.entries(values)
    .sort(([, one], [, other]) => compare(one[language], other[language]))
    .map(([key]) => key);
}

describe('the possible values of a domain field', () => {
  const api = opened(serveApi);
  let token: string;

  before(async () => {
    // The token has no permissions and duties, because these lists need none.
    token = await api.createToken('TEM-NO', { permissions: [], duties: [] });
  });

  const ask = (query: string, asking = token) =>
    api.client.get(`${PATH}?${query}`, { authorization: `Bearer ${asking}` });
  const json = async (query: string): Promise<unknown> => {
    const { status, text } = await ask(query);
    expect(status, text).to.equal(200);
    return JSON.parse(text);
  };
  const keysOf = async (query: string) => {
    const values = jsonAt(await json(query), 'domainValues');
    return Array.isArray(values) ? values.map((value) => jsonAt(value, 'key')) : [];
  };
  const faultOf = async (query: string) => {
    const { status, text } = await ask(query);
    const [message, parameter] = ['message', 'parameters.0.value'].map((path) =>
      jsonAt(JSON.parse(text), path),
    );
    return { status, message: String(message), parameter };
  };

  it('are listed by priority for each domain, in JSON, XML and several languages', async () => {
    for (const { object, field, values } of servedDomains()) {
      for (const language of ['eng', 'deu', 'pol'] satisfies Language[]) {
        const query = `object=${object}&field=${field}&$lang=${language}&$top=$max`;
        const expected = Object.entries(values).map(([key, texts], index) => ({
          ...{ key, description: texts[language], priority: index + 1 },
        }));
        expect(jsonAt(await json(query), 'domainValues')).to.deep.equal(expected);
        const xml = parseXml((await ask(`${query}&$format=xml`)).text);
        expect(xml.name).to.equal('DomainValues');
        const column = (name: string) => elementsAt(xml, `DomainValue.${name}`).map(({ text }) => text);
        expect(column('Key')).to.deep.equal(expected.map(({ key }) => key));
        expect(column('Description')).to.deep.equal(expected.map(({ description }) => description));
        expect(column('Priority')).to.deep.equal(expected.map(({ priority }) => String(priority)));
      }
    }
  });

  it('are listed by key if their priorities are equal', async () => {
    const of = "WHERE object = 'Product' AND field = 'Status'";
    await api.owner.query(`UPDATE takt.domain_values SET priority = 10 - key::integer ${of}`);
    expect(await keysOf(STATUS)).to.deep.equal(['9', '7', '6', '5', '4', '3', '2']);
    await api.owner.query(`UPDATE takt.domain_values SET priority = 1 ${of}`);
    expect(await keysOf(STATUS)).to.deep.equal(['2', '3', '4', '5', '6', '7', '9']);
    await api.owner.query(
      `UPDATE takt.domain_values SET priority = listed.place FROM (
         SELECT key, row_number() OVER (ORDER BY key) AS place FROM takt.domain_values ${of}
       ) AS listed ${of} AND domain_values.key = listed.key`,
    );
  });

  it('are found by object and field in any letter case', async () => {
    expect(await keysOf('OBJECT=product&Field=TYPE')).to.deep.equal(
      await keysOf('object=Product&field=Type'),
    );
  });

  it('are replaced by an error with the known names if the object or field is missing or unknown', async () => {
    for (const [query, parameter, expected] of [
      ['', 'object', "'Product', 'PlanSuggestion'"],
      ['field=Status', 'object', "'Application' or 'ErrorMessage'"],
      ['object=Product', 'field', "'Status' or 'Type'"],
      ['object=Produkt&field=Status', 'object', "'Product'"],
      ['object=Product&field=Scope', 'field', "'Status' or 'Type'"],
      ['object=Product&object=Product&field=Type', 'object', 'more than once'],
    ]) {
      const fault = await faultOf(query ?? '');
      expect([fault.status, fault.parameter], query).to.deep.equal([400, parameter]);
      expect(fault.message).to.include(expected);
    }
  });

  it('can be filtered and ordered by every field, including the translated description', async () => {
    const filter = (expression: string) => `${STATUS}&$filter=${encodeURIComponent(expression)}`;
    expect(await keysOf(filter("Key in ('4', '9')"))).to.deep.equal(['4', '9']);
    expect(await keysOf(filter('Priority gt 5'))).to.deep.equal(['7', '9']);
    expect(await keysOf(filter("Description eq 'NEW'"))).to.deep.equal(['2']);
    expect(await keysOf(`${filter("Description eq 'neu'")}&$lang=deu`)).to.deep.equal(['2']);
    expect(await keysOf(filter("Description eq 'neu'"))).to.deep.equal([]);
    expect(await keysOf(`${STATUS}&$orderby=Key%20desc&$top=2`)).to.deep.equal(['9', '7']);
    const byText = await keysOf(`${STATUS}&$orderby=Description&$lang=deu`);
    expect(byText).to.deep.equal(inOrderOf('Product.Status', 'deu'));
    // The descriptions contain spaces, commas and umlauts, which have another order by their bytes.
    const types = await keysOf('object=Product&field=Type&$orderby=Description&$lang=deu');
    expect(types).to.deep.equal(inOrderOf('Product.Type', 'deu'));
  });

  it('have page keys for one language only, because each language has its own order', async () => {
    const byText = `${STATUS}&$orderby=Description&$top=3`;
    const paging = jsonAt(await json(`${byText}&$expand=PagingDetails`), 'paging');
    const key = String(jsonAt(paging, 'nextPageKey'));
    expect(await keysOf(`${byText}&$pageKey=${key}`)).to.deep.equal(
      inOrderOf('Product.Status', 'eng').slice(3, 6),
    );
    const { status, message } = await faultOf(`${byText}&$lang=deu&$pageKey=${key}`);
    expect([status, /another|ander/.test(message)], message).to.deep.equal([400, true]);
  });

  it('have page keys for one object and field only', async () => {
    const paging = jsonAt(await json(`$top=3&FIELD=status&object=product&$expand=PagingDetails`), 'paging');
    const [next, key] = [String(jsonAt(paging, 'nextPage')), String(jsonAt(paging, 'nextPageKey'))];
    const { text } = await api.client.get(next.slice(SERVED_AT.length), { authorization: `Bearer ${token}` });
    const values = jsonAt(JSON.parse(text), 'domainValues');
    expect(Array.isArray(values) && values.map((value) => jsonAt(value, 'key'))).to.deep.equal([
      '5',
      '6',
      '7',
    ]);
    expect(await keysOf(`${STATUS}&$top=3&$pageKey=${key}`)).to.deep.equal(['5', '6', '7']);
    for (const other of ['object=Product&field=Type', 'object=ProductStructureVersion&field=Status']) {
      const { status, message } = await faultOf(`${other}&$top=3&$pageKey=${key}`);
      expect([status, message.includes('another')], message).to.deep.equal([400, true]);
    }
  });

  it('can be exported as a file', async () => {
    const { status, text } = await ask(`object=Product&field=Type&$format=csv`);
    expect(status).to.equal(200);
    expect(text.split('\r\n').slice(0, 2)).to.deep.equal([
      'Key,Description,Priority',
      'K,product with structure,1',
    ]);
    const { headers } = await ask(`object=Product&field=Type&$format=xlsx`);
    expect(headers['content-type']).to.include('spreadsheetml');
  });

  it('have an HTML page whose links keep object and field', async () => {
    const { status, text } = await ask(`${STATUS}&$format=html&$top=3&$lang=swe`);
    expect(status).to.equal(200);
    const links = [...text.matchAll(/href="([^"]*applicable-values[^"]*)"/g)].map(([, href = '']) => href);
    expect(links.length).to.be.greaterThan(10);
    for (const link of links) expect(link).to.include('object=Product').and.include('field=Status');
  });
});
