import type { LoadRequest } from './http-load.js';
import { DEEP_ORDERS, type PeerName, pathOf } from './peer-questions.js';

const PAGE_SIZE = 80;
/** The last of them; so that no page is the one that everything is in memory for, those before it are asked for too. */
const DEEPEST_PAGE = 1_000;
const PAGES = 20;

export interface DeepPages {
  /** The last of the pages: 1,000 where there are as many. */
  readonly page: number;
  readonly requests: readonly LoadRequest[];
}

export interface Served {
  readonly origin: string;
  readonly token: string;
}

/** Addresses of deep pages, as a client finds them: by the links from page to page, or by counting rows. */
export async function findDeepPages(peer: PeerName, served: Served, rows: number): Promise<DeepPages> {
  const page = Math.min(DEEPEST_PAGE, Math.floor(rows / PAGE_SIZE) - 1);
  const paths = await Promise.all(
    DEEP_ORDERS.map((question) => {
      const first = pathOf(peer, question);
      return peer === 'CAP' ? skipTo(first, page) : followLinks(first, page, served);
    }),
  );
  return { page, requests: paths.flatMap((ofOrder) => ofOrder.slice(-PAGES)).map((path) => ({ path })) };
}

function skipTo(first: string, page: number): readonly string[] {
  return Array.from({ length: page }, (_, index) => `${first}&$skip=${index * PAGE_SIZE}`);
}

async function followLinks(
  first: string,
  page: number,
  { origin, token }: Served,
): Promise<readonly string[]> {
  const paths = [first];
  while (paths.length < page) {
    const path = paths.at(-1) ?? first;
    const response = await fetch(origin + path, { headers: { Authorization: `Bearer ${token}` } });
    const body = (await response.json()) as { readonly paging?: { readonly nextPage: string | null } };
    const next = body.paging?.nextPage;
    if (next == null) throw new Error(`${path} has no next page: ${JSON.stringify(body).slice(0, 300)}`);
    paths.push(next.slice(origin.length));
  }
  return paths;
}
