import { type Random, randomFrom } from '@takt/test-support';

export const LIST_PATH = '/product/structure-versions/aggregated-production-times';
export const PAGE_SIZE = 80;
export const COUNT = 'NumberOfCompletedProductionWorkOrders';

/** The times as multiples of the time of an operation, as `fillDatabase` generates them. */
const SHARES: Readonly<Record<string, number>> = {
  RunTime: 0.9,
  AverageRunTime: 1,
  ShortestRunTime: 0.6,
  LongestRunTime: 1.9,
  DeviationRunTime: Math.sqrt(0.05),
  SetupTime: 1,
  AverageSetupTime: 1,
  ShortestSetupTime: 0.4,
  LongestSetupTime: 2.5,
  DeviationSetupTime: Math.sqrt(0.1),
  CleanupTime: 1,
  AverageCleanupTime: 1,
  ShortestCleanupTime: 1 / 3,
  LongestCleanupTime: 3,
  DeviationCleanupTime: Math.sqrt(0.2),
};

/** The names of the planned and actual times, which are in hours. */
export const TIMES = Object.keys(SHARES);

/** The stored fields by which a list can be sorted. */
export const ORDER_FIELDS: readonly string[] = [
  ...TIMES,
  COUNT,
  'ProductName',
  'HoursOverPlan',
  ...['Run', 'Setup', 'Cleanup'].flatMap((kind) =>
    ['Difference', 'OverPlanPercent', 'HoursOverPlan'].map((figure) => `${kind}Time${figure}`),
  ),
];

/** The sort orders without an index, see docs/decisions/indexes-of-the-figures.md. */
export const UNINDEXED_FIELDS: readonly string[] = ['Run', 'Setup', 'Cleanup'].flatMap((kind) => [
  `${kind}TimeDifference`,
  `${kind}TimeOverPlanPercent`,
]);

/** Returns a number of hours for a time. About `share` (0 to 1) of the structure versions do not exceed it. */
export function quantileOf(time: string, share: number): number {
  const base = time.includes('Run')
    ? 0.05 - 4 * Math.log(1 - share)
    : share * (time.includes('Setup') ? 3 : 1);
  return base * (SHARES[time] ?? 1);
}

export function columnOf(field: string): string {
  if (field === COUNT) return 'number_of_completed_operations';
  return field.replace(/(?<=.)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

/** Returns the query of a page. Empty options are left out. */
export function queryOf(options: Readonly<Record<'$orderby' | '$filter', string>>): string {
  return Object.entries({ $top: String(PAGE_SIZE), ...options })
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
}

/**
 * The groups of random requests: pages that are sorted, pages that are filtered by ranges of times, and pages that are
 * filtered by texts.
 */
export type Kind = 'ordered' | 'by range' | 'by text';

/** Makes random queries. The same seed gives the same queries. */
export function makeQueries(kind: Kind, count: number, seed: number): readonly string[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, () =>
    queryOf({ $orderby: randomOrder(random), $filter: FILTERS[kind](random) }),
  );
}

function randomOrder(random: Random): string {
  const fields = random
    .shuffle([...TIMES, COUNT, 'ProductName'])
    .map((field) => `${field}${random.pick(['', ' desc'])}`);
  const share = random();
  if (share < 0.15) return '';
  return fields.slice(0, share < 0.3 ? 2 : 1).join(',');
}

const WORDS = ['Gear', 'Shaft', 'Housing', 'Flange', 'Pump', 'Valve'];
const range = (random: Random) =>
  `${random.pick(TIMES)} ${random.pick(['gt', 'ge', 'lt', 'le'])} ${(random() * 8).toFixed(2)}`;

const FILTERS: Readonly<Record<Kind, (random: Random) => string>> = {
  ordered: () => '',
  'by range': (random) => (random() < 0.7 ? range(random) : `${range(random)} and ${range(random)}`),
  'by text': (random) =>
    random() < 0.5
      ? `startswith(ProductName,'${random.pick(WORDS)}')`
      : `contains(ProductName,'${random.below(4096).toString(16).padStart(3, '0')}')`,
};

/** A page that is requested from Takt and from its peers, from each in its own syntax. */
export interface PeerQuestion {
  readonly order: string;
  readonly descends: boolean;
  readonly range?: { readonly field: string; readonly operator: 'gt' | 'lt'; readonly hours: string };
}

export const PEERS = ['takt', 'by hand', 'CAP'] as const;
export type PeerName = (typeof PEERS)[number];

const PEER_ORDERS = [...TIMES, COUNT];
const FILTERED_PAGES = 200;

/** The first page in every sort order, in both directions. */
export const FIRST_PAGES: readonly PeerQuestion[] = PEER_ORDERS.flatMap((order) => [
  { order, descends: false },
  { order, descends: true },
]);

/**
 * Makes pages with ranges that match a tenth to nine tenths of the rows. The pages are sorted by the field of the range
 * or by another field.
 */
export function makeFilteredPages(seed: number): readonly PeerQuestion[] {
  const random = randomFrom(seed);
  return Array.from({ length: FILTERED_PAGES }, (_, index) => {
    const field = random.pick(TIMES);
    const hours = quantileOf(field, 0.1 + 0.8 * random()).toFixed(4);
    return {
      order: index % 2 === 0 ? field : random.pick(PEER_ORDERS),
      descends: random() < 0.5,
      range: { field, operator: random.pick(['gt', 'lt'] as const), hours },
    };
  });
}

/** Returns path and query of the first page. */
export function pathOf(peer: PeerName, { order, descends, range: asked }: PeerQuestion): string {
  if (peer === 'by hand') {
    const filter =
      asked === undefined ? '' : `&filter=${asked.field}&operator=${asked.operator}&value=${asked.hours}`;
    return `/production-times?top=${PAGE_SIZE}&order=${order}&descends=${descends}${filter}`;
  }
  const direction = descends ? ' desc' : '';
  const $filter = asked === undefined ? '' : `${asked.field} ${asked.operator} ${asked.hours}`;
  if (peer === 'takt') return `${LIST_PATH}?${queryOf({ $orderby: order + direction, $filter })}`;
  // Takt sorts ties in the direction of the order. CAP sorts ties in ascending order unless the request says otherwise.
  const $orderby = `${order}${direction},ProductStructureVersionId${direction}`;
  return `/production-times/Versions?${queryOf({ $orderby, $filter })}`;
}
