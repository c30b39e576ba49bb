import { randomFrom } from '@takt/test-support';

const TIMES = [
  'RunTime',
  'SetupTime',
  'CleanupTime',
  ...['Average', 'Shortest', 'Longest', 'Deviation'].flatMap((figure) =>
    ['Run', 'Setup', 'Cleanup'].map((kind) => `${figure}${kind}Time`),
  ),
];
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
