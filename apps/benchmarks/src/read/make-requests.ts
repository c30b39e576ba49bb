import { randomFrom } from '@takt/test-support';

/** What the questions know of the rows that `fillDatabase` makes. */

/** Times, by how `fillDatabase` makes them from the time of one operation of their kind. */
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

/** Planned and actual times, in hours. */
export const TIMES = Object.keys(SHARES);

/** All columns that can be ordered by. */
export const ORDER_FIELDS = [
  ...TIMES,
  'NumberOfCompletedProductionWorkOrders',
  'ProductName',
  'HoursOverPlan',
  ...['Run', 'Setup', 'Cleanup'].flatMap((kind) => [
    `${kind}TimeDifference`,
    `${kind}TimeOverPlanPercent`,
    `${kind}TimeHoursOverPlan`,
  ]),
];

/** Hours, below which about `share` (0 to 1) of those structure versions are that have such a time. */
export function quantileOf(time: string, share: number): number {
  const base = time.includes('Run')
    ? 0.05 - 4 * Math.log(1 - share)
    : share * (time.includes('Setup') ? 3 : 1);
  return base * (SHARES[time] ?? 1);
}

/** The column that a field is read from. */
export function columnOf(field: string): string {
  if (field === 'NumberOfCompletedProductionWorkOrders') return 'number_of_completed_operations';
  if (field === 'ProductStructureVersionStatus') return 'status';
  return field.replace(/(?<=.)[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

const ORDERS = [...TIMES, 'NumberOfCompletedProductionWorkOrders', 'ProductName'];
const WORDS = ['Gear', 'Shaft', 'Housing', 'Flange', 'Pump', 'Valve'];

export const LIST_PATH = '/product/structure-versions/aggregated-production-times';

/** Which requests: pages in some order, what a range leaves of them, or what a text leaves. */
export type Kind = 'ordered' | 'by range' | 'by text';

/** The query of a page of 80: random fields, directions, bounds and texts, the same for the same seed. */
export function makeQueries(kind: Kind, count: number, seed: number): readonly string[] {
  const random = randomFrom(seed);
  const { pick } = random;
  const direction = () => (random() < 0.5 ? '' : ' desc');
  const order = () => {
    const share = random();
    if (share < 0.15) return undefined;
    const first = pick(ORDERS);
    const second = pick(ORDERS.filter((name) => name !== first));
    return share < 0.3 ? `${first}${direction()},${second}${direction()}` : `${first}${direction()}`;
  };
  const range = () => `${pick(TIMES)} ${pick(['gt', 'ge', 'lt', 'le'])} ${(random() * 8).toFixed(2)}`;
  const text = () =>
    random() < 0.5
      ? `startswith(ProductName,'${pick(WORDS)}')`
      : `contains(ProductName,'${random.below(4096).toString(16).padStart(3, '0')}')`;
  const filters: Readonly<Record<Kind, () => string | undefined>> = {
    ordered: () => undefined,
    'by range': () => (random() < 0.7 ? range() : `${range()} and ${range()}`),
    'by text': text,
  };
  return Array.from({ length: count }, () => {
    const options = { $top: '80', $orderby: order(), $filter: filters[kind]() };
    return Object.entries(options)
      .filter((entry): entry is [string, string] => entry[1] !== undefined)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&');
  });
}
