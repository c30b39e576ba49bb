import {
  browsedField,
  type Field,
  type ListResource,
  queryFieldsOf,
  type View,
  viewsOf,
} from '@takt/resources';
import type { WritingContext } from '../page.js';
import { conditionsOf, joinConditions } from './conditions.js';
import { type Changes, FIRST_PAGE, ownAddress, parameterOf } from './own-links.js';
import type { Wording } from './page-words.js';
import { wordings } from './words.js';

/** What a page shows of a list, as its address says it. */
export interface Browse {
  readonly resource: ListResource;
  readonly context: WritingContext;
  readonly wording: Wording;
  readonly views: readonly View[];
  /** The one whose columns are shown and whose rows these are among; undefined: the list has no views. */
  readonly view: View | undefined;
  /** What the rows have in common, as `$filter` joins it by `and`. */
  readonly conditions: readonly string[];
  readonly order: Order | undefined;
}

export interface Order {
  readonly field: Field;
  readonly isDescending: boolean;
}

export function browseOf(resource: ListResource, context: WritingContext): Browse {
  const views = viewsOf(resource);
  const conditions = conditionsOf(parameterOf(context, '$filter')?.value ?? '');
  const named = views.find(({ name }) => name === parameterOf(context, 'view')?.value) ?? views[0];
  const alike = views.filter(({ comparison }) => comparison === named?.comparison);
  return {
    resource,
    context,
    wording: wordings[context.language],
    views,
    view: alike.find((view) => ownConditions(view).every((one) => conditions.includes(one))) ?? named,
    conditions,
    order: orderOf(resource, context),
  };
}

/** What belongs to a view and not to what was chosen besides. */
export function ownConditions({ positive }: View): readonly string[] {
  return positive === undefined ? [] : [`${positive} gt 0`];
}

/** The order of the rows as far as one heading can show it: the first field of `$orderby`, without which the key. */
function orderOf(resource: ListResource, context: WritingContext): Order | undefined {
  const [first = ''] = (parameterOf(context, '$orderby')?.value ?? '').split(',', 1);
  const [name = '', direction = ''] = first.trim().toLowerCase().split(/\s+/);
  const { firstOrder, key, keyDirection } = resource;
  if (name === '' && firstOrder !== undefined) return { field: firstOrder, isDescending: false };
  if (name === '') return { field: key, isDescending: keyDirection === 'desc' };
  const field = queryFieldsOf(resource).get(name);
  return field === undefined ? undefined : { field, isDescending: direction === 'desc' };
}

/** The address of the list with other conditions, at its first page. */
export function filteredAddress(
  browse: Browse,
  conditions: readonly string[],
  changes: Changes = {},
): string {
  const filter = joinConditions(conditions);
  const isOrdered =
    changes['$orderby'] !== undefined || parameterOf(browse.context, '$orderby') !== undefined;
  // An address that says nothing of filter and order opens on the first view, which is not what was asked for.
  const empty = browse.views.length > 0 && !isOrdered ? '' : undefined;
  return ownAddress(browse.context, { ...FIRST_PAGE, $filter: filter || empty, ...changes });
}

/** The address of a view, with what was chosen besides the one that is shown. */
export function viewAddress(browse: Browse, view: View): string {
  const own = browse.view === undefined ? [] : ownConditions(browse.view);
  const chosen = withoutPresence(browse).filter((condition) => !own.includes(condition));
  const { field, direction } = view.order;
  return filteredAddress(browse, [...ownConditions(view), ...chosen], {
    view: view.name,
    $orderby: `${field} ${direction}`,
  });
}

/** The condition that a field has a value. */
export function presenceOf(name: string): string {
  return `${name} ne null`;
}

/** The conditions without the one that the present order brought along. */
export function withoutPresence({ conditions, order }: Browse): readonly string[] {
  const own = order?.field.queryName === undefined ? undefined : presenceOf(order.field.queryName);
  return conditions.filter((condition) => condition !== own);
}

/** The field that a condition only asks a value of. */
export function presentField(resource: ListResource, condition: string): Field | undefined {
  const [, name] = /^(\w+) ne null$/i.exec(condition) ?? [];
  return name === undefined ? undefined : browsedField(resource, name);
}
