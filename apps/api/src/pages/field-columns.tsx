import { browsedField, type Field, type Group, itemKeyOf, leavesOf } from '@takt/catalogue/resources';
import { type Column, type ColumnGroup, escapeHtml, type Markup } from '@takt/pages';
import type { CsvCell } from '@takt/texts';
import { cellReader, type ExportColumn } from '../representations/export/export-columns.js';
import type { Row, Value } from '../representations/writer.js';
import { type Browse, conditionOf, filteredAddress, presenceOf, withoutPresence } from './browse.js';
import { localInstant } from './local-time.js';
import { OPEN, ownAddress, pageAddress, writtenIn } from './own-links.js';
import {
  type Section,
  type ShownCollection,
  type ShownField,
  type ShownFields,
  type WriteValue,
  writeValueOf,
} from './sections.js';
import { isFigure } from './words.js';

/**
 * A column of a list, and the columns that a file has in its place: none for a drawing, several if a cell holds several
 * values.
 */
export interface ListColumn extends Column<Row> {
  readonly inFile: readonly ExportColumn[];
}

/** What the columns of a list have in common. */
export interface ColumnStyle {
  readonly browse: Browse;
  readonly shown: ShownFields;
}

/** A column for every field and collection of the sections, under the headings of their groups. */
export function fieldColumns(sections: readonly Section[], browse: Browse): readonly ListColumn[] {
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
): ListColumn {
  const { field } = shown;
  const { resource, wording, context } = browse;
  // A group of one column needs no row of headings: the Name of a Product is the product.
  const isNamedByGroup = group === undefined && around !== undefined && field.name === 'Name';
  const label = (isNamedByGroup ? around : field).heading[wording.language];
  return {
    group,
    label,
    ...sortable(browse, field, label, <Heading field={field} label={label} />),
    align: isFigure(field) ? 'end' : 'start',
    write:
      field === itemKeyOf(resource) ? linkToItem(shown, browse) : writeValueOf(shown, { context, wording }),
    inFile: [fileColumn(shown, field.unit === undefined ? label : `${label} (${field.unit})`, browse)],
  };
}

/** The values of a field as a page has them, to work with: words for keys, an instant in the time zone of the page. */
function fileColumn(
  { field, index, descriptionIndex }: ShownField,
  name: string,
  { context, wording }: Browse,
): ExportColumn {
  const read = cellReader(field, index, context);
  if (descriptionIndex !== undefined) {
    return { name, style: 'text', read: (row) => describedCell(row[descriptionIndex] ?? null, read(row)) };
  }
  if (field.type === 'boolean') {
    const { yes, no } = wording.texts;
    return { name, style: 'text', read: (row) => wordOf(read(row), yes, no) };
  }
  if (field.type !== 'instant') return { name, style: field.type, read };
  const write = localInstant(context);
  return { name, style: 'local instant', read: (row) => write(read(row)) };
}

const describedCell = (description: Value, key: CsvCell): CsvCell =>
  key === null || description === null ? key : `${String(description)} (${key})`;

const wordOf = (value: CsvCell, yes: string, no: string): CsvCell =>
  value === null ? null : value === true ? yes : no;

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
): ListColumn {
  const label = collection.heading[wording.language];
  const count = (row: Row): number => {
    const items = row[index];
    return Array.isArray(items) ? items.length : 0;
  };
  return {
    group,
    label,
    heading: label,
    align: 'end',
    write: (row) => String(count(row)),
    inFile: [{ name: label, style: 'integer', read: count }],
  };
}

/**
 * What a row is called. The name leads to all rows of that name, what tells them apart to the page of the row itself.
 * The former drops other conditions: who asks for a product wants all of it. Where no filter finds a name, it leads to the page too.
 * In a list whose rows open, the name opens the row.
 *
 * isOpened: the rows stand below the row that they belong to, whose name is left out. isChosen: each has a box, by which some
 * are chosen to stand side by side.
 */
