import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findAccessibilityViolations, findUnstyledClasses } from '@takt/test-support';
import { expect } from 'chai';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

const SCREENSHOTS = fileURLToPath(new URL('../../screenshots/', import.meta.url));
const keepsScreenshots = process.env['TAKT_SCREENSHOTS'] === '1';

/** A page in a browser. Every problem of the page makes the test fail. */
export interface WatchedPage {
  readonly page: Page;
  /**
   * Checks the current page in light and in dark colours. The page must be accessible, have a style for each class, and
   * cause no console messages. Ignores the rules `exceptRules` of axe. With TAKT_SCREENSHOTS=1, saves screenshots.
   */
  inspect(name: string, exceptRules?: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Opens a page. A request to any other origin counts as a problem. */
export async function openWatchedPage(
  browser: Browser,
  origin: string | readonly string[],
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  if (keepsScreenshots) mkdirSync(SCREENSHOTS, { recursive: true });
  const context = await browser.newContext({
    locale: 'en-US',
    viewport: { width: 1440, height: 900 },
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const problems: string[] = [];
  page.on('console', (message) => {
    // Chromium reports every page with an error status. These tests request pages with an error status on purpose.
    if (!/^Failed to load resource: .* status of 4\d\d/.test(message.text())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => {
    const url = request.url();
    const isOwn = [origin].flat().some((one) => url.startsWith(`${one}/`));
    if (!isOwn && !url.startsWith('data:')) problems.push(`asks ${url}`);
  });
  return {
    page,
    async inspect(name, exceptRules = []) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        // Axe is a script, so it cannot run in a page without script. The dark page differs from the light page only in
        // its colours.
        const violations =
          options.javaScriptEnabled === false
            ? []
            : await findAccessibilityViolations(page, colorScheme === 'light' ? 'all' : 'colours');
        const own = violations.filter((one) => !exceptRules.some((rule) => one.startsWith(`${rule}: `)));
        expect(own, `${name}, ${colorScheme}`).to.deep.equal([]);
        if (keepsScreenshots) await page.screenshot({ path: `${SCREENSHOTS}${name}-${colorScheme}.png` });
      }
      expect(await findUnstyledClasses(page), `${name}, classes without a style`).to.deep.equal([]);
      expect(problems, name).to.deep.equal([]);
    },
    close: () => context.close(),
  };
}
