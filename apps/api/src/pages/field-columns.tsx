import {
  browsedField,
  type Field,
  type Group,
  itemKeyOf,
  type ListResource,
  leavesOf,
} from '@takt/catalogue/resources';
import { type Column, type ColumnGroup, escapeHtml, type Markup } from '@takt/pages';
import type { CsvCell } from '@takt/texts';
import { cellOf, cellReader, type ExportColumn } from '../representations/export/export-columns.js';
import type { Row, Value } from '../representations/writer.js';
import { type Browse, conditionOf, filteredAddress, presenceOf, withoutPresence } from './browse.js';
import { localInstant } from './local-time.js';
import { countFormat, type FormatNumber, signedText, sumFormat, timeFormat } from './number-format.js';
import { OPEN, ownAddress, pageAddress, writtenIn } from './own-links.js';
import {
  missingValue,
  type Section,
  type ShownCollection,
  type ShownField,
  type ShownFields,
  shownValue,
  type WriteValue,
  writeValueOf,
} from './sections.js';
import { isFigure, type Wording } from './words.js';

/**
 * A column of a list on a page, together with the columns that replace it in a file. A drawing is replaced by no
 * column; a cell with several values is replaced by several columns.
 */
export interface ListColumn extends Column<Row> {
  readonly inFile: readonly ExportColumn[];
}

export interface ColumnStyle {
  readonly browse: Browse;
  readonly shown: ShownFields;
}

/**
 * Makes a column for each field and each collection of the sections. The headings of the groups are above the columns.
 */
export function fieldColumns(
  sections: readonly Section[],
  rows: readonly Row[],
  browse: Browse,
): readonly ListColumn[] {
  const { language } = browse.wording;
  const writeTime = timesFormat(sections, rows, browse);
  return sections.flatMap(({ group, nodes }) => {
    const columnGroup =
      nodes.length > 1 && group !== undefined ? { heading: group.heading[language] } : undefined;
    // The page of a row is behind its key.
    const shown = nodes.filter((node) => node.kind === 'collection' || !isLinkToItem(node, browse));
    return shown.map((node) => {
      if (node.kind === 'collection') return collectionColumn(node, columnGroup, browse);
      const column = fieldColumn(node, group, columnGroup, browse);
      const format = formatOf(node.field, writeTime, browse.wording);
      return format === undefined ? column : { ...column, write: numberWriter(node, format, browse) };
    });
  });
}

/** True for the time of an operation, or a difference of such times. */
const isTime = ({ unit, isTotal }: Field): boolean => unit === 'h' && isTotal !== true;

/** True for a list whose times are shown in the unit of the page. */
export const hasTimes = ({ fields }: ListResource): boolean =>
  leavesOf(fields).some(({ node }) => node.kind === 'field' && isTime(node));

/** Two times differ visibly if one is longer than the other by this factor. */
const VISIBLE_FACTOR = 1.02;

/** Returns the format of the times of a table. It has digits enough for its shortest time. */
function timesFormat(sections: readonly Section[], rows: readonly Row[], { wording }: Browse): FormatNumber {
  const times = sections
    .flatMap(({ nodes }) => nodes)
    .filter((node) => node.kind === 'field' && isTime(node.field) && node.field.stored?.isSigned !== true);
  const values = rows.flatMap((row) => times.map(({ index }) => Number(row[index] ?? 0)));
  const shortest = Math.min(...values.filter((value) => value > 0));
  return timeFormat(wording, [[shortest, shortest * VISIBLE_FACTOR]]);
}

/** The format of a time, a total or a count. undefined for any other field, whose value is shown in full. */
function formatOf(field: Field, time: FormatNumber, wording: Wording): FormatNumber | undefined {
  if (field.unit === 'h' && field.isTotal === true) return sumFormat(wording);
  if (isTime(field)) return field.stored?.isSigned === true ? signedText(time) : time;
  // An identifier has no thousands separators.
  return field.name.startsWith('NumberOf') ? countFormat(wording) : undefined;
}

function numberWriter({ index }: ShownField, format: FormatNumber, { wording }: Browse): WriteValue {
  const missing = missingValue(wording);
  return (row) => {
    const value = row[index] ?? null;
    return value === null ? missing : format(Number(value));
  };
}

function fieldColumn(
  shown: ShownField,
  around: Group | undefined,
  group: ColumnGroup | undefined,
  browse: Browse,
): ListColumn {
  const { field } = shown;
  const { resource, wording, context } = browse;
  // If a group has only one column, there is no group heading above it. If this column is the group's Name, its own
  // heading is that of the group: the Name of a Product is headed Product.
  const isNamedByGroup = group === undefined && around !== undefined && field.name === 'Name';
  const label = (isNamedByGroup ? around : field).heading[wording.language];
  const unit = isTime(field) ? wording.timeUnit : field.unit;
  return {
    group,
    label: unit === undefined ? label : `${label} (${unit})`,
    ...sortable(browse, field, label, <Heading label={label} unit={unit} />),
    align: isFigure(field) ? 'end' : 'start',
    write:
      field === itemKeyOf(resource) ? linkToItem(shown, browse) : writeValueOf(shown, { context, wording }),
    inFile: [fileColumn(shown, field.unit === undefined ? label : `${label} (${field.unit})`, browse)],
  };
}