export function nameColumn(
  style: ColumnStyle,
  { isOpened = false, isChosen = false }: { readonly isOpened?: boolean; readonly isChosen?: boolean } = {},
): ListColumn {
  const { browse, shown } = style;
  const { resource } = browse;
  const name = isOpened ? undefined : fieldOf(browse, resource.browsing?.name);
  const details = (resource.browsing?.details ?? []).flatMap((detail) => fieldOf(browse, detail) ?? []);
  const readName = isOpened ? () => '' : textReader(style, name ?? resource.key);
  const readDetails = details.filter((field) => shown.has(field)).map((field) => textReader(style, field));
  const [beforeItem, afterItem] = itemAddress(style);
  const linkName = name === undefined ? undefined : (openLink(style) ?? nameLink(browse, name));
  const readKey = textReader(style, itemKeyOf(resource));
  const hasBoxes = isChosen && resource.browsing?.comparesAt !== undefined && beforeItem !== undefined;
  const label = headingOfName(browse, name ?? (isOpened ? details[0] : undefined) ?? resource.key);
  return {
    label,
    ...sortable(browse, name ?? resource.key, label),
    align: 'start',
    write: (row) => {
      const called = readName(row);
      const details = readDetails.map((read) => read(row)).filter((text) => text !== '');
      // A name that leads to no other rows is part of what leads to the row itself.
      const [first, ...others] = linkName === undefined && called !== '' ? [called, ...details] : details;
      const detail =
        escapeHtml([first, others.join(' ')].filter(Boolean).join(' · ') || readKey(row)) || '&ndash;';
      const key = encodeURIComponent(readKey(row));
      const link =
        beforeItem === undefined
          ? `<span>${detail}</span>`
          : `<a${hasBoxes ? ` id="r${key}"` : ''} href="${beforeItem}${key}${afterItem}">${detail}</a>`;
      const name = linkName === undefined || called === '' ? link : `${linkName(called, row)}${link}`;
      return hasBoxes ? writeBox(key) + name : name;
    },
    inFile: [
      ...(name === undefined ? [] : [name]),
      ...details,
      ...(details.length === 0 ? [itemKeyOf(resource)] : []),
    ].flatMap((field) => {
      const known = shown.get(field);
      const heading = field === name ? label : detailHeading(browse, field);
      return known === undefined ? [] : [fileColumn(known, heading, browse)];
    }),
  };
}

/** The heading of a detail in a file, where its group does not stand above it: the Name of a structure version is that. */
function detailHeading({ resource, wording: { language } }: Browse, field: Field): string {
  const leaf =
    field.name === 'Name' ? leavesOf(resource.fields).find(({ node }) => node === field) : undefined;
  return (leaf?.group ?? field).heading[language];
}

/** The box of a row, labelled by the link to the row. It is short, because each row repeats it. */
const writeBox = (key: string): string =>
  `<input type="checkbox" name="ids" value="${key}" aria-labelledby="r${key}">`;

function fieldOf({ resource }: Browse, name: string | undefined): Field | undefined {
  return name === undefined ? undefined : browsedField(resource, name);
}

function headingOfName({ resource, wording }: Browse, name: Field): string {
  const same = resource.browsing?.filters.find(
    ({ kind, field }) => kind === 'same' && field === name.queryName,
  );
  return (same?.title ?? name.heading)[wording.language];
}

function textReader({ shown }: ColumnStyle, field: Field): (row: Row) => string {
  const index = shown.get(field)?.index;
  return (row) => {
    const text = index === undefined ? '' : String(row[index] ?? '');
    return VISIBLE.test(text) ? text : '';
  };
}

/** A name of blanks or of format characters alone would be a link that nobody sees. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** What stands before and after the key in the address of a row; nothing where rows have none, or the key is not served. */
function itemAddress({ browse: { resource, context }, shown }: ColumnStyle): readonly (string | undefined)[] {
  if (resource.itemPath === undefined || !shown.has(itemKeyOf(resource))) return [];
  return escapeHtml(pageAddress(context, resource.itemPath)).split('{}');
}

