import { randomFrom } from '@takt/test-support';
import { LIST_PATH, quantileOf, TIMES } from '../make-requests.js';
import type { LoadRequest } from './http-load.js';

/** A page that all peers are asked for, each in its own words. */
export interface PeerQuestion {
  readonly order: string;
  readonly descends: boolean;
  readonly range?: { readonly field: string; readonly operator: 'gt' | 'lt'; readonly hours: string };
}

export type PeerName = 'takt' | 'by hand' | 'CAP';

const FILTERED_QUESTIONS = 200;
const ORDERS = [...TIMES, 'NumberOfCompletedProductionWorkOrders'];

/** Every order in both directions. */
export const FIRST_PAGES: readonly PeerQuestion[] = ORDERS.flatMap((order) => [
  { order, descends: false },
  { order, descends: true },
]);

/** A range that leaves a tenth to nine tenths of the rows, ordered by the same field and by another. */
export function makeFilteredPages(seed: number): readonly PeerQuestion[] {
  const random = randomFrom(seed);
  return Array.from({ length: FILTERED_QUESTIONS }, (_, index) => {
    const field = random.pick(TIMES);
    const hours = quantileOf(field, 0.1 + 0.8 * random()).toFixed(4);
    return {
      order: index % 2 === 0 ? field : random.pick(ORDERS),
      descends: random() < 0.5,
      range: { field, operator: random.pick(['gt', 'lt'] as const), hours },
    };
  });
}

/** Of which the pages up to page 1,000 are asked for. */
const DEEP_ORDERS: readonly PeerQuestion[] = [
  { order: 'AverageRunTime', descends: false },
  { order: 'LongestSetupTime', descends: true },
  { order: 'RunTime', descends: true },
];

/** Path and query of a question's first page. */
export function pathOf(peer: PeerName, { order, descends, range }: PeerQuestion): string {
  if (peer === 'by hand') {
    const filter =
      range === undefined ? '' : `&filter=${range.field}&operator=${range.operator}&value=${range.hours}`;
    return `/production-times?top=80&order=${order}&descends=${descends}${filter}`;
  }
  const condition = range === undefined ? '' : `${range.field} ${range.operator} ${range.hours}`;
  const filter = condition === '' ? '' : `&$filter=${encodeURIComponent(condition)}`;
  const direction = descends ? ' desc' : '';
  // Ties are in the direction of the order in ours, and where nothing else is said ascending in CAP.
  const [path, orderBy] =
    peer === 'takt'
      ? [LIST_PATH, order + direction]
      : ['/production-times/Versions', `${order}${direction},ProductStructureVersionId${direction}`];
  return `${path}?$top=80&$orderby=${encodeURIComponent(orderBy)}${filter}`;
}

const PAGE_SIZE = 80;
/** The last of them; so that no page is the one that everything is in memory for, those before it are asked for too. */
const DEEPEST_PAGE = 1_000;
const PAGES = 20;

interface DeepPages {
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
