import { type Random, randomFrom } from '@takt/test-support';
import { COUNT, columnOf, ORDER_FIELDS, quantileOf, TIMES } from '../read/requests.js';

/** Makes filters of all kinds in turn. The same seed gives the same filters. */
export function makeFilters(count: number, seed: number): readonly string[] {
  const random = randomFrom(seed);
  const filters: string[] = [];
  while (filters.length < count) filters.push(...FILTERS.map((make) => make(random)));
  return filters.slice(0, count);
}

const compare = (time: string, operator: string, share: number) =>
  `${time} ${operator} ${quantileOf(time, share).toFixed(4)}`;
/** Makes a filter that matches a tenth to nine tenths of the rows that have the time. */
const denseRange = (random: Random) =>
  compare(random.pick(TIMES), random.pick(['gt', 'ge', 'lt', 'le']), 0.1 + 0.8 * random());
/**
 * Makes a filter that matches at most one in a thousand rows, either at one end of the values or in a narrow interval.
 */
const sparseRange = (random: Random) => {
  const time = random.pick(TIMES);
  const share = random() / 1_000;
  const middle = 0.1 + 0.8 * random();
  return random.pick([
    compare(time, 'lt', share),
    compare(time, 'gt', 1 - share),
    `${compare(time, 'ge', middle)} and ${compare(time, 'le', middle + share)}`,
  ]);
};
const ofOneKind = (random: Random) => {
  const kind = random.pick(['Run', 'Setup', 'Cleanup']);
  return random.shuffle(TIMES.filter((time) => time.includes(kind)));
};

const FILTERS: readonly ((random: Random) => string)[] = [
  denseRange,
  sparseRange,
  (random) => `not (${random.pick([denseRange, sparseRange])(random)})`,
  (random) => `${random.pick(ORDER_FIELDS)} ${random.pick(['eq', 'ne'])} null`,
  (random) =>
    ofOneKind(random)
      .slice(0, 2)
      .join(random.pick([' gt ', ' lt ', ' eq '])),
  // This filter matches no row, but the statistics of single columns do not show that.
  (random) => {
    const [time = '', other = ''] = ofOneKind(random);
    return `${compare(time, 'gt', 0.7)} and ${compare(other, 'lt', 0.2)}`;
  },
  (random) => `startswith(ProductName,'${random.pick(['gear', 'shaft 4', 'pump c4'])}')`,
  (random) => `contains(ProductName,'${random.below(4096).toString(16).padStart(3, '0')}')`,
  (random) => `ProductId in (${Array.from({ length: 8 }, () => 1 + random.below(2_500)).join(',')})`,
  (random) => {
    const kind = random.pick(['Run', 'Setup', 'Cleanup']);
    const hours = quantileOf(`Average${kind}Time`, 0.05 + 0.9 * random()).toFixed(4);
    return `Average${kind}Time ${random.pick(['sub', 'add'])} ${kind}Time gt ${hours}`;
  },
  (random) => `${COUNT} mod 13 eq ${random.below(13)}`,
  (random) => `(${denseRange(random)} or ${sparseRange(random)}) and ${denseRange(random)}`,
  (random) => `Revision eq '${random.pick(['A', 'B', 'Z'])}' and ${denseRange(random)}`,
];

const SQL_WORDS: Readonly<Record<string, string>> = {
  eq: '=',
  ne: '<>',
  gt: '>',
  ge: '>=',
  lt: '<',
  le: '<=',
  sub: '-',
  add: '+',
  mod: '%',
  contains: '0 < strpos',
  startswith: 'starts_with',
  ProductName: 'lower(product_name)',
};
const UNITS_PER_HOUR = 1_000_000;

/** Returns the condition of a filter in SQL. It supports only the syntax of the filters above. */
export function sqlOf(filter: string): string {
  const parts = filter.split("'").map((part, index) =>
    index % 2 === 1
      ? `'${part}'`
      : part
          .replace(/(eq|ne) null/, (_, operator) => (operator === 'eq' ? 'IS NULL' : 'IS NOT NULL'))
          .replace(/^not (.+)$/, 'NOT coalesce($1, false)')
          .replace(/\d+\.\d{4}/g, (hours) => String(Math.round(Number(hours) * UNITS_PER_HOUR)))
          .replace(
            /\b[A-Za-z]+\b/g,
            (word) => SQL_WORDS[word] ?? (/^[A-Z][a-z]/.test(word) ? columnOf(word) : word),
          ),
  );
  return parts.join('');
}
