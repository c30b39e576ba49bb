import { needsProgram, openBrowser } from '@takt/test-support';
import { expect } from 'chai';
import { HtmlValidate } from 'html-validate';
import type { Browser } from 'playwright-core';
import { createOpenApi } from '../../src/metadata/create-open-api.js';
import { DOCS_POLICY, staticRoutes } from '../../src/metadata/static-routes.js';
import { BASE_URL } from './compile-schemas.js';
import { listOperations } from './list-operations.js';
import { DOCS_HOST, type DocsServer, startDocsServer } from './start-docs-server.js';

describe('the documentation page', () => {
  it('is valid HTML', async () => {
    const page = staticRoutes(BASE_URL).find(({ path }) => path === '/docs');
    if (typeof page?.body !== 'function') throw new Error('the page is no text');
    const validator = new HtmlValidate({ extends: ['html-validate:standard'] });
    const report = await validator.validateString(String(page.body()));
    expect(report.results.flatMap(({ messages }) => messages)).to.deep.equal([]);
  });

  it('is served under its policy, with the schema of the XML documents beside it', async () => {
    const policies = staticRoutes(BASE_URL)
      .filter(({ path }) => path.startsWith('/docs'))
      .map(({ headers }) => headers?.['Content-Security-Policy']);
    expect(new Set(policies)).to.deep.equal(new Set([DOCS_POLICY]));
    expect(DOCS_POLICY).not.to.match(/unsafe|http/);
    expect(staticRoutes(BASE_URL).map(({ path }) => path)).to.include('/schema.xsd');
    const told = staticRoutes(BASE_URL).filter(({ headers }) => headers?.['Content-Language'] === 'en');
    expect(told.map(({ path }) => path)).to.deep.equal(['/openapi.json', '/schema.xsd', '/docs']);
  });

  describe('in a browser', () => {
    let server: DocsServer;
    let browser: Browser;

    before(async function () {
      needsProgram(this, 'chromium');
      this.timeout(180_000);
      server = await startDocsServer();
      browser = await openBrowser({ hostname: DOCS_HOST });
    });

    after(async () => {
      await browser?.close();
      await server?.close();
    });

    it('shows all operations, asks nobody else, and breaks no rule of its policy', async function () {
      this.timeout(180_000);
      const page = await browser.newPage();
      const requested: string[] = [];
      const complaints: string[] = [];
      page.on('request', (request) => requested.push(request.url()));
      page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
      });
      page.on('pageerror', (error) => complaints.push(error.message));
      await page.goto(`${server.baseUrl}/docs`);
      await page.locator('.opblock').first().waitFor({ timeout: 30_000 });
      const operations = listOperations(createOpenApi({ baseUrl: server.baseUrl }));
      expect(await page.locator('.opblock').count()).to.equal(operations.length);
      for (const { path } of operations) {
        expect(await page.locator(`[data-path="${path}"]`).count(), path).to.be.greaterThan(0);
      }
      await page.locator('#operations-system-listErrorMessages button').first().click();
      await page.locator('button.execute').click();
      await page.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();

      expect(complaints).to.deep.equal([]);
      expect(requested).to.include(`${server.baseUrl}/openapi.json`);
      expect(
        requested.filter((url) => !url.startsWith(server.baseUrl) && !url.startsWith('data:')),
      ).to.deep.equal([]);
      expect(server.requests()).to.deep.equal(['?$top=10&$showDomainDescriptions=false&$inlinecount=none']);

      await page.close();
    });
  });
});
