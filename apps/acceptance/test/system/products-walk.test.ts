import { createAccessToken } from '@takt/access';
import { aggregatedProductionTimes } from '@takt/catalogue/resources';
import { needsProgram, openBrowser, opened } from '@takt/test-support';
import type { Language } from '@takt/texts';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { storeDemoData } from '../support/demo-data.js';
import { follow, takePage } from '../support/planner-page.js';
import { openTestApi, TOKEN_LIFETIME_MS } from '../support/test-api.js';
import { openWatchedPage } from '../support/watched-page.js';

const COMPANY = 'TEM-NO';
const DEMO = { events: 3_000, structureVersions: 160, corrections: 0.03, companies: [COMPANY] };
const MOST_BYTES = 15 * 1024;

/**
 * The walks through the pages. They cover all three languages, both widths, and pages with and without script, but not
 * all combinations.
 */
const walks = [
  { language: 'eng', width: 1280, hasScript: true },
  { language: 'deu', width: 390, hasScript: false },
  { language: 'nob', width: 1280, hasScript: false },
  { language: 'nob', width: 390, hasScript: true },
] as const satisfies readonly {
  readonly language: Language;
  readonly width: number;
  readonly hasScript: boolean;
}[];

/** A structure version, and the hours that its operations took beyond the plan. */
interface LostHours {
  readonly productId: number;
  readonly productName: string;
  readonly id: number;
  readonly name: string;
  readonly hours: number;
}

/** Lost hours of each structure version, computed from the operations. The most hours come first. */
const LOST_HOURS = `
  SELECT product_id::float8 AS "productId", version.product_name AS "productName",
    version.product_structure_version_id::float8 AS id, version.name,
    sum(coalesce(done.run_time - version.run_time / 1e6, 0) + coalesce(done.setup_time - version.setup_time / 1e6, 0)
      + coalesce(done.cleanup_time - version.cleanup_time / 1e6, 0))::float8 AS hours
  FROM takt.work_order_operations AS done
  JOIN takt.product_structure_versions AS version USING (company_id, product_structure_version_id)
  GROUP BY product_id, version.product_name, version.product_structure_version_id, version.name
  ORDER BY hours DESC, id DESC`;

