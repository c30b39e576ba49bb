import { needsProgram, openBrowser } from '@takt/test-support';
import { expect } from 'chai';
import type { Browser, Page, Response } from 'playwright-core';
import { applicationVersion, storeMasterData, structureVersion } from './support/master-data.js';
import { LIST } from './support/production-times.js';
import { APPLICATION_VERSION_ID, servedResources } from './support/served-resources.js';
import { openTestApi, type TestApi } from './support/test-api.js';
import { openWatchedPage, type WatchedPage } from './support/watched-page.js';

const ROWS = 45;

describe('a person with a browser', function () {
  this.timeout(60_000);
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

  const withToken = (path: string) => `${service.api.origin}${path}?$access_token=${service.token}`;

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
    expect(await rowCount()).to.equal(10);
    await follow(() => page.getByRole('link', { name: 'Takt', exact: true }).click());
    expect(page.url()).to.equal(`${service.api.origin}/`);
    await page.context().clearCookies();
  });

  it('opens a list with a token in the address', async () => {
    const response = await page.goto(withToken(LIST));
    expect(response?.status()).to.equal(200);
    expect(page.url()).to.equal(`${service.api.origin}${LIST}`);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).to.equal('Production times');
    expect(await rowCount()).to.equal(10);
    await watched.inspect('list');
  });

  it('orders it by a heading, and the other way round by the same', async () => {
    const heading = () => page.getByRole('columnheader').getByRole('link').first();
    const name = await heading().textContent();
    await follow(() => heading().click());
    expect(parameter('$orderby')).to.match(/ asc$/);
    const sorted = page.locator('th[aria-sort=ascending]');
    expect(await sorted.textContent()).to.include(name ?? '-');
    await watched.inspect('ordered');
    await follow(() => heading().click());
    expect(parameter('$orderby')).to.match(/ desc$/);
    expect(await page.locator('th[aria-sort=descending]').count()).to.equal(1);
  });

  it('filters it with the form, and counts', async () => {
    await page.getByRole('textbox', { name: 'Filter' }).fill("contains(ProductName,'bracket')");
    await page.getByRole('checkbox').check();
    const response = await follow(() => page.getByRole('textbox', { name: 'Filter' }).press('Enter'));
    expect(response.status()).to.equal(200);
    expect(parameter('$filter')).to.equal("contains(ProductName,'bracket')");
    expect(parameter('$orderby')).to.match(/ desc$/);
    expect(await page.getByRole('main').textContent()).to.include(`of ${ROWS}`);
    await watched.inspect('filtered');
  });

  it('goes on to the next page, to the last, and back to the first', async () => {
    const first = await table().textContent();
    await follow(() => pages().first().getByRole('link', { name: 'Next' }).click());
    expect(await table().textContent()).not.to.equal(first);
    expect(await page.getByRole('main').textContent()).to.match(/11–20/);
    await watched.inspect('next-page');
    await follow(() => pages().first().getByRole('link', { name: 'Last' }).click());
    expect(await rowCount()).to.equal(ROWS % 10);
    expect(await pages().first().getByRole('link', { name: 'Next' }).count()).to.equal(0);
    await watched.inspect('last-page');
    await follow(() => pages().first().getByRole('link', { name: 'First' }).click());
    expect(await table().textContent()).to.equal(first);
  });

  it('opens all that there is of a row, and closes it', async () => {
    const button = table().getByRole('button').first();
    const name = await button.textContent();
    await button.click();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    expect(await dialog.getByRole('heading').first().textContent()).to.equal(name);
    expect(await dialog.getByRole('table').textContent()).to.include('1.25');
    await watched.inspect('row');
    await dialog.getByRole('button').first().click();
    await dialog.waitFor({ state: 'hidden' });
  });

  it('reads what is wrong with a filter, and comes back to the list', async () => {
    await page.getByRole('textbox', { name: 'Filter' }).fill('RunTime gt');
    const response = await follow(() => page.getByRole('textbox', { name: 'Filter' }).press('Enter'));
    expect(response.status()).to.equal(400);
    const message = await page.getByRole('heading', { level: 1 }).textContent();
    expect(message).to.include('$filter').and.to.include('position 11');
    await watched.inspect('wrong-filter');
    await page.goBack();
    expect(await rowCount()).to.equal(10);
  });

  it('reads the same page in another language, and keeps it', async () => {
    const languages = page.getByRole('navigation', { name: 'Language' });
    await follow(() => languages.getByRole('link', { name: 'Deutsch' }).click());
    expect(await page.locator('html').getAttribute('lang')).to.equal('de');
    expect(parameter('$filter')).to.equal("contains(ProductName,'bracket')");
    await watched.inspect('german');
    const german = page.getByRole('navigation', { name: 'Ressourcen' }).getByRole('link').nth(1);
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
      await page.goto(`${service.api.origin}${path}?$lang=eng`);
      const buttons = page.locator('main').getByRole('button', { name: 'Bracket' });
      if ((await buttons.count()) > 0) await buttons.first().click();
      expect(await page.content()).not.to.include(service.token);
      const links = page.locator('a[href]');
      const addresses = await links.evaluateAll((all) => all.map((one) => String(Reflect.get(one, 'href'))));
      expect(addresses.length, path).to.be.greaterThan(10);
      for (const address of new Set(addresses)) {
        if (followed.has(address) || address.startsWith(`${page.url()}#`)) continue;
        const answer = await page.request.get(address, { headers: { accept: 'text/html' } });
        followed.set(address, answer.status());
        const isPage =
          answer.headers()['content-type']?.startsWith('text/html') && !address.endsWith('/docs');
        // What is shown to who is signed in is kept by nobody else.
        if (isPage) expect(answer.headers()['cache-control'], address).to.equal('private, no-store');
      }
      expect(await page.getByText('/product/products/').count()).to.equal(path === LIST ? 10 : 0);
    }
    expect([...followed].filter(([, status]) => status !== 200)).to.deep.equal([]);
    expect(followed.size).to.be.greaterThan(40);
  });

  it('is asked for a token where there is none, and gets on with it', async () => {
    await page.context().clearCookies();
    const response = await page.goto(`${service.api.origin}${LIST}?$top=20&$lang=eng`);
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
