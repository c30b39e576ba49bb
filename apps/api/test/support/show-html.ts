import { contentSecurityPolicy } from '@takt/http';
import { assetRoutes } from '@takt/pages';
import type { Page } from 'playwright-core';

const ADDRESS = 'https://takt.example/page';

const documents = new WeakMap<Page, string>();

/** Shows a document in a browser, with its style sheet, its script and its Content-Security-Policy, as the service sends it. */
export async function showHtml(page: Page, html: string): Promise<void> {
  if (!documents.has(page)) {
    await page.route('**/*', (route) => {
      const asset = assetRoutes.find(({ path }) => new URL(route.request().url()).pathname.endsWith(path));
      return route.fulfill({
        body: asset?.body() ?? documents.get(page) ?? '',
        contentType: asset?.contentType ?? 'text/html; charset=utf-8',
        headers: { 'Content-Security-Policy': contentSecurityPolicy() },
      });
    });
  }
  documents.set(page, html);
  await page.goto(ADDRESS);
}
