import { type Column, escapeHtml } from '@takt/pages';
import { browsedField, type Field, itemKeyOf } from '@takt/resources';
import type { Row } from '../page.js';
import { type Browse, filteredAddress } from './browse.js';
import { pageAddress } from './own-links.js';
import { conditionOf } from './quick-filter.js';
import { SortLink, sortedBy } from './sort-headings.js';
import type { ColumnStyle } from './time-columns.js';

/**
 * What a row is called. The name leads to all rows of that name, what tells them apart to the page of the row itself.
 * The former drops other conditions: who asks for a product wants all of it.
 */
export function nameColumn(style: ColumnStyle): Column<Row> {
  const { browse, shown } = style;
  const { resource } = browse;
  const name = fieldOf(browse, resource.browsing?.name);
  const details = (resource.browsing?.details ?? []).flatMap((detail) => fieldOf(browse, detail) ?? []);
  const readName = textReader(style, name ?? resource.key);
  const readDetails = details.filter((field) => shown.has(field)).map((field) => textReader(style, field));
  const [beforeItem, afterItem] = itemAddress(style);
  const linkName = name === undefined ? undefined : nameLink(browse, name);
  const readKey = textReader(style, itemKeyOf(resource));
  const label = headingOfName(browse, name ?? resource.key);
  return {
    heading: <SortLink browse={browse} field={name ?? resource.key} label={label} />,
    label,
    sorted: sortedBy(browse, name ?? resource.key),
    align: 'start',
    write: (row) => {
      const called = readName(row);
      const [first, ...others] = readDetails.map((read) => read(row)).filter((text) => text !== '');
      const detail =
        escapeHtml([first, others.join(' ')].filter(Boolean).join(' · ') || readKey(row)) || '&ndash;';
      const link =
        beforeItem === undefined
          ? `<span>${detail}</span>`
          : `<a href="${beforeItem}${encodeURIComponent(readKey(row))}${afterItem}">${detail}</a>`;
      return linkName === undefined || called === '' ? link : `${linkName(called)}${link}`;
    },
  };
}

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
  return (row) => (index === undefined ? '' : String(row[index] ?? ''));
}

/** What stands before and after the key in the address of a row; nothing where rows have none, or the key is not served. */
function itemAddress({ browse: { resource, context }, shown }: ColumnStyle): readonly (string | undefined)[] {
  if (resource.itemPath === undefined || !shown.has(itemKeyOf(resource))) return [];
  return escapeHtml(pageAddress(context, resource.itemPath)).split('{}');
}

/** Relative to the page, because it stands in every row. */
function nameLink(browse: Browse, field: Field): ((name: string) => string) | undefined {
  const filter = browse.resource.browsing?.filters.find(
    ({ kind, field: name }) => kind === 'same' && name === field.queryName,
  );
  if (filter === undefined) return undefined;
  const placed = filteredAddress(browse, ['{}'], { search: undefined });
  const [before = '', after = ''] = escapeHtml(placed.slice(placed.indexOf('?'))).split('%7B%7D');
  return (name) => {
    const condition = encodeURIComponent(conditionOf({ filter, field, value: name })).replaceAll('%20', '+');
    return `<a href="${before}${escapeHtml(condition)}${after}">${escapeHtml(name)}</a>`;
  };
}
