import { someOf } from '@takt/test-support';
import { languages, languageTag } from '@takt/texts';
import { expect } from 'chai';
import { errorIdOf, leavesOfJson, leavesOfXml } from '../support/document.js';
import { type DocumentChecks, openDocumentChecks } from '../support/document-checks.js';
import { storeSamples } from '../support/master-data.js';
import { asking, formats, servedResources } from '../support/served-resources.js';
import { openTestApi, type TestApi } from '../support/test-api.js';

const BASE = 'https://takt.example/erp';
const UNSUPPORTED_VERSION = 100220;
/**
 * Expected tag of each language. The main tags are written out, to check languageTag. The other tags come from
 * languageTag itself.
 */
const LANGUAGE_TAGS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(languages.map((language) => [language, languageTag(language)])),
  ...{ eng: 'en', nob: 'nb', swe: 'sv', dan: 'da' },
  ...{ deu: 'de', fra: 'fr', spa: 'es', pol: 'pl' },
};

describe('the API with a parameter that every resource accepts', function () {
  this.timeout(180_000);
  let service: TestApi;
  let checks: DocumentChecks;

  before(async () => {
    service = await openTestApi({ companies: ['TEM-NO', 'TEM-SE'], baseUrlOf: () => BASE });
    await storeSamples(service, ['TEM-NO', 'TEM-SE']);
    checks = await openDocumentChecks(service.client);
  });
  after(async () => {
    checks?.close();
    await service?.close();
  });

  async function readJson(target: string, headers: Readonly<Record<string, string>> = {}) {
    const { status, text } = await service.client.get(target, headers);
    expect(status, text).to.equal(200);
    return leavesOfJson(JSON.parse(text));
  }

  for (const { name, path, template, version, kind, objects, selected, description } of servedResources) {
    it(`returns only the fields of $select, in their usual place: ${name}`, async () => {
      const all = await readJson(path);
      const some = await readJson(`${asking(path)}$select=${selected.name}`);
      const ownLeaves = [...some].filter(([leaf]) => !leaf.startsWith('/paging'));
      expect(ownLeaves).to.have.lengthOf(objects);
      expect(some.get(selected.leaf)).to.be.a('string').and.equal(all.get(selected.leaf));
      for (const format of formats) {
        const { text } = await service.client.get(
          `${asking(path)}$select=${selected.name}&$format=${format}`,
        );
        await checks.expectValidSelection(text, format, template);
        if (format === 'xml') expect([...leavesOfXml(text).keys()]).to.include(selected.leaf);
      }
    });

    it(`adds descriptions of domain values on request in ${languages.length} languages: ${name}`, async () => {
      if (description === undefined) return;
      expect((await readJson(path)).has(description)).to.equal(false);
      const texts = new Set<string>();
      for (const language of languages) {
        const asked = await readJson(`${asking(path)}$showDomainDescriptions=true&$lang=${language}`);
        const text = asked.get(description);
        expect(text, language).to.be.a('string').and.not.equal('');
        texts.add(String(text));
        const { text: xml } = await service.client.get(
          `${asking(path)}$showDomainDescriptions=1&$lang=${language}&$format=xml`,
        );
        await checks.expectValid(xml, 'xml', template, '200');
        expect(leavesOfXml(xml).get(description)).to.equal(text);
      }
      // Some languages use the same word, but not all of them do.
      expect(texts.size).to.be.greaterThan(2);
      const unknown = await readJson(`${asking(path)}$showDomainDescriptions=true&$lang=xxx`);
      const english = await readJson(`${asking(path)}$showDomainDescriptions=true&$lang=eng`);
      expect([...unknown.values()]).to.deep.equal(
        [...english.values()].map((value) => value?.replace('$lang=eng', '$lang=xxx') ?? null),
      );
    });

    it(`writes its pages in ${languages.length} languages, by $lang and by Accept-Language: ${name}`, async () => {
      for (const language of someOf(languages, 2)) {
        const tag = LANGUAGE_TAGS[language] ?? '';
        const byParameter = await service.client.get(`${asking(path)}$format=html&$lang=${language}`, {
          'accept-language': 'pl,en;q=0.5',
        });
        expect(byParameter.text).to.include(`<html lang="${tag}">`);
        expect(byParameter.headers['content-language']).to.equal(tag);
        const byHeader = await service.client.get(`${asking(path)}$format=html`, { 'accept-language': tag });
        expect(byHeader.text).to.include(`<html lang="${tag}">`);
        expect(byHeader.headers['content-language']).to.equal(tag);
        await checks.expectValid(byParameter.text, 'html', template, '200');
      }
    });

    it(`accepts the version of the resource as $useMinimumVersion and rejects a newer version: ${name}`, async () => {
      for (const minimum of [0, version - 1, version]) {
        const { status, headers } = await service.client.get(`${asking(path)}$useMinimumVersion=${minimum}`);
        expect(status).to.equal(200);
        expect(headers['resource-version']).to.equal(String(version));
      }
      const answer = await service.client.get(`${asking(path)}$useMinimumVersion=${version + 1}`);
      expect(answer.status).to.equal(400);
      expect(errorIdOf(answer)).to.equal(UNSUPPORTED_VERSION);
    });

    it(`starts every link with the base URL, even for another Host header, and keeps $format and $db: ${name}`, async () => {
      const parameters = '$db=TEM-SE&$top=2&$expand=PagingDetails'.replace(/&.*/, (ofList) =>
        kind === 'list' ? ofList : '',
      );
      for (const format of ['json', 'xml']) {
        const { text } = await service.client.get(`${asking(path)}$format=${format}&${parameters}`, {
          host: 'evil.example',
          'x-forwarded-host': 'evil.example',
          forwarded: 'host=evil.example',
        });
        expect(text).not.to.include('evil');
        const leaves = format === 'xml' ? leavesOfXml(text) : leavesOfJson(JSON.parse(text));
        const links = [...leaves].filter(
          ([leaf, value]) => /link$|page$/i.test(leaf) && value?.startsWith('http'),
        );
        for (const [leaf, link] of links) {
          expect(link, leaf).to.match(/^https:\/\/takt\.example\/erp\//);
          const { searchParams } = new URL(link ?? '');
          expect(searchParams.get('$format'), leaf).to.equal(format);
          expect(searchParams.get('$db'), leaf).to.equal('TEM-SE');
        }
        expect(links.length).to.be.at.least(
          kind === 'list' ? 3 : /error message|users|sessions|metadata/.test(name) ? 0 : 1,
        );
      }
    });
  }

  it('accepts parameter names in any case, as aliases and with an encoded $, and ignores unknown parameters', async () => {
    for (const { path, kind, description } of servedResources) {
      const list = kind === 'list' ? '%24TOP=2&$InlineCount=AllPages&' : '';
      const leaves = await readJson(`${asking(path)}&${list}&$SHOWDOMAINVALUES=True&unknown=1&=2&`);
      if (description !== undefined) expect(leaves.get(description)).to.be.a('string');
      if (kind === 'list') expect(leaves.get('/paging/pageSize')).to.equal('2');
      if (kind === 'list') expect(Number(leaves.get('/paging/size'))).to.be.greaterThan(2);
    }
  });
});
