import type { Field, ListResource } from '@takt/resources';
import type { WritingContext } from '../page.js';
import { headingOf } from './heading-of.js';
import type { Wording } from './languages/wording.js';
import { FIRST_PAGE, ownLink, parameterOf } from './own-links.js';

export interface Order {
  /** In lower case. */
  readonly name: string;
  readonly isDescending: boolean;
}

/** The order of the rows as far as one heading can show it: the first field of `$orderby`, without which the key. */
export function orderOf(resource: ListResource, context: WritingContext): Order | undefined {
  const [first = ''] = (parameterOf(context, '$orderby')?.value ?? '').split(',', 1);
  const [name = '', direction = ''] = first.trim().toLowerCase().split(/\s+/);
  if (name !== '') return { name, isDescending: direction === 'desc' };
  const { queryName } = resource.key;
  return queryName === undefined ? undefined : { name: queryName.toLowerCase(), isDescending: false };
}

export interface SortHeadings {
  /** A link that orders the list by a field, or the other way round where it is; plain text where it cannot be. */
  readonly link: (field: Field, label: string) => string;
  readonly sortedBy: (...fields: readonly (Field | undefined)[]) => 'ascending' | 'descending' | undefined;
}

export function sortHeadings(
  resource: ListResource,
  context: WritingContext,
  wording: Wording,
): SortHeadings {
  const order = orderOf(resource, context);
  const isOrder = (field: Field) =>
    order !== undefined && field.queryName !== undefined && field.queryName.toLowerCase() === order.name;
  const direction = order?.isDescending ? 'descending' : 'ascending';
  return {
    link(field, label) {
      if (field.queryName === undefined) return label;
      const isCurrent = isOrder(field);
      const next = isCurrent && direction === 'ascending' ? 'desc' : 'asc';
      const href = ownLink(context, { ...FIRST_PAGE, $orderby: `${field.queryName} ${next}` });
      const className = isCurrent ? `sort ${direction}` : 'sort';
      const heading = headingOf(field, wording);
      const title = heading === label ? '' : ` title="${heading}"`;
      return `<a class="${className}" href="${href}"${title}>${label}</a>`;
    },
    sortedBy: (...fields) =>
      fields.some((field) => field !== undefined && isOrder(field)) ? direction : undefined,
  };
}