/** Writes the link that opens a row in place, or closes it: the address of the same page, with or without the key of the row. */
function openLink({
  browse: { resource, context },
  shown,
}: ColumnStyle): ((name: string, row: Row) => string) | undefined {
  const index = shown.get(itemKeyOf(resource))?.index;
  if (resource.opens === undefined || index === undefined) return undefined;
  const opened = writtenIn(context, OPEN);
  const closing = relative(ownAddress(context, { [OPEN]: undefined }));
  const opening = `${closing}${closing.includes('?') ? '&' : '?'}${OPEN}=`;
  return (name, row) => {
    const key = encodeURIComponent(String(row[index]));
    const isOpen = key === opened;
    const href = `${isOpen ? closing : opening + key}#row-${key}`;
    return `<a class="open" id="row-${key}" aria-expanded="${isOpen}" href="${escapeHtml(href)}">${escapeHtml(name)}</a>`;
  };
}

/** The query alone, where the page has one. */
function relative(address: string): string {
  const query = address.indexOf('?');
  return query < 0 ? address : address.slice(query);
}

/** Relative to the page, because it stands in every row. */
function nameLink(browse: Browse, field: Field): ((name: string) => string) | undefined {
  const filter = browse.resource.browsing?.filters.find(
    ({ kind, field: name }) => kind === 'same' && name === field.queryName,
  );
  if (filter === undefined) return undefined;
  const placed = filteredAddress(browse, ['{}'], { search: undefined });
  const [before = '', after = ''] = escapeHtml(relative(placed)).split('%7B%7D');
  return (name) => {
    const condition = encodeURIComponent(conditionOf({ filter, field, value: name })).replaceAll('%20', '+');
    return `<a href="${before}${escapeHtml(condition)}${after}">${escapeHtml(name)}</a>`;
  };
}

/** Whether the rows are in the order of a field. */
function sortedBy({ order }: Browse, field: Field): 'ascending' | 'descending' | undefined {
  if (order?.field !== field) return undefined;
  return order.isDescending ? 'descending' : 'ascending';
}

/** What makes a column of a field one that orders the list. */
export function sortable(browse: Browse, field: Field, label: string, shown: string | Markup = label) {
  return {
    heading: <SortLink browse={browse} field={field} label={shown} />,
    sorted: sortedBy(browse, field),
  };
}

interface SortLinkProps {
  readonly browse: Browse;
  readonly field: Field;
  readonly label: string | Markup;
}

/** A heading that orders the list by its field, or the other way round where it is; plain where it cannot be. */
function SortLink({ browse, field, label }: SortLinkProps): Markup {
  if (field.queryName === undefined) return <>{label}</>;
  const direction = sortedBy(browse, field);
  const heading = field.heading[browse.wording.language];
  return (
    <a
      class={direction === undefined ? 'sort' : `sort ${direction}`}
      href={sortAddress(browse, field, direction)}
      title={heading === label ? undefined : heading}
    >
      {label}
    </a>
  );
}

/**
 * Figures are looked at from the highest down, words from A. Without a value comes last in descending order; in
 * ascending order it would come first, as the interface has it, so that these rows are left out there, and said to be.
 */
function sortAddress(browse: Browse, field: Field, direction: ReturnType<typeof sortedBy>): string {
  const { queryName: name = '' } = field;
  const isDescending = direction === undefined ? isFigure(field) : direction === 'ascending';
  const conditions = withoutPresence(browse);
  const needsPresence = !isDescending && field.isNullable && isFigure(field);
  return filteredAddress(browse, needsPresence ? [...conditions, presenceOf(name)] : conditions, {
    $orderby: `${name} ${isDescending ? 'desc' : 'asc'}`,
  });
}
