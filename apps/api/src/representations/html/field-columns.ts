import { escapeHtml } from '@takt/pages';
import type { Field, Group, ListResource } from '@takt/resources';
import type { WritingContext } from '../page.js';
import type { Wording } from './languages/eng.js';
import { FIRST_PAGE, ownLink, pageLink, parameterOf } from './own-links.js';
import type { Section, ShownCollection, ShownField } from './sections.js';
import type { Column, ColumnGroup } from './table.js';
import { fieldHeading, headingOf, isFigure } from './words.js';
import { type ValueStyle, type WriteValue, writeValueOf } from './write-value.js';

/** A column for every field and collection of the sections, under the headings of their groups. */
export function fieldColumns(
  resource: ListResource,
  sections: readonly Section[],
  style: ValueStyle,
  sort: SortHeadings,
): readonly Column[] {
  return sections.flatMap(({ group, nodes }) => {
    const columnGroup = nodes.length > 1 && group !== undefined ? groupHeading(group, style) : undefined;
    return nodes.map(
      (node): Column =>
        node.kind === 'collection'
          ? collectionColumn(node, columnGroup, style)
          : fieldColumn(resource, node, columnGroup ?? group, columnGroup, style, sort),
    );
  });
}

function groupHeading(group: Group, { wording }: ValueStyle): ColumnGroup {
  return { heading: headingOf(group, wording) };
}

function fieldColumn(
  resource: ListResource,
  shown: ShownField,
  around: Group | ColumnGroup | undefined,
  group: ColumnGroup | undefined,
  style: ValueStyle,
  sort: SortHeadings,
): Column {
  const { field } = shown;
  // A group of one column needs no row of headings: the Name of a Product is the product.
  const isNamedByGroup =
    group === undefined && around !== undefined && 'name' in around && field.name === 'Name';
  const heading = isNamedByGroup ? headingOf(around, style.wording) : fieldHeading(field, style.wording);
  return {
    group,
    heading: sort.link(field, heading),
    sorted: sort.sortedBy(field),
    align: isFigure(field) ? 'end' : 'start',
    write: field === resource.key ? linkToItem(resource, shown, style) : writeValueOf(shown, style),
  };
}

function linkToItem({ itemPath }: ListResource, shown: ShownField, style: ValueStyle): WriteValue {
  const write = writeValueOf(shown, style);
  if (itemPath === undefined) return write;
  const [before = '', after = ''] = pageLink(style.context, itemPath).split('{}');
  return (row) => {
    const key = encodeURIComponent(String(row[shown.index] ?? ''));
    return `<a href="${before}${escapeHtml(key)}${after}">${write(row)}</a>`;
  };
}

/** A list in a cell of a list is only counted; it stands in full on the page of the item. */
function collectionColumn(
  { collection, index }: ShownCollection,
  group: ColumnGroup | undefined,
  { wording }: ValueStyle,
): Column {
  return {
    group,
    heading: headingOf(collection, wording),
    sorted: undefined,
    align: 'end',
    write: (row) => {
      const items = row[index];
      return String(Array.isArray(items) ? items.length : 0);
    },
  };
}

interface Order {
  /** In lower case. */
  readonly name: string;
  readonly isDescending: boolean;
}

/** The order of the rows as far as one heading can show it: the first field of `$orderby`, without which the key. */
function orderOf(resource: ListResource, context: WritingContext): Order | undefined {
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
