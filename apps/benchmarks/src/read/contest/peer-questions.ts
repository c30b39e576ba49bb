import { randomFrom } from '@takt/test-support';
import { quantileOf, TIMES } from '../figures.js';
import { LIST_PATH } from '../make-requests.js';

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
export const DEEP_ORDERS: readonly PeerQuestion[] = [
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
