import { readFile } from 'node:fs/promises';
import { newestOf, resourceFamilies } from '@takt/catalogue/resources';
import { docsScript } from '@takt/pages';
import { findAccessibilityViolations, needsProgram, openBrowser, opened } from '@takt/test-support';
import { expect } from 'chai';
import { HtmlValidate } from 'html-validate';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { servedDocuments } from '../../src/docs/served-documents.js';
import { insertStructureVersions } from '../support/insert-rows.js';
import { SERVED_AT, serveApi } from '../support/serve-api.js';

const PATHS: readonly string[] = [
  ...['/docs', '/docs/resources'],
  ...servedDocuments.map(({ name }) => `/docs/${name}`),
  ...resourceFamilies.map(({ identifier }) => `/docs/resources/${identifier}`),
];

const unescaped = (html: string) => html.replaceAll('&amp;', '&').replaceAll('&#39;', "'");

describe('The documentation', () => {
  const api = opened(serveApi);
  let browser: Browser;
  let headers: Readonly<Record<string, string>>;

  before(async function () {
    needsProgram(this, 'chromium');
    await insertStructureVersions(api.owner, [
      { id: 2, productId: 1_001, productName: 'Gear', actual: { run: ['1'] } },
    ]);
    headers = { authorization: `Bearer ${await api.createToken('TEM-NO')}` };
    browser = await openBrowser();
  });
  after(() => browser?.close());

  /**
   * Opens a browser context without script. The API answers requests to the base URL of the links. All other requests
   * fail.
   */
  const openContext = async (options: Parameters<Browser['newContext']>[0] = {}): Promise<BrowserContext> => {
    const context = await browser.newContext({ javaScriptEnabled: false, ...options });
    await context.route('**/*', async (route) => {
      const { origin, pathname, search } = new URL(route.request().url());
      if (origin !== SERVED_AT) return await route.abort();
      const answer = await api.client.get(pathname + search, headers);
      const { 'content-type': contentType = '', 'content-security-policy': policy = '' } = answer.headers;
      await route.fulfill({
        status: answer.status,
        body: answer.body,
        headers: { 'content-type': contentType, 'content-security-policy': String(policy) },
      });
    });
    return context;
  };
  const inPage = async (
    options: Parameters<Browser['newContext']>[0],
    look: (page: Page) => Promise<void>,
  ) => {
    const context = await openContext(options);
    try {
      await look(await context.newPage());
    } finally {
      await context.close();
    }
  };

  it('is open to everybody as valid HTML that needs no script', async () => {
    const validator = new HtmlValidate({ extends: ['html-validate:standard'] });
    for (const path of PATHS) {
      const { status, text, headers: sent } = await api.client.get(path);
      expect(status, path).to.equal(200);
      const { results } = await validator.validateString(text);
      expect(
        results.flatMap(({ messages }) => messages.map(({ message, line }) => `${line}: ${message}`)),
        path,
      ).to.deep.equal([]);
      expect(
        [...text.matchAll(/<script[^>]*>/g)].map(([tag]) => tag),
        path,
      ).to.deep.equal([
        `<script src="${new URL(SERVED_AT).pathname.replace(/\/$/, '')}${docsScript.path}" defer="">`,
      ]);
      expect(text, path).to.include('class="brand"');
      expect(sent['content-security-policy'], path)
        .to.include("default-src 'none'")
        .and.not.to.include('unsafe');
    }
    expect((await api.client.get('/docs/resources/1')).status).to.equal(404);
    expect((await api.client.get('/docs/nothing')).status).to.equal(404);
  });

  it('contains every heading of the documents in the repository', async () => {
    for (const { name, file } of servedDocuments) {
      const source = await readFile(new URL(`../../../../../docs/${file}`, import.meta.url), 'utf8');
      const { text } = await api.client.get(`/docs/${name}`);
      const shown = text
        .replace(/<[^>]+>/g, '')
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replace(/\s+/g, ' ');
      const headings = [...source.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
        heading.replaceAll('`', ''),
      );
      const inCode = new Set([...source.matchAll(/```.*?```/gs)].flatMap(([code]) => code.split('\n')));
      for (const heading of headings.filter((one) => !inCode.has(`# ${one}`) && !one.includes('['))) {
        expect(shown, `${file}: ${heading}`).to.include(heading);
      }
      expect(text, file).not.to.include('127.0.0.1:3000').and.not.to.include('docs:');
    }
  });

  it('links only to existing pages, and keeps company and language in its links', async () => {
    const broken: string[] = [];
    const known = new Map<string, string>();
    const textOf = async (address: string) => {
      const found = known.get(address);
      if (found !== undefined) return found;
      const { status, text } = await api.client.get(address, headers);
      const made = status === 200 ? text : '';
      known.set(address, made);
      return made;
    };
    for (const path of PATHS) {
      const from = `${path}?$lang=deu&$db=TEM-NO`;
      for (const [, href = ''] of (await textOf(from)).matchAll(/<a [^>]*href="([^"]*)"/g)) {
        const url = new URL(unescaped(href), SERVED_AT + from);
        if (url.origin !== SERVED_AT || url.pathname.startsWith('/oauth2')) continue;
        const target = await textOf(href.startsWith('#') ? from : url.pathname + url.search);
        const anchor = decodeURIComponent(url.hash.slice(1));
        const isThere = target !== '' && (anchor === '' || target.includes(`id="${anchor}"`));
        const keeps = !url.pathname.startsWith('/docs') || url.searchParams.get('$db') === 'TEM-NO';
        if (!isThere || !keeps) broken.push(`${href} on ${path}`);
      }
    }
    expect([...new Set(broken)]).to.deep.equal([]);
  });

  for (const [width, colorScheme, rules] of [
    [1280, 'light', 'all'],
    [390, 'dark', 'colours'],
  ] as const) {
    it(`is accessible and fits the screen: ${width} px, ${colorScheme}`, async () => {
      await inPage(
        { viewport: { width, height: 800 }, colorScheme, javaScriptEnabled: true },
        async (page) => {
          for (const path of PATHS) {
            await page.goto(SERVED_AT + path);
            expect(await page.evaluate('document.documentElement.scrollWidth'), path).to.be.at.most(width);
            expect(await findAccessibilityViolations(page, rules), path).to.deep.equal([]);
          }
        },
      );
    });
  }

  it('finds sections by words, those with the words in their heading first, and says if there are none', async () => {
    const found = await api.client.get('/docs?search=PAGE+key&$lang=deu&$db=TEM-NO');
    expect(found.text)
      .to.match(/<ul class="found" lang="en"><li><a href="[^"]*\/docs\/[a-z-]+\?\$lang=deu[^"]*#[^"]+">/)
      .and.to.include('<input type="hidden" name="$lang" value="deu"/>');
    for (const [, excerpt = ''] of found.text.matchAll(/<span class="key">[^<]*<\/span><p>(.*?)<\/p>/g)) {
      expect(excerpt.length).to.be.below(400);
    }
    const first = /class="found" lang="en"><li><a [^>]*>([^<]*)/.exec(
      (await api.client.get('/docs?search=retry-after')).text,
    );
    expect(first?.[1]).not.to.equal(undefined);
    const nothing = await api.client.get('/docs?search=%3Cb%3Enothing');
    expect(nothing.text)
      .to.include('&lt;b&gt;nothing')
      .and.not.to.include('<b>nothing')
      .and.not.to.include('class="found" lang="en"><li>');
  });

  it('says in the language of the reader that a text is in English, and has the names of fields in that language', async () => {
    const { text } = await api.client.get('/docs/resources/6215?$lang=deu');
    expect(text)
      .to.include('Diesen Text gibt es nur auf Englisch.')
      .and.to.include('<h1 lang="de">Produktionszeiten</h1>')
      .and.to.match(/<span lang="de" class="heading">[^<]+<\/span>/);
    expect((await api.client.get('/docs/reading?$lang=deu')).text).to.include('nur auf Englisch');
    expect((await api.client.get('/docs/reading')).text).not.to.include('English only');
  });

  it('shows the answer of a form beside it, and copies an example, with a script', async () => {
    await inPage(
      { javaScriptEnabled: true, permissions: ['clipboard-read', 'clipboard-write'] },
      async (page) => {
        await page.goto(`${SERVED_AT}/docs/resources/6215?$db=TEM-NO`);
        await page.locator('[name="$filter"]').fill('ProductId eq 1001');
        await page.getByRole('button', { name: /^GET / }).click();
        await page.getByText('HTTP 200').waitFor();
        expect(await page.locator('.answer pre').textContent()).to.include('"productId": 1001');
        await page.locator('[name="$filter"]').fill('Nonsense eq 1');
        await page.getByRole('button', { name: /^GET / }).click();
        await page.getByText('HTTP 400').waitFor();
        expect(page.url()).to.include('/docs/resources/6215');
        await page.getByRole('button', { name: 'Copy' }).first().click();
        await page.getByRole('button', { name: 'Copied' }).waitFor();
        expect(await page.evaluate('navigator.clipboard.readText()')).to.match(/^curl -G/);
      },
    );
  });

  it('shows an example, the fields and a form without script for each resource', async () => {
    await inPage({}, async (page) => {
      for (const family of resourceFamilies) {
        const { path, kind, title } = newestOf(family);
        await page.goto(`${SERVED_AT}/docs/resources/${family.identifier}?$db=TEM-NO`);
        expect(await page.getByRole('heading', { level: 1 }).textContent()).to.equal(title.eng);
        expect(await page.locator('article pre').first().textContent()).to.include(`curl -G`);
        expect(await page.locator('section[aria-label="Fields"] tbody tr').count(), path).to.be.above(0);
        const [answer] = await Promise.all([
          page.waitForResponse((one) => !one.url().includes('/docs')),
          page.getByRole('button', { name: /^GET / }).click(),
        ]);
        expect(answer.headers()['content-type'], path).to.include('application/json');
        expect(answer.status(), path).to.be.oneOf(
          kind === 'list' && !path.includes('{') ? [200] : [200, 404],
        );
      }
    });
  });
});
