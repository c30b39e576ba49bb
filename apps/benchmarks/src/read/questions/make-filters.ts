import { createHash } from 'node:crypto';
import { type Random, randomFrom } from '@takt/test-support';
import { columnOf, ORDER_FIELDS, quantileOf, TIMES } from '../make-requests.js';

/** A condition as a client writes it, and the same for PostgreSQL; there it may be null for false. */
export interface Filter {
  readonly text: string;
  readonly sql: string;
}

/** So many filters, of every kind as many; the same for the same seed. */
export function makeFilters(count: number, seed: number): readonly Filter[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, (_, index) => {
    const make = KINDS[index % KINDS.length];
    if (make === undefined) throw new RangeError('there is no kind of filter');
    return make(random);
  });
}

type Make = (random: Random) => Filter;
type Operator = keyof typeof SQL_OPERATORS;

const SQL_OPERATORS = { eq: '=', ne: '<>', gt: '>', ge: '>=', lt: '<', le: '<=' } as const;
const UNITS_PER_HOUR = 1_000_000;

function compared(time: string, operator: Operator, hours: number): Filter {
  const rounded = hours.toFixed(4);
  const units = Math.round(Number(rounded) * UNITS_PER_HOUR);
  return {
    text: `${time} ${operator} ${rounded}`,
    sql: `${columnOf(time)} ${SQL_OPERATORS[operator]} ${units}`,
  };
}

function joined(word: 'and' | 'or', ...parts: readonly Filter[]): Filter {
  return {
    text: parts
      .map(({ text }) => (text.includes(' or ') && word === 'and' ? `(${text})` : text))
      .join(` ${word} `),
    sql: parts.map(({ sql }) => `(${sql})`).join(` ${word} `),
  };
}

/** Of what is missing every comparison is false, so its negation true. */
const negated = ({ text, sql }: Filter): Filter => ({
  text: `not (${text})`,
  sql: `NOT coalesce(${sql}, false)`,
});

const between = (time: string, from: number, to: number) =>
  joined('and', compared(time, 'ge', quantileOf(time, from)), compared(time, 'le', quantileOf(time, to)));

/** A tenth to nine tenths of the rows that have such a time. */
const denseRange: Make = (random) => {
  const time = random.pick(TIMES);
  return compared(
    time,
    random.pick(['gt', 'ge', 'lt', 'le'] as const),
    quantileOf(time, 0.1 + 0.8 * random()),
  );
};

/** Up to one of a thousand rows: at an end, or a narrow stretch. */
const sparseRange: Make = (random) => {
  const time = random.pick(TIMES);
  const share = random() / 1_000;
  const middle = 0.1 + 0.8 * random();
  return random.pick([
    () => compared(time, 'lt', quantileOf(time, share)),
    () => compared(time, 'gt', quantileOf(time, 1 - share)),
    () => between(time, middle, middle + share),
  ])();
};

const negation: Make = (random) =>
  negated(random.pick([denseRange, denseRange, sparseRange, missing, fieldToField, combined])(random));

const FIELDS_WITH_NULLS = ORDER_FIELDS.filter(
  (field) => field !== 'NumberOfCompletedProductionWorkOrders' && field !== 'ProductName',
);

const missing: Make = (random) => {
  const field = random.pick(FIELDS_WITH_NULLS);
  const isNull = random() < 0.6;
  const found = {
    text: `${field} ${isNull ? 'eq' : 'ne'} null`,
    sql: `${columnOf(field)} IS ${isNull ? '' : 'NOT '}NULL`,
  };
  return random() < 0.7 ? found : joined('and', found, denseRange(random));
};

const fieldToField: Make = (random) => {
  const kind = random.pick(['Run', 'Setup', 'Cleanup']);
  const [one, other] = random.shuffle(TIMES.filter((time) => time.includes(kind)));
  const operator = random.pick(['gt', 'lt', 'ge', 'le', 'eq'] as const);
  return {
    text: `${one} ${operator} ${other}`,
    sql: `${columnOf(one ?? '')} ${SQL_OPERATORS[operator]} ${columnOf(other ?? '')}`,
  };
};

/** No row meets it: by one field, or by two that go together, which no statistics tell. */
const contradiction: Make = (random) => {
  const time = random.pick(TIMES);
  const share = 0.2 + 0.6 * random();
  const companion = random.pick(TIMES.filter((name) => name !== time && kindOf(name) === kindOf(time)));
  const low = random() < 0.3 ? time : companion;
  return joined(
    'and',
    compared(time, 'gt', quantileOf(time, share + 0.1)),
    compared(low, 'lt', quantileOf(low, share)),
  );
};

