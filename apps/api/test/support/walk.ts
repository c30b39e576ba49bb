import type { ListResource } from '@takt/catalogue/resources';
import type { ListPage, PageLink } from '../../src/representations/writer.js';
import { askList, columnOf, type Parameters } from './ask.js';
import type { TestApi } from './open-test-api.js';

/** The maximum number of pages of a walk. No list of the tests has as many pages, so an endless walk fails. */
const MAX_PAGES = 500;

/** Reads the page to which a link leads, with the parameters in its address. */
export function follow(api: TestApi, resource: ListResource, link: PageLink): Promise<ListPage> {
  return askList(api, resource, parametersOf(link.href));
}

export function parametersOf(href: string): Parameters {
  return Object.fromEntries(new URL(href).searchParams);
}

/**
 * Reads the page of the parameters and all pages after or before it, by NextPage or PreviousPage. Calls `between`
 * before each further page.
 */
export async function walk(
  api: TestApi,
  resource: ListResource,
  parameters: Parameters,
  step: 'next' | 'previous',
  between: () => Promise<unknown> = async () => undefined,
): Promise<readonly ListPage[]> {
  const pages = [await askList(api, resource, parameters)];
  for (let link = pages[0]?.paging[step]; link != null; link = pages.at(-1)?.paging[step]) {
    if (pages.length > MAX_PAGES) throw new Error(`more than ${MAX_PAGES} pages`);
    await between();
    pages.push(await follow(api, resource, link));
  }
  return pages;
}

/**
 * Returns the identifiers of the rows in the order of the list. Pages that were read by previous links are reversed.
 */
export function identifiersOf(pages: readonly ListPage[], step: 'next' | 'previous'): readonly number[] {
  const inOrder = step === 'next' ? pages : pages.toReversed();
  return inOrder.flatMap((page) => columnOf(page).map(Number));
}
