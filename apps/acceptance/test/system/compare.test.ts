import { createAccessToken } from '@takt/access';
import { needsProgram, openBrowser, opened } from '@takt/test-support';
import { expect } from 'chai';
import type { Browser } from 'playwright-core';
import { storeDemoData } from '../support/demo-data.js';
import { follow } from '../support/planner-page.js';
import { LIST } from '../support/production-times.js';
import { openTestApi, TOKEN_LIFETIME_MS } from '../support/test-api.js';
import { openWatchedPage } from '../support/watched-page.js';

const COMPANY = 'TEM-NO';
const COMPARE = '/product/structure-versions/compare';

describe('structure versions that are compared side by side', function () {
  this.timeout(120_000);
  const service = opened(() => openTestApi({ companies: [COMPANY] }));
  let browser: Browser;
  let ids: readonly number[];

  const get = async (path: string) => {
    const { status, text } = await service.client.get(path);
    return { status, text, document: status === 200 ? JSON.parse(text) : undefined };
  };

  before(async function () {
    needsProgram(this, 'chromium');
    await storeDemoData(service.database, { events: 1_000, structureVersions: 40, companies: [COMPANY] });
    const { document } = await get(`${LIST}?$top=5`);
    ids = document.productStructureVersionAggregatedProductionTimes.map(
      (row: { readonly productStructureVersion: { readonly productStructureVersionId: number } }) =>
        row.productStructureVersion.productStructureVersionId,
    );
    browser = await openBrowser();
  });
  after(async () => await browser?.close());

  it('have the same rows in JSON and XML as in the list', async () => {
    for (const format of ['json', 'xml']) {
      const named = ids.slice(0, 2).join();
      const compared = await service.client.get(`${COMPARE}?ids=${named}&$format=${format}`);
      const listed = await service.client.get(
        `${LIST}?$filter=ProductStructureVersionId%20in%20(${named})&$format=${format}`,
      );
      const withoutParameters = (text: string) => text.replace(/aggregated-production-times\?[^"<]*/g, '');
      expect(withoutParameters(compared.text)).to.equal(withoutParameters(listed.text));
      expect(compared.text).to.include(String(ids[1])).and.not.include(String(ids[2]));
    }
    const { document } = await get(`${COMPARE}?ids=${ids[0]}&ids=${ids[1]}&ids=${ids[0]}`);
    expect(document.productStructureVersionAggregatedProductionTimes).to.have.lengthOf(2);
    const expanded = await get(`${COMPARE}?IDS=${ids[0]}&$EXPAND=PlanComparison,Summary&View=all`);
    expect(expanded.document.summary.numberOfRows).to.equal(1);
    expect(expanded.document.productStructureVersionAggregatedProductionTimes[0].planComparison).to.be.an(
      'object',
    );
  });

  it('are selected by 1 to 4 identifiers; any other number of identifiers is an error', async () => {
    for (const wrong of ['', 'ids=', 'ids=1,x', 'ids=0', 'ids=-1', 'ids=1,,2', 'ids=1.5', 'ids=1,2,3,4,5']) {
      const { status, text } = await get(`${COMPARE}?${wrong}`);
      expect(status, wrong).to.equal(400);
      expect(text, wrong).to.include('1 to 4 identifiers separated by commas').and.include('ids');
    }
    const unchosen = await fetch(`${service.api.origin}${COMPARE}?$format=html&from=2025-01`, {
      redirect: 'manual',
      headers: { authorization: `Bearer ${service.token}` },
    });
    expect(unchosen.headers.get('location')).to.match(/\/aggregated-production-times\?.*from=2025-01/);
    // The API checks the token before the identifiers.
    expect((await fetch(service.api.origin + COMPARE)).status).to.equal(403);
  });

  it('are shown without planned times to users without the permission', async () => {
    const { token } = await createAccessToken(service.database, {
      ...{ companyCodes: [COMPANY], expiresInMs: TOKEN_LIFETIME_MS, duties: ['read-production-times'] },
    });
    const headers = { authorization: `Bearer ${token}` };
    for (const format of ['json', 'html']) {
      const path = `${COMPARE}?ids=${ids[0]},999999&$format=${format}`;
      const answer = await fetch(service.api.origin + path, { headers });
      const text = await answer.text();
      expect(answer.status, text).to.equal(200);
      expect(text).not.to.match(/planned/i);
      const told = 'Without completed operations here, or unknown: 999999.';
      expect(text.includes(told)).to.equal(format === 'html');
    }
  });

  for (const hasScript of [true, false]) {
    it(`are selected with checkboxes in the list, ${hasScript ? 'with' : 'without'} script`, async () => {
      const { page, inspect, close } = await openWatchedPage(browser, service.api.origin, {
        viewport: { width: hasScript ? 1280 : 390, height: 800 },
        javaScriptEnabled: hasScript,
      });
      await page.goto(`${service.api.origin}/?$format=html`);
      await page.locator('details:has(input[name="token"]) > summary').click();
      await page.locator('input[name="token"]').fill(service.token);
      await follow(page, () => page.locator('form.token button').click());
      await page.goto(`${service.api.origin}${LIST}?$format=html&$db=${COMPANY}`);
      const boxes = page.locator('input[name="ids"]');
      const chosen = [await boxes.nth(0).getAttribute('value'), await boxes.nth(2).getAttribute('value')];
      await inspect(`compare-boxes-${hasScript}`);
      await boxes.nth(0).check();
      await boxes.nth(2).check();
      await follow(page, () => page.locator('.chosen .compare-bar > button').click());
      expect(await page.locator('h1').textContent()).to.equal('Structure versions side by side');
      const heads = await page
        .locator('thead th a:last-child')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
      expect(heads.map((href) => /structure-versions\/(\d+)/.exec(href)?.[1])).to.have.members(chosen);
      const { document } = await get(`${COMPARE}?ids=${chosen.join()}`);
      const made = document.productStructureVersionAggregatedProductionTimes.map(
        (row: { aggregatedProductionTimes: { numberOfCompletedProductionWorkOrders: number } }) =>
          String(row.aggregatedProductionTimes.numberOfCompletedProductionWorkOrders),
      );
      const cells = await page.locator('tbody tr').first().locator('td').allTextContents();
      expect(cells.slice(0, 2)).to.deep.equal(made);
      const difference = Number(made[1]) - Number(made[0]);
      expect(Number(cells[2]?.replace('\u2212', '-'))).to.equal(difference);
      await inspect(`compare-page-${hasScript}`);
      await close();
    });
  }

  it('stay chosen on other pages of the list; filters apply at once, and charts show their values', async () => {
    const { page, inspect, close } = await openWatchedPage(browser, service.api.origin, {
      viewport: { width: 1280, height: 800 },
    });
    await page.goto(`${service.api.origin}/?$format=html`);
    await page.locator('details:has(input[name="token"]) > summary').click();
    await page.locator('input[name="token"]').fill(service.token);
    await follow(page, () => page.locator('form.token button').click());
    const list = `${service.api.origin}${LIST}?$format=html&$db=${COMPANY}&$top=1`;
    await page.goto(list);
    const compare = page.locator('.compare-bar > button');
    expect(await compare.isDisabled()).to.equal(true);
    await page.locator('[type="checkbox"][name="ids"]').check();
    await follow(page, () => page.locator('.above a[rel="next"]').click());
    await page.locator('[type="checkbox"][name="ids"]').check();
    await inspect('compare-bar');
    expect(await page.locator('.compare-bar .chip').count()).to.equal(2);
    await page.locator('.compare-bar .chip button').first().click();
    expect(await page.locator('.compare-bar .chip').count()).to.equal(1);
    await follow(page, () => compare.click());
    expect(await page.locator('thead th').count()).to.equal(2);
    await page.goto(list);
    const status = page.locator('select[name="ProductStructureVersionStatus"]');
    await status.selectOption({ index: 1 });
    await page.waitForURL((url) =>
      /^ProductStructureVersionStatus eq/.test(url.searchParams.get('$filter') ?? ''),
    );
    expect(await page.evaluate('document.activeElement.name')).to.equal('ProductStructureVersionStatus');
    const item = `/product/structure-versions/${ids[0]}/aggregated-production-times`;
    await page.goto(`${service.api.origin}${item}?$db=${COMPANY}`);
    await page.locator('.month-chart .hit').first().hover();
    expect(await page.locator('.tip').textContent()).to.match(/^\w+ \d{4}: Average [\d.]+, /);
    await close();
  });
});
