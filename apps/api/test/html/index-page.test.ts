import { newestOf, resourceFamilies, serviceTexts } from '@takt/catalogue/resources';
import { bodyOf } from '@takt/http';
import { elementsAt, parseXml } from '@takt/test-support';
import { languages, languageTag } from '@takt/texts';
import { expect } from 'chai';
import { writeIndex } from '../../src/respond/write-answer.js';
import { contextOf } from './sample-pages.js';

const context = (overrides: Parameters<typeof contextOf>[0] = {}) =>
  contextOf({
    path: '/',
    parameters: [{ name: 'view', value: 'resources' }],
    linkSuffix: () => '',
    company: undefined,
    companies: [],
    visitor: { kind: 'unknown' },
    ...overrides,
  });
const written = (format: 'html' | 'json' | 'xml', overrides: Parameters<typeof contextOf>[0] = {}) =>
  bodyOf(writeIndex(format, context(overrides))).toString();

const resources = resourceFamilies.map(newestOf);
const BASE = 'https://takt.example/api';

describe('The index of the service', () => {
  it('lists every resource; resources without an identifier or a required parameter have a link', () => {
    const html = written('html');
    for (const { path, title, summary, parameters = [] } of resources) {
      expect(html).to.include(`<p>${summary.eng}</p><code>${path.replaceAll('/', '<wbr/>/')}</code>`);
      const link = `<h3><a href="${BASE}${path}(\\?[^"]*)?">${title.eng}</a></h3>`;
      const isLinked = new RegExp(link).test(html);
      const needsMore = path.includes('{') || parameters.some(({ isRequired }) => isRequired);
      expect(isLinked, path).to.equal(!needsMore);
    }
    for (const path of ['/docs', '/openapi.json', '/schema.xsd'])
      expect(html).to.include(`href="${BASE}${path}"`);
    expect(html).to.include('href="https://takt.example/health/ready"');
  });

  it('has the same content in JSON and XML, in the requested language', () => {
    const json = JSON.parse(written('json', { language: 'deu', linkSuffix: () => '?$format=json' }));
    expect(json.name).to.equal('Takt');
    expect(json.resources.map(({ path }: { readonly path: string }) => path)).to.deep.equal(
      resources.map(({ path }) => path),
    );
    expect(json.resources[0]).to.deep.equal({
      resourceId: 6215,
      version: 5,
      title: 'Produktionszeiten',
      summary: resources[0]?.summary.deu,
      path: '/product/structure-versions/aggregated-production-times',
      resourceLink: `${BASE}/product/structure-versions/aggregated-production-times?$format=json`,
    });
    for (const [path, resourceLink] of [
      ['/system/error-messages/{errorMessageId}', null],
      ['/metadata', null],
      ['/system/sessions/current', `${BASE}/system/sessions/current?$format=json`],
    ]) {
      const told = json.resources.find((entry: { readonly path: string }) => entry.path === path);
      expect(told, String(path)).to.include({ resourceLink });
    }
    expect(json.documents[0]).to.deep.equal({
      title: 'Dokumentation',
      summary: serviceTexts.documentationSummary.deu,
      documentLink: `${BASE}/docs`,
    });
    const root = parseXml(written('xml', { language: 'deu', linkSuffix: () => '?$format=json' }));
    const xmlOf = (path: string) => elementsAt(root, path).map(({ text, isNil }) => (isNil ? null : text));
    type Entry = Readonly<Record<string, unknown>>;
    const jsonOf = (entries: readonly Entry[], name: string) =>
      entries.map(({ [name]: value }) => (value === null ? null : String(value)));
    for (const [element, name] of [
      ['ResourceId', 'resourceId'],
      ['Title', 'title'],
      ['ResourceLink', 'resourceLink'],
    ] as const) {
      expect(xmlOf(`Resources.Resource.${element}`)).to.deep.equal(jsonOf(json.resources, name));
    }
    expect(xmlOf('Documents.Document.DocumentLink')).to.deep.equal(jsonOf(json.documents, 'documentLink'));
  });

  it('is a sign-in form at the root if nobody is signed in', () => {
    for (const kind of ['unknown', 'session-ended'] as const) {
      const html = written('html', { visitor: { kind }, parameters: [] });
      expect(html).to.include('name="password"').and.to.include('name="token"');
      expect(html).to.include(`action="${BASE}/oauth2?return=%2F"`);
      expect(html).not.to.include(`${BASE}/oauth2/logout`);
    }
    const html = written('html', {
      visitor: { kind: 'signed-in', person: 'Kari <Nordmann>', duties: 'all' },
    });
    expect(html).not.to.include('name="password"');
    expect(html)
      .to.include('Signed in as Kari &lt;Nordmann&gt;')
      .and.to.include(`<form method="post" action="${BASE}/oauth2/logout">`);
  });

  for (const language of languages) {
    it(`is written in the language of the reader: ${language}`, () => {
      const html = written('html', { language });
      expect(html).to.include(`<html lang="${languageTag(language)}">`);
      for (const { summary } of resources) expect(html).to.include(summary[language]);
      expect(html).to.include(serviceTexts.lead[language]).and.to.include(serviceTexts.health[language]);
    });
  }

  it('must not be cached as an HTML page, and lacks the headers of a resource', () => {
    for (const format of ['html', 'json', 'xml'] as const) {
      const { headers } = writeIndex(format, context());
      expect(headers['Cache-Control']).to.equal(format === 'html' ? 'private, no-store' : undefined);
      expect(headers).to.include.keys('ETag', 'Vary', 'Content-Language');
      expect(headers).not.to.have.any.keys('Resource-Id', 'Resource-Version');
    }
  });
});