const kindOf = (time: string) => /(Run|Setup|Cleanup)Time$/.exec(time)?.[0] ?? '';

const WORDS = ['Gear', 'Shaft', 'Housing', 'Flange', 'Pump', 'Valve'];
/** All sizes have these products. */
const PRODUCTS = 2_500;

const named: Make = (random) => {
  const id = 1 + random.below(PRODUCTS);
  const hash = createHash('md5').update(String(id)).digest('hex');
  const word = WORDS[id % WORDS.length] ?? '';
  const part = hash.slice(0, 2 + random.below(4));
  const name = 'lower(product_name)';
  return random.pick<() => Filter>([
    () => ({ text: `startswith(ProductName,'${word}')`, sql: `starts_with(${name}, lower('${word}'))` }),
    () => ({
      text: `startswith(ProductName,'${word} ${part}')`,
      sql: `starts_with(${name}, lower('${word} ${part}'))`,
    }),
    () => ({ text: `contains(ProductName,'${part}')`, sql: `position('${part}' IN ${name}) > 0` }),
    () => ({ text: `ProductName eq '${word} ${hash}'`, sql: `${name} = lower('${word} ${hash}')` }),
    () => ({ text: `endswith(ProductName,'${part}')`, sql: `right(${name}, ${part.length}) = '${part}'` }),
  ])();
};

const inList: Make = (random) => {
  const [field, column, limit] = random.pick([
    ['NumberOfCompletedProductionWorkOrders', 'number_of_completed_operations', 220],
    ['ProductStructureVersionId', 'product_structure_version_id', 10_000],
    ['ProductId', 'product_id', PRODUCTS],
  ] as const);
  const values = Array.from({ length: 1 + random.below(8) }, () => 1 + random.below(limit)).join(',');
  return { text: `${field} in (${values})`, sql: `${column} IN (${values})` };
};

const arithmetic: Make = (random) => {
  const kind = random.pick(['Run', 'Setup', 'Cleanup']);
  const [one, other] = [`Average${kind}Time`, `${kind}Time`];
  const [first, second] = [columnOf(one), columnOf(other)];
  const hours = quantileOf(one, 0.05 + 0.9 * random()).toFixed(4);
  const units = `${hours} * ${UNITS_PER_HOUR}`;
  const rest = random.below(13);
  return random.pick<() => Filter>([
    () => ({ text: `${one} sub ${other} gt ${hours}`, sql: `${first} - ${second} > ${units}` }),
    () => ({ text: `${one} add ${other} lt ${hours}`, sql: `${first} + ${second} < ${units}` }),
    () => ({ text: `${one} mul 3 le ${hours}`, sql: `${first} * 3 <= ${units}` }),
    () => ({
      text: `NumberOfCompletedProductionWorkOrders mod 13 eq ${rest}`,
      sql: `number_of_completed_operations % 13 = ${rest}`,
    }),
  ])();
};

const combined: Make = (random) => {
  const [one, other, third] = [denseRange(random), sparseRange(random), denseRange(random)];
  return random.pick([
    () => joined('and', one, third),
    () => joined('or', one, other),
    () => joined('and', joined('or', one, other), third),
    () => joined('or', joined('and', one, other), between('AverageRunTime', 0.4, 0.5)),
    () => joined('and', one, third, denseRange(random)),
  ])();
};

const status: Make = (random) => {
  const [field, column, value] = random.pick([
    ['ProductStructureVersionStatus', 'status', 4],
    ['ProductStructureVersionStatus', 'status', 9],
    ['ProductStatus', 'product_status', 4],
    ['ProductStatus', 'product_status', 2],
    ['Version', 'version', 1 + random.below(4)],
    ['Revision', 'revision', `'${random.pick(['A', 'B', 'C', 'D', 'E'])}'`],
    ['ProductType', 'product_type', `'K'`],
  ] as const);
  const found = { text: `${field} eq ${value}`, sql: `${column} = ${value}` };
  return random() < 0.5 ? found : joined('and', found, denseRange(random));
};

const KINDS: readonly Make[] = [
  denseRange,
  sparseRange,
  negation,
  missing,
  fieldToField,
  contradiction,
  named,
  inList,
  arithmetic,
  combined,
  status,
];
