import { createUser } from '@takt/access';
import { findAccessibilityViolations, needsProgram, openBrowser, opened } from '@takt/test-support';
import { expect } from 'chai';
import { cookieOf, LIST, openSignInPlace, PASSWORD } from '../oauth/sign-in-place.js';
import { showHtml } from '../support/show-html.js';

const IN_NORWAY = '/system/saved-views?$db=TEM-NO';
const FILTERED = `${LIST}?$filter=${encodeURIComponent("ProductName eq 'Ø & 50 %'")}&$orderby=RunTime%20desc&from=2025-04`;

describe('Saved views', function () {
  this.timeout(120_000);
  const place = opened(openSignInPlace);

  const signIn = async (pid: string) =>
    cookieOf(await place.post('/oauth2', { login: pid, password: PASSWORD }));
  const html = (cookie: string) => ({ Cookie: cookie, Accept: 'text/html' });
  const names = async (cookie: string) => {
    const response = await place.get(`${IN_NORWAY}&$format=json`, { Cookie: cookie });
    const { savedViews } = (await response.json()) as { savedViews: readonly { readonly name: string }[] };
    return savedViews.map(({ name }) => name);
  };

  it('can be saved, opened, shared and deleted on accessible pages without script', async function () {
    needsProgram(this, 'chromium');
    const colleague = { name: 'Berg', companyCodes: ['TEM-NO'], roles: ['operator'], password: PASSWORD };
    const larsen = await signIn(place.pid);
    const berg = await signIn(String(await createUser(place.database, colleague)));
    const browser = await openBrowser();
    try {
      const context = await browser.newContext({ javaScriptEnabled: false, colorScheme: 'dark' });
      const [name = '', value = ''] = larsen.split('=');
      await context.addCookies([{ name, value, url: place.origin }]);
      const view = await context.newPage();
      await view.goto(`${place.origin}${FILTERED}&$db=TEM-NO`);
      await view.locator('details.saved summary').click();
      await view.getByRole('textbox', { name: 'Name', exact: true }).fill('By hand');
      await view.getByRole('button', { name: 'Save this view' }).click();
      expect(new URL(view.url()).searchParams.get('from')).to.equal('2025-04');
      await view.locator('details.saved summary').click();
      await view.getByRole('link', { name: 'All saved views' }).click();
      expect(await view.getByRole('heading', { level: 1 }).textContent()).to.equal('Saved views');
      await view.getByRole('button', { name: 'Share' }).click();
      expect(await names(berg)).to.deep.equal(['By hand']);
      const readable = await browser.newPage();
      for (const path of [`${FILTERED}&$db=TEM-NO`, IN_NORWAY]) {
        await showHtml(
          readable,
          (await (await place.get(path, html(larsen))).text()).replace(
            '<details class="help saved">',
            '<details class="help saved" open>',
          ),
        );
        expect(await findAccessibilityViolations(readable), path).to.deep.equal([]);
      }
      await view.getByRole('button', { name: 'Delete' }).click();
      expect(await names(larsen)).to.deep.equal([]);
    } finally {
      await browser.close();
    }
  });
});
