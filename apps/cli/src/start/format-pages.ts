import type { Page } from './start-apps.js';

/** One line for each page: what it is and where. */
export function formatPages(pages: readonly Page[]): readonly string[] {
  return pages.map(({ url, what }) => `  ${what.padEnd(16)} ${url}`);
}
