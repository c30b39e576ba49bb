import { needsProgram, openBrowser } from '@takt/test-support';
import { expect } from 'chai';
import type { Browser, Page, Response } from 'playwright-core';
import { applicationVersion, storeMasterData, structureVersion } from './support/master-data.js';
import { LIST } from './support/production-times.js';
import { APPLICATION_VERSION_ID, asking, servedResources } from './support/served-resources.js';
import { openTestApi, type TestApi } from './support/test-api.js';
import { openWatchedPage, type WatchedPage } from './support/watched-page.js';

const ROWS = 45;

describe('a person with a browser', function () {
  this.timeout(180_000);
  let service: TestApi;
  let browser: Browser;
  let watched: WatchedPage;
  let page: Page;

  before(async function () {
    needsProgram(this, 'chromium');
    service = await openTestApi({ companies: ['TEM-NO', 'TEM-SE'] });
    await storeMasterData(service, [
      ...Array.from({ length: ROWS }, (_, index) => structureVersion('TEM-NO', 1 + index)),
      structureVersion('TEM-SE', 1),
      applicationVersion('TEM-NO', APPLICATION_VERSION_ID),
    ]);
    browser = await openBrowser();
    watched = await openWatchedPage(browser, service.api.origin);
    page = watched.page;
  });
  after(async () => {
    await watched?.close();
    await browser?.close();
    await service?.close();
  });

  const withToken = (path: string) => `${service.api.origin}${asking(path)}$access_token=${service.token}`;

  /** Does what leads to another page and gives the answer that it is shown from. */
  async function follow(action: () => Promise<unknown>): Promise<Response> {
    const [response] = await Promise.all([
      page.waitForResponse((one) => one.request().isNavigationRequest() && one.status() !== 303),
      action(),
    ]);
    await page.waitForLoadState();
    return response;
  }

  const table = () => page.getByRole('table').first();
  const rowCount = () => table().locator('tbody').getByRole('row').count();
  const parameter = (name: string) => new URL(page.url()).searchParams.get(name);
  const views = () => page.getByRole('navigation', { name: 'Views' });
  const expression = () => page.getByRole('textbox', { name: 'Filter' });
  const pages = () => page.getByRole('navigation', { name: 'Pages' });

  it('finds out what there is, without a token, and gets on with one', async () => {
    const index = await page.goto(`${service.api.origin}/`);
    expect(index?.status()).to.equal(200);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).to.equal('Takt');
    await watched.inspect('index-without-token');
    await page.getByRole('textbox', { name: 'Access token' }).fill(service.token);
    await follow(() => page.getByRole('button', { name: 'Open' }).click());
    expect(await page.getByRole('textbox').count()).to.equal(0);
    await watched.inspect('index');
    const link = page.getByRole('main').getByRole('link', { name: 'Production times' });
    expect((await follow(() => link.click())).status()).to.equal(200);
    expect(await page.getByRole('main').textContent()).to.include('Nothing found.');
    await follow(() => page.getByRole('link', { name: 'Takt', exact: true }).click());
    expect(page.url()).to.equal(`${service.api.origin}/?$db=TEM-NO`);
    await page.context().clearCookies();
  });

  it('opens a list with a token in the address, on what is beyond plan', async () => {
    const response = await page.goto(withToken(LIST));
    expect(response?.status()).to.equal(200);
    expect(page.url()).to.equal(`${service.api.origin}${LIST}?$db=TEM-NO`);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).to.equal('Production times');
    expect(await views().locator('[aria-current]').textContent()).to.equal('Beyond plan');
    expect(await page.getByRole('main').textContent()).to.include('Nothing found.');
    await watched.inspect('list');
    await follow(() => views().getByRole('link', { name: 'All', exact: true }).click());
    expect(await rowCount()).to.equal(20);
    expect(await page.getByRole('main').textContent()).to.include(`Page 1 of 3 · 1–20 of ${ROWS}`);
    await watched.inspect('list-all');
  });

  it('orders it by a heading from the highest down, and the other way round by the same', async () => {
    const heading = () => table().getByRole('columnheader').getByRole('link', { name: 'Made' });
    await follow(() => heading().click());
    expect(parameter('$orderby')).to.match(/ desc$/);
    expect(await page.locator('th[aria-sort=descending]').textContent()).to.equal('Made');
    await watched.inspect('ordered');
    await follow(() => heading().click());
    expect(parameter('$orderby')).to.match(/ asc$/);
    expect(await page.locator('th[aria-sort=ascending]').count()).to.equal(1);
  });

  it('narrows it by plain fields, to an address that can be kept, and takes conditions back', async () => {
    await page.getByRole('searchbox').fill('bracket');
    await page.getByRole('textbox', { name: 'Made at least' }).fill('0,0');
    await follow(() => page.getByRole('searchbox').press('Enter'));
    expect(parameter('$filter')).to.equal('NumberOfCompletedProductionWorkOrders ge 0.0');
    expect(parameter('search')).to.equal('bracket');
    expect(parameter('form')).to.equal(null);
    expect(await page.getByRole('main').textContent()).to.include(`of ${ROWS}`);
    await watched.inspect('narrowed');
    await follow(() => page.getByRole('link', { name: 'Remove Made at least: 0' }).click());
    expect(parameter('$filter')).to.equal(null);
  });

  it('filters it with an expression', async () => {
    await page.getByText('Advanced filter').click();
    await expression().fill("contains(ProductName,'bracket')");
    const response = await follow(() => expression().press('Enter'));
    expect(response.status()).to.equal(200);
    expect(parameter('$filter')).to.equal("contains(ProductName,'bracket')");
    expect(parameter('$orderby')).to.match(/ asc$/);
    await watched.inspect('filtered');
  });

  it('goes on to the next page, to the last, and back to the first', async () => {
    const first = await table().textContent();
    await follow(() => pages().first().getByRole('link', { name: 'Next' }).click());
    expect(await table().textContent()).not.to.equal(first);
    expect(await page.getByRole('main').textContent()).to.match(/21–40/);
    await watched.inspect('next-page');
    await follow(() => pages().first().getByRole('link', { name: 'Last' }).click());
    expect(await rowCount()).to.equal(ROWS % 20);
    expect(await pages().first().getByRole('link', { name: 'Next' }).count()).to.equal(0);
    await watched.inspect('last-page');
    await follow(() => pages().first().getByRole('link', { name: 'First' }).click());
    expect(await table().textContent()).to.equal(first);
  });

  it('opens all that there is of a row, and comes back', async () => {
    const list = page.url();
    await follow(() => table().locator('tbody th a:last-child').first().click());
    expect(new URL(page.url()).pathname).to.match(/\/structure-versions\/\d+\/aggregated-production-times$/);
    expect(await table().textContent()).to.include('1.25');
    await watched.inspect('row');
    await page.goBack();
    expect(page.url()).to.equal(list);
  });

  it('reads what is wrong with a filter beside it, and mends it', async () => {
    await page.getByText('Advanced filter').click();
    await expression().fill('RunTime gt 1,5 and');
    const response = await follow(() => expression().press('Enter'));
    expect(response.status()).to.equal(400);
    expect(await page.getByRole('alert').textContent())
      .to.include('$filter')
      .and.to.include('position 19');
    expect(await expression().inputValue()).to.equal('RunTime gt 1.5 and');
    await watched.inspect('wrong-filter');
    await expression().fill("contains(ProductName,'bracket')");
    expect((await follow(() => expression().press('Enter'))).status()).to.equal(200);
    expect(await rowCount()).to.equal(20);
  });

  it('reads the same page in another language, and keeps it', async () => {
    const languages = page.getByRole('navigation', { name: 'Language' });
    await follow(() => languages.getByRole('link', { name: 'Deutsch' }).click());
    expect(await page.locator('html').getAttribute('lang')).to.equal('de');
    expect(parameter('$filter')).to.equal("contains(ProductName,'bracket')");
    await watched.inspect('german');
    const german = page.getByRole('navigation', { name: 'Ressourcen' }).getByRole('link').last();
    await follow(() => german.click());
    expect(await page.locator('html').getAttribute('lang')).to.equal('de');
    await follow(() => page.getByRole('link', { name: 'English' }).click());
  });

  it('looks up an error message: list, search, detail', async () => {
    expect(await page.getByRole('heading', { level: 1 }).textContent()).to.equal('Error messages');
    await watched.inspect('error-messages');
    await page.getByRole('searchbox').fill('permission found');
    await follow(() => page.getByRole('searchbox').press('Enter'));
    expect(await rowCount()).to.equal(1);
    await follow(() => table().locator('tbody').getByRole('link').first().click());
    expect(new URL(page.url()).pathname).to.equal('/system/error-messages/101015');
    expect(await page.getByRole('main').textContent()).to.include('Permission not found');
    await watched.inspect('error-message');
  });

  it('looks at an application version', async () => {
    const path = `/system/applications/10001/versions/${APPLICATION_VERSION_ID}`;
    await page.goto(withToken(path));
    expect(await page.getByRole('main').textContent()).to.include('Work order board');
    await watched.inspect('application-version');
  });

  const pagesWithLinks = ['/', ...servedResources.map(({ path }) => path)];

  it('finds something behind every link of every page, and a token in none', async () => {
    const followed = new Map<string, number>();
    for (const path of pagesWithLinks) {
      await page.goto(`${service.api.origin}${asking(path)}$lang=eng`);
      expect(await page.content()).not.to.include(service.token);
      const links = page.locator('a[href]');
      const addresses = await links.evaluateAll((all) => all.map((one) => String(Reflect.get(one, 'href'))));
      expect(addresses.length, path).to.be.greaterThan(10);
      for (const address of new Set(addresses)) {
        if (followed.has(address) || address.startsWith(`${page.url()}#`)) continue;
        const answer = await page.request.get(address, { headers: { accept: 'text/html' } });
        followed.set(address, answer.status());
        const isPage =
          answer.headers()['content-type']?.startsWith('text/html') && new URL(address).pathname !== '/docs';
        // What is shown to who is signed in is kept by nobody else.
        if (isPage) expect(answer.headers()['cache-control'], address).to.equal('private, no-store');
      }
    }
    expect([...followed].filter(([, status]) => status !== 200)).to.deep.equal([]);
    expect(followed.size).to.be.greaterThan(40);
  });

  it('is asked for a token where there is none, and gets on with it', async () => {
    await page.context().clearCookies();
    const response = await page.goto(`${service.api.origin}${LIST}?$top=20&$orderby=ProductName&$lang=eng`);
    expect(response?.status()).to.equal(403);
    await watched.inspect('without-token');
    await page.getByRole('textbox', { name: 'Access token' }).fill(service.token);
    const opened = await follow(() => page.getByRole('button', { name: 'Open' }).click());
    expect(opened.status()).to.equal(200);
    expect(await rowCount()).to.equal(20);
  });

  it('changes over to another company', async () => {
    await page.getByRole('combobox', { name: 'Company' }).selectOption('TEM-SE');
    await follow(() => page.getByRole('button', { name: 'Switch' }).click());
    expect(await rowCount()).to.equal(1);
    await watched.inspect('other-company');
  });
});
