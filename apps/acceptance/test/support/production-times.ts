import type { ApiClient } from './test-api.js';

export const LIST = '/product/structure-versions/aggregated-production-times';

/** The fields that paging tests read from a page of the list. */
export interface Page {
  readonly identifiers: readonly number[];
  readonly paging: Readonly<Record<string, string | number | null>>;
}

const KEYS_ONLY = '$select=ProductStructureVersionId&$expand=PagingDetails';

export function pageTarget(parameters: string): string {
  return `${LIST}?${KEYS_ONLY}&${parameters}`;
}

export function readPage(text: string): Page {
  const document: {
    readonly productStructureVersionAggregatedProductionTimes: readonly {
      readonly productStructureVersion: { readonly productStructureVersionId: number };
    }[];
    readonly paging: Page['paging'];
  } = JSON.parse(text);
  return {
    identifiers: document.productStructureVersionAggregatedProductionTimes.map(
      (row) => row.productStructureVersion.productStructureVersionId,
    ),
    paging: document.paging,
  };
}

/**
 * Reads a list page by page, either from the first page with NextPage or from the last page with PreviousPage. Returns
 * the pages in the order of the list. Throws if the page key in a link differs from the key in the paging, or if the
 * list does not end.
 */
export async function walk(
  client: ApiClient,
  parameters: string,
  direction: 'forward' | 'backward',
): Promise<readonly Page[]> {
  const step = direction === 'forward' ? 'nextPage' : 'previousPage';
  let page = await fetchPage(() => client.get(pageTarget(parameters)));
  if (direction === 'backward') page = await fetchPage(() => client.follow(String(page.paging['lastPage'])));
  const pages = [page];
  for (let link = page.paging[step]; link != null; link = page.paging[step]) {
    const address = String(link);
    if (new URL(address).searchParams.get('$pageKey') !== page.paging[`${step}Key`]) {
      throw new Error(`${address} has another key than ${step}Key`);
    }
    page = await fetchPage(() => client.follow(address));
    pages.push(page);
    if (pages.length > 5_000) throw new Error(`no end of ${parameters}`);
  }
  return direction === 'forward' ? pages : pages.reverse();
}

async function fetchPage(ask: () => ReturnType<ApiClient['get']>): Promise<Page> {
  const answer = await ask();
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
  return readPage(answer.text);
}
