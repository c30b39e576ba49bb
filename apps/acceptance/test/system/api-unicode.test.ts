import { findHtmlFaults, needsProgram, openBrowser, randomFrom, shareOf, testSeed } from '@takt/test-support';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { leavesOfJson, leavesOfXml } from '../support/document.js';
import { type DocumentChecks, openDocumentChecks } from '../support/document-checks.js';
import {
  APPLICATION_ID,
  applicationVersion,
  storeMasterData,
  structureVersion,
} from '../support/master-data.js';
import { LIST } from '../support/production-times.js';
import { openTestApi, type TestApi } from '../support/test-api.js';
import { asHtmlHolds, asXmlHolds, knownTexts, unicodeText } from '../support/unicode-texts.js';

const RANDOM_TEXTS = shareOf(200);
const PAGE_SIZE = 80;
const VERSION_ID = 2_000;
const TEXT_FIELDS = [
  ...['type', 'name', 'descriptiveName', 'description', 'namespace', 'masterUrl', 'lookupKey', 'contentType'],
  ...['changeDescription', 'scope'],
] as const;

describe('any text of an event that the API returns', function () {
  this.timeout(180_000);
  const seed = testSeed();
  const random = randomFrom(seed);
  const texts = [...knownTexts, ...Array.from({ length: RANDOM_TEXTS }, () => unicodeText(random))];
  let service: TestApi;
  let checks: DocumentChecks;

  before(async () => {
    service = await openTestApi({ companies: ['TEM-NO'] });
    await storeMasterData(service, [
      ...texts.map((text, index) =>
        structureVersion('TEM-NO', 1 + index, {
          name: text,
          revision: text,
          product: { productId: 1 + index, status: 4, name: text, type: text, description: text },
        }),
      ),
      ...texts.map((text, index) =>
        applicationVersion('TEM-NO', VERSION_ID + index, {
          ...Object.fromEntries(TEXT_FIELDS.map((field) => [field, text])),
          createdBy: { userId: 1, firstName: text, name: text },
          permission: { permissionId: 1, name: text },
          customFieldOrder: { fieldOrder: text },
        }),
      ),
    ]);
    checks = await openDocumentChecks(service.client);
  });
  after(async () => {
    checks?.close();
    await service?.close();
  });

  async function readPages(format: string, parameters = ''): Promise<readonly string[]> {
    const pages: string[] = [];
    for (let skip = 0; skip < texts.length; skip += PAGE_SIZE) {
      const target = `${LIST}?$format=${format}&$top=${PAGE_SIZE}&$skip=${skip}${parameters}`;
      const { status, text } = await service.client.get(target);
      expect(status).to.equal(200);
      pages.push(text);
    }
    return pages;
  }

  for (const format of ['json', 'jsonstream', 'xml'] as const) {
    const asHeld = format === 'xml' ? asXmlHolds : (text: string) => text;

    it(`is unchanged in a list as ${format}, except for characters that ${format} cannot hold (seed ${seed})`, async () => {
      const served = new Map<string, (string | null)[]>();
      for (const text of await readPages(format)) {
        await checks.expectValid(text, format, LIST, '200');
        const leaves = format === 'xml' ? leavesOfXml(text) : leavesOfJson(JSON.parse(text));
        for (const [path, value] of leaves) {
          const field = /\/\d+\/productStructureVersion\/(.*)$/.exec(path)?.[1];
          if (field !== undefined) served.set(field, [...(served.get(field) ?? []), value]);
        }
      }
      const product = 'productStructure/product';
      for (const field of [
        'name',
        'revision',
        `${product}/name`,
        `${product}/type`,
        `${product}/description`,
      ]) {
        expect(served.get(field), field).to.deep.equal(texts.map(asHeld));
      }
    });

    it(`is unchanged in a single object as ${format}, except for characters that ${format} cannot hold (seed ${seed})`, async () => {
      for (const [index, text] of texts.entries()) {
        const path = `/system/applications/${APPLICATION_ID}/versions/${VERSION_ID + index}`;
        const answer = await service.client.get(`${path}?$format=${format}`);
        const leaves = format === 'xml' ? leavesOfXml(answer.text) : leavesOfJson(JSON.parse(answer.text));
        const nested = ['createdBy/firstName', 'permission/name', 'customFieldOrder/fieldOrder'];
        for (const field of [...TEXT_FIELDS, ...nested]) {
          expect(leaves.get(`/applicationVersion/${field}`), field).to.equal(asHeld(text));
        }
      }
    });
  }

  it(`adds no element to a page and does not break its HTML (seed ${seed})`, async () => {
    for (const text of await readPages('html')) {
      expect(await findHtmlFaults(text)).to.deep.equal([]);
      expect(text).not.to.match(
        /<script(?! src="\/assets\/[\w-]+\/page\.js" defer="">)|<img|<plaintext|<b>|<svg\/on/i,
      );
    }
  });

  it(`causes no worse answer than a valid error document if $orderby contains the text (seed ${seed})`, async () => {
    for (const [index, text] of texts.entries()) {
      const format = ['json', 'xml', 'html'][index % 3];
      const answer = await service.client.get(
        `${LIST}?$format=${format}&$orderby=${encodeURIComponent(text)}`,
      );
      if (answer.status === 200) continue;
      expect(answer.status).to.equal(400);
      if (format === 'html') {
        expect(await findHtmlFaults(answer.text), text).to.deep.equal([]);
      } else {
        await checks.expectValid(answer.text, format === 'xml' ? 'xml' : 'json', LIST, '400');
      }
    }
  });

  describe('in a browser', () => {
    let browser: Browser;

    before(async function () {
      needsProgram(this, 'chromium');
      browser = await openBrowser();
    });
    after(async () => await browser?.close());

    const pathOf = (index: number) =>
      `/system/applications/${APPLICATION_ID}/versions/${VERSION_ID + index}?$format=html`;

    it(`is shown unchanged, on a page that has the same elements for every text (seed ${seed})`, async () => {
      const page = await browser.newPage();
      const outlines = new Set<string>();
      for (const [index, text] of texts.entries()) {
        const { text: html } = await service.client.get(pathOf(index));
        const shown: { readonly texts: readonly string[]; readonly outline: string } = await page.evaluate(
          `(() => {
            const parsed = new DOMParser().parseFromString(${JSON.stringify(html)}, 'text/html');
            const outline = [...parsed.querySelectorAll('body *')].map(({ localName }) => localName);
            return {
              texts: [...parsed.querySelectorAll('dd')].map(({ textContent }) => textContent),
              // Only addresses of web pages become links; other text makes no element.
              outline: outline.join(' '),
            };
          })()`,
        );
        const wanted = asHtmlHolds(text);
        const times = shown.texts.filter((one) => one === wanted).length;
        expect(times, `${JSON.stringify(text)} in ${JSON.stringify(shown.texts)}`).to.be.at.least(5);
        outlines.add(shown.outline);
      }
      expect([...outlines]).to.have.lengthOf(1);
      await page.close();
    });

    it('is not run as a script', async () => {
      const page = await browser.newPage();
      const problems: string[] = [];
      page.on('console', (message) => problems.push(message.text()));
      page.on('pageerror', (error) => problems.push(error.message));
      for (const [index, text] of texts.entries()) {
        if (index >= knownTexts.length || !text.includes('hurt')) continue;
        await page.goto(`${service.api.origin}${pathOf(index)}&$access_token=${service.token}`);
        expect(await page.evaluate('window.hurt')).to.equal(undefined);
      }
      expect(problems).to.deep.equal([]);
      await page.close();
    });
  });
});