/**
 * The column of a field in a file. Its values suit spreadsheets: a key is replaced by its description, a boolean by a
 * word, and an instant is in the page's time zone.
 */
function fileColumn(shown: ShownField, name: string, { context, wording }: Browse): ExportColumn {
  const { field, index, descriptionIndex, keyIndex } = shown;
  if (keyIndex !== undefined) {
    return { name, style: 'name', read: (row) => cellOf(shownValue(shown, row)) };
  }
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

/** The unit is an element of its own, so that it can have a lighter style. */
function Heading({ label, unit }: { readonly label: string; readonly unit: string | undefined }): Markup {
  return (
    <>
      {label}
      {unit !== undefined && <span class="unit">&nbsp;{unit}</span>}
    </>
  );
}

function isLinkToItem({ field }: ShownField, { resource }: Browse): boolean {
  return field.linkPath !== undefined && field.linkPath === resource.itemPath;
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

/** The column of a collection. A cell shows only the number of items; the page of the row shows all items. */
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
 * The column with the name of each row and the details that distinguish rows of the same name. The name links to all
 * rows of this name, without the other conditions of the filter, because a reader who follows it wants to see all rows
 * of a product. The details link to the page of the row. If the list cannot be filtered by name, the name is a part of
 * the second link. In a list whose rows can be expanded, the name expands the row.
 * `isOpened`: the rows are shown below the row to which they belong, so their names are left out. `isChosen`: each row
 * has a box to choose it for a comparison.
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
  const itemKey = shown.get(itemKeyOf(resource));
  const readKey = (row: Row) => (itemKey === undefined ? '' : String(row[itemKey.index] ?? ''));
  const readItem = textReader(style, itemKeyOf(resource));
  const hasBoxes = isChosen && resource.browsing?.comparesAt !== undefined && beforeItem !== undefined;
  const label = headingOfName(browse, name ?? (isOpened ? details[0] : undefined) ?? resource.key);
  return {
    label,
    ...sortable(browse, name ?? resource.key, label),
    align: 'start',
    write: (row) => {
      const called = readName(row);
      const details = readDetails.map((read) => read(row)).filter((text) => text !== '');
      // If the list cannot be filtered by the name, the name becomes a part of the link to the row's page.
      const [first, ...others] = linkName === undefined && called !== '' ? [called, ...details] : details;
      const detail =
        escapeHtml([first, others.join(' ')].filter(Boolean).join(' · ') || readItem(row)) || '&ndash;';
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

/**
 * The heading of a detail in a file. A file has no headings of groups, so the Name of a structure version gets the
 * heading of its group.
 */
function detailHeading({ resource, wording: { language } }: Browse, field: Field): string {
  const leaf =
    field.name === 'Name' ? leavesOf(resource.fields).find(({ node }) => node === field) : undefined;
  return (leaf?.group ?? field).heading[language];
}

/**
 * Writes the checkbox of a row. The checkbox has no label of its own: the row's link labels it. The markup is short,
 * because each row contains it.
 */
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
  const known = shown.get(field);
  return (row) => {
    const text = known === undefined ? '' : String(shownValue(known, row) ?? '');
    return VISIBLE.test(text) ? text : '';
  };
}

/**
 * Matches a visible character. If a name consists only of blanks or format characters, a link with this name would be
 * invisible.
 */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * The parts before and after the key in the address of a row's page, without the host, because each row contains them.
 * undefined if rows have no pages, or if the key is hidden from the reader.
 */
function itemAddress({ browse: { resource, context }, shown }: ColumnStyle): readonly (string | undefined)[] {
  if (resource.itemPath === undefined || !shown.has(itemKeyOf(resource))) return [];
  const { origin } = new URL(context.baseUrl);
  return escapeHtml(pageAddress(context, resource.itemPath).slice(origin.length)).split('{}');
}

/**
 * Returns a function that writes the link to expand or collapse a row. The link leads to the same page, with or without
 * the key of the row in its address.
 */
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

/** Makes an address relative to the present page. If the address has a query, only the query remains. */
function relative(address: string): string {
  const query = address.indexOf('?');
  return query < 0 ? address : address.slice(query);
}

/**
 * Returns a function that makes the name of a row a link to all rows of this name. The link is relative to the page,
 * which makes it shorter, because each row contains one.
 */
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

/** The direction in which the list is sorted by this field; undefined if the list is sorted by another field. */
function sortedBy({ order }: Browse, field: Field): 'ascending' | 'descending' | undefined {
  if (order?.field !== field) return undefined;
  return order.isDescending ? 'descending' : 'ascending';
}

/** The heading of a column. If the list can be sorted by the field, the heading is a link that does this. */
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

/**
 * A heading as a link that sorts the list by the field. If the list is already sorted by this field, the link reverses
 * the order. If the list cannot be sorted by the field, the heading is plain text.
 */
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
 * The address of the list sorted by a field. Figures first start with the highest, texts with A. By the specification,
 * missing values are last in descending and first in ascending order. So in ascending order a condition excludes
 * missing values, and the page says so.
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
