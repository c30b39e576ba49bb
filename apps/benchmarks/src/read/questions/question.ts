import type { Filter } from './make-filters.js';
import type { OrderTerm } from './make-orders.js';

export const FAMILIES = [
  'single orders',
  'two-field orders',
  'orders of three and four',
  'filters by order',
] as const;
export type Family = (typeof FAMILIES)[number];

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
