import { type Random, randomFrom } from '@takt/test-support';
import { columnOf, ORDER_FIELDS } from '../figures.js';

export interface OrderTerm {
  readonly field: string;
  readonly descends: boolean;
}

export type Order = readonly OrderTerm[];

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
export function orderSql(order: Order): string {
  const isDescending = order.at(-1)?.descends ?? false;
  return [
    ...order.map(({ field, descends }) =>
      descends ? `${columnOf(field)} DESC NULLS LAST` : `${columnOf(field)} NULLS FIRST`,
    ),
    `product_structure_version_id ${isDescending ? 'DESC' : 'ASC'}`,
  ].join(', ');
}
