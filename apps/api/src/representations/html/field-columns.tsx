import { type Column, type ColumnGroup, escapeHtml, type Markup } from '@takt/pages';
import { type Field, type Group, itemKeyOf } from '@takt/resources';
import type { Row } from '../page.js';
import type { Browse } from './browse.js';
import { pageAddress } from './own-links.js';
import type { Section, ShownCollection, ShownField } from './sections.js';
import { SortLink, sortedBy } from './sort-headings.js';
import { isFigure } from './words.js';
import { type WriteValue, writeValueOf } from './write-value.js';

/** A column for every field and collection of the sections, under the headings of their groups. */
export function fieldColumns(sections: readonly Section[], browse: Browse): readonly Column<Row>[] {
  const { language } = browse.wording;
  return sections.flatMap(({ group, nodes }) => {
    const columnGroup =
      nodes.length > 1 && group !== undefined ? { heading: group.heading[language] } : undefined;
    return nodes.map((node) =>
      node.kind === 'collection'
        ? collectionColumn(node, columnGroup, browse)
        : fieldColumn(node, group, columnGroup, browse),
    );
  });
}

function fieldColumn(
  shown: ShownField,
  around: Group | undefined,
  group: ColumnGroup | undefined,
  browse: Browse,
): Column<Row> {
  const { field } = shown;
  const { resource, wording, context } = browse;
  // A group of one column needs no row of headings: the Name of a Product is the product.
  const isNamedByGroup = group === undefined && around !== undefined && field.name === 'Name';
  const label = (isNamedByGroup ? around : field).heading[wording.language];
  return {
    group,
    label,
    heading: <SortLink browse={browse} field={field} label={<Heading field={field} label={label} />} />,
    sorted: sortedBy(browse, field),
    align: isFigure(field) ? 'end' : 'start',
    write:
      field === itemKeyOf(resource) ? linkToItem(shown, browse) : writeValueOf(shown, { context, wording }),
  };
}

/** The unit stands apart from the words, so that it can be set more quietly. */
function Heading({ field: { unit }, label }: { readonly field: Field; readonly label: string }): Markup {
  return (
    <>
      {label}
      {unit !== undefined && <span class="unit"> {unit}</span>}
    </>
  );
}

function linkToItem(shown: ShownField, { resource: { itemPath }, context, wording }: Browse): WriteValue {
  const write = writeValueOf(shown, { context, wording });
  if (itemPath === undefined) return write;
  const [before = '', after = ''] = escapeHtml(pageAddress(context, itemPath)).split('{}');
  return (row) => {
    const key = encodeURIComponent(String(row[shown.index] ?? ''));
    return `<a href="${before}${escapeHtml(key)}${after}">${write(row)}</a>`;
  };
}

/** A list in a cell of a list is only counted; it stands in full on the page of the item. */
function collectionColumn(
  { collection, index }: ShownCollection,
  group: ColumnGroup | undefined,
  { wording }: Browse,
): Column<Row> {
  const label = collection.heading[wording.language];
  return {
    group,
    label,
    heading: label,
    align: 'end',
    write: (row) => {
      const items = row[index];
      return String(Array.isArray(items) ? items.length : 0);
    },
  };
}
