import { createServer, type Server } from 'node:http';
import { createApiClient, createUser } from '@takt/access';
import { findFreePort, needsProgram, openBrowser, waitUntil } from '@takt/test-support';
import { expect } from 'chai';
import type { Browser, Page, Response } from 'playwright-core';
import { storeMasterData, structureVersion } from '../support/master-data.js';
import { LIST } from '../support/production-times.js';
import { openTestApi, type TestApi } from '../support/test-api.js';
import { openWatchedPage, type WatchedPage } from '../support/watched-page.js';

const PASSWORD = 'correct horse battery';
const ANY_TOKEN = /takt_[\w-]{20,}/;

describe('a person who signs in', function () {
  this.timeout(180_000);
  let service: TestApi;
  let browser: Browser;
  let pid: number;
  let client: Server;
  let clientOrigin: string;
  let clientId: number;

  before(async function () {
    needsProgram(this, 'chromium');
    service = await openTestApi({ companies: ['TEM-NO', 'TEM-SE'] });
    await storeMasterData(service, [
      ...Array.from({ length: 25 }, (_, index) => structureVersion('TEM-NO', 1 + index)),
      structureVersion('TEM-SE', 1),
    ]);
    const person = {
      name: 'Larsen',
      companyCodes: ['TEM-NO', 'TEM-SE'],
      roles: ['planner'],
      password: PASSWORD,
    };
    pid = await createUser(service.database, person);
    const port = await findFreePort();
    clientOrigin = `http://localhost:${port}`;
    const redirectUris = [`${clientOrigin}/signed-in`];
    const known = { name: 'Line display', isPublic: true, permissions: ['production-times'], redirectUris };
    ({ clientId } = await createApiClient(service.database, known));
    client = createServer((request, response) => response.end(`<h1>${request.url?.split('?')[0]}</h1>`));
    await new Promise<void>((resolve) => client.listen(port, 'localhost', resolve));
    browser = await openBrowser();
  });
  after(async () => {
    await browser?.close();
    client?.close();
    await service?.close();
  });

  for (const javaScriptEnabled of [true, false]) {
    describe(javaScriptEnabled ? 'with a browser' : 'with a browser that runs no script', () => {
      let watched: WatchedPage;
      let page: Page;
      before(async () => {
        watched = await openWatchedPage(browser, service.api.origin, { javaScriptEnabled });
        page = watched.page;
      });
      after(() => watched.close());

      const shot = `sign-in${javaScriptEnabled ? '' : '-without-script'}`;
      const heading = () => page.getByRole('heading', { level: 1 }).textContent();

      /**
       * Runs an action that leads to another page, and returns the response of that page. Expects no token in the
       * address or the HTML of that page.
       */
      async function follow(action: () => Promise<unknown>): Promise<Response> {
        const [response] = await Promise.all([
          page.waitForResponse((one) => one.request().isNavigationRequest() && one.status() !== 303),
          action(),
        ]);
        await page.waitForLoadState();
        expect(page.url()).not.to.match(ANY_TOKEN);
        expect(await page.content()).not.to.match(ANY_TOKEN);
        return response;
      }

      async function signIn(password = PASSWORD): Promise<Response> {
        await page.getByRole('textbox', { name: 'Name, e-mail address or user number' }).fill(String(pid));
        await page.getByLabel('Password').fill(password);
        return follow(() => page.getByRole('button', { name: 'Sign in' }).click());
      }

      it('sees an error for a wrong password, and reaches the requested page with the right password', async () => {
        const asked = await follow(() => page.goto(`${service.api.origin}${LIST}?$top=20&$orderby=RunTime`));
        expect(asked.status()).to.equal(403);
        expect(await heading()).to.equal('Sign in');
        await watched.inspect(`${shot}-asked`);
        expect((await signIn('wrong password')).status()).to.equal(403);
        expect(await page.getByRole('alert').textContent()).to.include('password is wrong');
        await watched.inspect(`${shot}-wrong`);
        expect((await signIn()).status()).to.equal(200);
        expect(page.url()).to.equal(`${service.api.origin}${LIST}?$top=20&$orderby=RunTime&$db=TEM-NO`);
        expect(await page.getByRole('banner').getByTitle('Signed in as Larsen').textContent()).to.equal(
          'Larsen',
        );
        await watched.inspect(`${shot}-signed-in`);
      });

      it('can turn pages, filter a list, and change the company and the language', async () => {
        await follow(() => page.getByRole('link', { name: 'Next' }).first().click());
        await page.locator('summary', { hasText: 'Advanced filter' }).click();
        const filter = page.getByRole('textbox', { name: 'Filter' });
        await filter.fill("contains(ProductName,'bracket')");
        await follow(() => filter.press('Enter'));
        await page.locator('.menu > summary').click();
        await follow(() => page.getByRole('link', { name: 'Company TEM-SE' }).click());
        expect(new URL(page.url()).searchParams.get('$db')).to.equal('TEM-SE');
        await follow(() => page.getByRole('link', { name: 'Deutsch' }).click());
        expect(await page.getByRole('button', { name: 'Abmelden' }).count()).to.equal(1);
        await follow(() => page.getByRole('link', { name: 'English' }).click());
      });

      it('is told that the session has expired, and returns to the same page after a new sign-in', async () => {
        const address = page.url();
        await service.database.pool.query('UPDATE takt.access_tokens SET revoked_at = now() WHERE pid = $1', [
          pid,
        ]);
        await waitUntil(
          'the session has ended',
          async () => (await follow(() => page.goto(address))).status() === 403,
        );
        expect(await heading()).to.equal('Your session has ended');
        await watched.inspect(`${shot}-ended`);
        expect((await signIn()).status()).to.equal(200);
        expect(page.url()).to.equal(address);
      });

      it('cannot return to an earlier page with the back button after signing out', async () => {
        const address = page.url();
        await follow(() => page.getByRole('button', { name: 'Sign out' }).click());
        expect(new URL(page.url()).pathname).to.equal('/oauth2');
        await watched.inspect(`${shot}-signed-out`);
        const cookies = await page.context().cookies();
        expect(cookies.map(({ name }) => name)).to.have.members(['takt_language', 'takt_company']);
        await page.goBack();
        expect(await heading()).to.equal('Sign in');
        expect((await follow(() => page.goto(address))).status()).to.equal(403);
      });

      it('can open an address with a token, and then sees an address without the token', async () => {
        const response = await follow(() =>
          page.goto(`${service.api.origin}${LIST}?$access_token=${service.token}`),
        );
        expect(response.status()).to.equal(200);
        expect(page.url()).to.equal(`${service.api.origin}${LIST}?$db=TEM-NO`);
        // By default the page shows only items over plan, and there are none yet.
        await follow(() => page.getByRole('link', { name: 'All', exact: true }).click());
        await follow(() => page.getByRole('link', { name: 'Next' }).first().click());
        await follow(() => page.getByRole('button', { name: 'Sign out' }).click());
      });

      it('authorizes a client application with the form of the sign-in page', async () => {
        const asked = await browser.newContext({ javaScriptEnabled });
        const visitor = await asked.newPage();
        const problems: string[] = [];
        visitor.on('console', (message) => problems.push(message.text()));
        const query = new URLSearchParams({
          ...{ response_type: 'code', client_id: String(clientId), state: 'one' },
          ...{ redirect_uri: `${clientOrigin}/signed-in`, code_challenge_method: 'S256' },
          code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        });
        const address = `${service.api.origin}/oauth2?${query}`;
        await visitor.goto(address);
        expect(await visitor.getByRole('main').textContent()).to.include('Line display');
        await visitor.getByRole('textbox', { name: 'Name, e-mail address or user number' }).fill(String(pid));
        await visitor.getByLabel('Password').fill(PASSWORD);
        await visitor.getByRole('button', { name: 'Sign in' }).click();
        await visitor.waitForURL(`${clientOrigin}/signed-in?**`);
        expect(new URL(visitor.url()).searchParams.get('state')).to.equal('one');
        await visitor.goto(address);
        await visitor.getByRole('button', { name: 'Continue' }).click();
        await visitor.waitForURL(`${clientOrigin}/signed-in?**`);
        expect(new URL(visitor.url()).searchParams.get('code')).to.match(ANY_TOKEN);
        expect(problems.filter((text) => /policy|refused/i.test(text))).to.deep.equal([]);
        await asked.close();
      });
    });
  }
});
