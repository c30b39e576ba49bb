import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const SCREENSHOTS = fileURLToPath(new URL('../../screenshots/', import.meta.url));

/** A page of a browser at which nothing goes unnoticed. */
export interface WatchedPage {
  readonly page: Page;
  /** Looks at what is shown in light and in dark: accessible, without a message in the console; keeps pictures. */
  inspect(name: string): Promise<void>;
  close(): Promise<void>;
}

/** `origin` is the only one that anything may be asked of. */
export async function openWatchedPage(browser: Browser, origin: string): Promise<WatchedPage> {
  mkdirSync(SCREENSHOTS, { recursive: true });
  const context = await browser.newContext({ locale: 'en-US', viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const problems: string[] = [];
  page.on('console', (message) => {
    // Chromium says this of every page that is answered with an error status, which is what these pages are for.
    if (!/^Failed to load resource: .* status of 4\d\d/.test(message.text())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith('data:')) problems.push(`asks ${url}`);
  });
  const findViolations = async (): Promise<readonly string[]> => {
    await page.evaluate(AXE);
    return await page.evaluate(
      `axe.run({ runOnly: { type: 'tag', values: ${JSON.stringify(TAGS)} } }).then(({ violations }) =>
        violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 200))))`,
    );
  };
  return {
    page,
    async inspect(name) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        expect(await findViolations(), `${name}, ${colorScheme}`).to.deep.equal([]);
        await page.screenshot({ path: `${SCREENSHOTS}${name}-${colorScheme}.png` });
      }
      expect(problems, name).to.deep.equal([]);
    },
    close: () => context.close(),
  };
}
