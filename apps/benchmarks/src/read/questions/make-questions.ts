import type { Database } from '@takt/database';
import { type Random, randomFrom } from '@takt/test-support';
import { columnOf, ORDER_FIELDS } from '../make-requests.js';
import type { Filter } from './make-filters.js';

export const FAMILIES = [
  'single orders',
  'two-field orders',
  'orders of three and four',
  'filters by order',
] as const;
type Family = (typeof FAMILIES)[number];

/** What a client asks for: a list in some order, and of it what meets a filter. */
export interface Question {
  readonly family: Family;
  readonly order: readonly OrderTerm[];
  readonly filter: Filter | undefined;
}

/** As it stands in an address. */
export function queryOf({ order, filter }: Question): string {
  const options = { $top: '80', $orderby: orderText(order), $filter: filter?.text ?? '' };
  return Object.entries(options)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
}

/** As it is told to people. */
export function textOf({ order, filter }: Question): string {
  const ordered = order.length === 0 ? 'by default' : `by ${orderText(order)}`;
  return filter === undefined ? ordered : `${filter.text}, ${ordered}`;
}

function orderText(order: readonly OrderTerm[]): string {
  return order.map(({ field, descends }) => (descends ? `${field} desc` : field)).join(',');
}

interface OrderTerm {
  readonly field: string;
  readonly descends: boolean;
}

type Order = readonly OrderTerm[];

const up = (field: string): OrderTerm => ({ field, descends: false });
const down = (field: string): OrderTerm => ({ field, descends: true });

/** Each field, in both directions. */
export const SINGLE_ORDERS: readonly Order[] = ORDER_FIELDS.flatMap((field) => [[up(field)], [down(field)]]);

/** Each field before each other one, in random directions. */
export function makeTwoFieldOrders(seed: number): readonly Order[] {
  const random = randomFrom(seed);
  return ORDER_FIELDS.flatMap((first) =>
    ORDER_FIELDS.filter((second) => second !== first).map((second) => [
      inSomeDirection(first, random),
      inSomeDirection(second, random),
    ]),
  );
}

/** So many orders of three and four different fields. */
export function makeLongOrders(count: number, seed: number): readonly Order[] {
  const random = randomFrom(seed);
  return Array.from({ length: count }, (_, index) =>
    random
      .shuffle(ORDER_FIELDS)
      .slice(0, 3 + (index % 2))
      .map((field) => inSomeDirection(field, random)),
  );
}

function inSomeDirection(field: string, random: Random): OrderTerm {
  return random() < 0.5 ? up(field) : down(field);
}

/** In which each filter is asked: the default one, figures with few and with many ties or nulls, names, more fields. */
export const FILTERED_ORDERS: readonly Order[] = [
  [],
  [up('AverageRunTime')],
  [down('LongestSetupTime')],
  [up('AverageCleanupTime')],
  [down('CleanupTimeOverPlanPercent')],
  [up('NumberOfCompletedProductionWorkOrders')],
  [up('ProductName')],
  [down('ProductName'), up('RunTime')],
  [up('AverageCleanupTime'), down('AverageRunTime')],
  [down('RunTime'), up('DeviationSetupTime'), up('HoursOverPlan')],
];

/** The order as PostgreSQL takes it, of columns of `takt.product_structure_versions`: nulls are the least. */
function orderSql(order: Order): string {
  const isDescending = order.at(-1)?.descends ?? false;
  return [
    ...order.map(({ field, descends }) =>
      descends ? `${columnOf(field)} DESC NULLS LAST` : `${columnOf(field)} NULLS FIRST`,
    ),
    `product_structure_version_id ${isDescending ? 'DESC' : 'ASC'}`,
  ].join(', ');
}

/** Rows of the order that the API reads before it looks for what meets the filter in another way. */
const WALK = 10_000;
const PAGE = 80;

/** How many of the rows with which an order begins meet the filter, up to two pages and one more row. */
export async function countWithinWalk(
  database: Database,
  questions: readonly Question[],
): Promise<ReadonlyMap<Question, number>> {
  const counts = new Map<Question, number>();
  const client = await database.pool.connect();
  try {
    for (const order of new Set(questions.map((question) => question.order))) {
      await client.query(`CREATE TEMP TABLE walk AS ${walkSql(order)}`);
      for (const question of questions.filter((one) => one.order === order)) {
        const { rows } = await client.query<{ count: number }>(
          `SELECT count(*)::integer AS count FROM (
             SELECT FROM walk WHERE ${question.filter?.sql ?? 'true'} LIMIT ${2 * PAGE + 1}) AS found`,
        );
        counts.set(question, rows[0]?.count ?? 0);
      }
      await client.query('DROP TABLE walk');
    }
  } finally {
    client.release();
  }
  return counts;
}

function walkSql(order: Order): string {
  return `
    SELECT listed.*, product.status AS product_status, product.type AS product_type
    FROM (SELECT * FROM takt.product_structure_versions ORDER BY ${orderSql(order)} LIMIT ${WALK}) AS listed
    JOIN takt.products AS product USING (company_id, product_id)`;
}