describe('a planner who looks for the most expensive product', function () {
  this.timeout(120_000);
  const service = opened(() => openTestApi({ companies: [COMPANY] }));
  let browser: Browser;
  let lost: readonly LostHours[];
  let most: readonly LostHours[];

  before(async function () {
    needsProgram(this, 'chromium');
    await storeDemoData(service.database, DEMO);
    ({ rows: lost } = await service.database.pool.query<LostHours>(LOST_HOURS));
    const ofProduct = (wanted: number) => lost.filter(({ productId }) => productId === wanted);
    const sum = (wanted: number) => ofProduct(wanted).reduce((total, { hours }) => total + hours, 0);
    const products = [...new Set(lost.map(({ productId }) => productId))];
    most = ofProduct(products.sort((one, other) => sum(other) - sum(one))[0] ?? 0);
    expect(most.length).to.be.greaterThan(1);
    browser = await openBrowser();
  });
  after(async () => await browser?.close());

  const openedNames = (page: Page) => page.locator('.opened tbody th').allTextContents();
  const nameOf = (text: string) => text.split(' · ')[0];

  for (const { language, width, hasScript } of walks) {
    it(`finds the product, its structure versions and its page: ${language}, ${width} px, ${hasScript ? 'with' : 'without'} script`, async () => {
      const { page, inspect, close } = await openWatchedPage(browser, service.api.origin, {
        viewport: { width, height: 800 },
        javaScriptEnabled: hasScript,
      });
      const step = (name: string) => inspect(`products-${language}-${width}-${name}`);
      await page.goto(`${service.api.origin}/?$format=html&$lang=${language}`);
      await page.locator('details:has(input[name="token"]) > summary').click();
      await page.locator('input[name="token"]').fill(service.token);
      await follow(page, () => page.locator('form.token button').click());
      const name = page.locator('.figures a.open').first();
      expect(await name.textContent()).to.equal(most[0]?.productName);
      expect(await name.getAttribute('aria-expanded')).to.equal('false');
      expect((await name.boundingBox())?.y, 'the first row is on the first screen').to.be.lessThan(760);
      await step('list');

      await follow(page, () => name.click());
      expect(await name.getAttribute('aria-expanded')).to.equal('true');
      expect((await openedNames(page)).map(nameOf)).to.deep.equal(most.map((version) => version.name));
      expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(width);
      await step('opened');
      await follow(page, () => name.click());
      expect(await page.locator('.opened').count()).to.equal(0);

      const identifier = page.getByRole('link', { name: String(most[0]?.productId), exact: true });
      await follow(page, () => identifier.click());
      expect(await page.locator('.lead').textContent()).to.equal(most[0]?.productName);
      const hours = Math.round(most.reduce((sum, version) => sum + version.hours, 0));
      const told = aggregatedProductionTimes.browsing?.totals?.overPlan[language] ?? '';
      expect(await page.locator('.summary').textContent()).to.include(
        `: ${told.replace('{0}', String(hours)).replace('{1}', String(most.length))}.`,
      );
      expect(await page.getByRole('main').textContent()).not.to.match(/\b(?:undefined|null|NaN)\b/);
      await step('product');

      const version = page.locator('.opened tbody th a').first();
      await follow(page, () => version.click());
      expect(await page.locator('h1').textContent()).to.include(most[0]?.name);
      await page.goBack();
      await page.goBack();
      expect(await page.locator('.figures a.open').first().textContent()).to.equal(most[0]?.productName);
      await close();
    });
  }

  it('gets each page compressed, in at most 15 KB', async () => {
    const headers = { accept: 'text/html', authorization: `Bearer ${service.token}` };
    const [{ productId } = { productId: 0 }] = most;
    const list = '/product/products/aggregated-production-times?$orderby=HoursOverPlan%20desc';
    for (const target of [list, `${list}&open=${productId}`, `/product/products/${productId}?`]) {
      const { compressed, html } = await takePage(service.api.origin + target, headers);
      expect(compressed, target).to.be.at.most(MOST_BYTES);
      // The style sheet and the script are in the cache of the browser.
      expect(html).not.to.match(/<(?:img|iframe)\b/);
    }
  });

  it('sees no planned times without the permission to see them', async () => {
    const duties = ['read-production-times'];
    const { token } = await createAccessToken(service.database, {
      ...{ companyCodes: [COMPANY], expiresInMs: TOKEN_LIFETIME_MS, duties },
    });
    const [{ productId } = { productId: 0 }] = most;
    const list = `/product/products/aggregated-production-times?open=${productId}`;
    for (const target of [list, `/product/products/${productId}?`]) {
      const headers = { accept: 'text/html', authorization: `Bearer ${token}` };
      const { html } = await takePage(`${service.api.origin}${target}`, headers);
      const [, openedRows = ''] = html.split('<div class="opened">');
      const [table = ''] = openedRows.split('</table>');
      const ids = [...table.matchAll(/\/structure-versions\/(\d+)\//g)].map(([, id]) => Number(id));
      expect(ids).to.have.members(most.map(({ id }) => id));
      expect(ids).to.deep.equal(ids.toSorted((one, other) => one - other));
      expect(table).not.to.match(/plan/i);
    }
  });

  it('sees the list without an opened row if the address names no row of the list', async () => {
    const headers = { accept: 'text/html', authorization: `Bearer ${service.token}` };
    const list = `${service.api.origin}/product/products/aggregated-production-times?open=`;
    for (const key of ['999999999', 'x', '1%27', '99999999999999999999', '-1', '']) {
      const { html } = await takePage(list + key, headers);
      expect(html).to.include('class="open"').and.not.to.include('class="opened"');
    }
  });
});
