import { needsProgram, openBrowser } from '@takt/test-support';
import { expect } from 'chai';
import type { Browser, Page, Response } from 'playwright-core';
import { applicationVersion, storeMasterData } from '../support/master-data.js';
import { APPLICATION_VERSION_ID } from '../support/served-resources.js';
import { openTestApi, type TestApi } from '../support/test-api.js';
import { openWatchedPage, type WatchedPage } from '../support/watched-page.js';

describe('a person with a browser', function () {
  this.timeout(180_000);
  let service: TestApi;
  let browser: Browser;
  let watched: WatchedPage;
  let page: Page;

  before(async function () {
    needsProgram(this, 'chromium');
    service = await openTestApi({ companies: ['TEM-NO'] });
    await storeMasterData(service, [applicationVersion('TEM-NO', APPLICATION_VERSION_ID)]);
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

  /** Performs an action that leads to another page, and returns the response of that page. */
  async function follow(action: () => Promise<unknown>): Promise<Response> {
    const [response] = await Promise.all([
      page.waitForResponse((one) => one.request().isNavigationRequest() && one.status() !== 303),
      action(),
    ]);
    await page.waitForLoadState();
    return response;
  }

  const rows = () => page.getByRole('table').first().locator('tbody').getByRole('row');

  it('sees the start page without a token, and opens resources with a token', async () => {
    const index = await page.goto(`${service.api.origin}/`);
    expect(index?.status()).to.equal(200);
    expect(await page.getByRole('heading', { level: 1 }).textContent()).to.equal('Sign in');
    await watched.inspect('index-without-token');
    await page.locator('details:has(input[name="token"]) > summary').click();
    await page.getByRole('textbox', { name: 'Access token' }).fill(service.token);
    await follow(() => page.getByRole('button', { name: 'Open' }).click());
    expect(await page.locator('.tabs [aria-current]').textContent()).to.equal('Overview');
    await watched.inspect('opened');
    await follow(() => page.getByRole('link', { name: 'For developers' }).click());
    expect(await page.getByRole('textbox').count()).to.equal(0);
    await watched.inspect('index');
    const link = page.getByRole('main').getByRole('link', { name: 'Production times' });
    expect((await follow(() => link.click())).status()).to.equal(200);
    expect(await page.getByRole('main').textContent()).to.include('Nothing found.');
    await follow(() => page.getByRole('link', { name: 'Takt', exact: true }).click());
    expect(decodeURIComponent(page.url())).to.equal(
      `${service.api.origin}/product/products/aggregated-production-times?$db=TEM-NO&$filter=HoursOverPlan gt 0&$orderby=HoursOverPlan desc&view=overview&$top=10`,
    );
    await page.context().clearCookies();
  });

  it('finds an error message in the list by a search, and opens the page of the message', async () => {
    await page.goto(withToken('/system/error-messages'));
    expect(await page.getByRole('heading', { level: 1 }).textContent()).to.equal('Error messages');
    await watched.inspect('error-messages');
    await page.getByRole('searchbox').fill('permission found');
    await follow(() => page.getByRole('searchbox').press('Enter'));
    expect(await rows().count()).to.equal(1);
    await follow(() => rows().getByRole('link').first().click());
    expect(new URL(page.url()).pathname).to.equal('/system/error-messages/101015');
    expect(await page.getByRole('main').textContent()).to.include('Permission not found');
    await watched.inspect('error-message');
  });

  it('opens the page of an application version', async () => {
    const path = `/system/applications/10001/versions/${APPLICATION_VERSION_ID}`;
    await page.goto(withToken(path));
    expect(await page.getByRole('main').textContent()).to.include('Work order board');
    await watched.inspect('application-version');
  });
});
