import type { Group, ListResource } from '@takt/resources';
import type { Column, ColumnGroup } from './column.js';
import { escapeHtml } from './escape-html.js';
import { fieldHeading, isFigure } from './field-heading.js';
import { headingOf } from './heading-of.js';
import { pageLink } from './own-links.js';
import type { Section, ShownCollection, ShownField } from './shown-nodes.js';
import type { SortHeadings } from './sort-headings.js';
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
