import type { ErrorDescription } from '@takt/error-catalogue';
import {
  error as errorDefinition,
  type Field,
  type Group,
  paging as pagingDefinition,
  size,
} from '@takt/resources';
import { type OutlineGroup, outlineOfGroup, type Row, type Value } from '../query/outline.js';
import type { Paging } from '../query/page.js';
import type { WritingContext } from './page.js';

const errorOutline = outlineOfGroup(errorDefinition);

/** An error as an outline and its values. The status is text: clients rely on it. */
export function describeErrorDocument(error: ErrorDescription): {
  readonly outline: OutlineGroup;
  readonly row: Row;
} {
  return {
    outline: errorOutline,
    row: [String(error.status), error.statusDescription, ...withoutStatus(error)],
  };
}

function withoutStatus(error: ErrorDescription): Row {
  return [
    error.message,
    error.translatedMessage,
    error.errorMessageId,
    error.errorMessageId,
    error.parameters.map(({ index, value }) => [index, value]),
    error.innerErrors.map(withoutStatus),
  ];
}

/** The Paging object as an outline and its values: without the keys and the size where they were not asked for. */
export function describePaging(paging: Paging): { readonly outline: OutlineGroup; readonly row: Row } {
  const values: Row = [
    paging.pageSize,
    paging.position,
    paging.page,
    paging.first.key,
    paging.first.href,
    paging.previous?.key ?? null,
    paging.previous?.href ?? null,
    paging.next?.key ?? null,
    paging.next?.href ?? null,
    paging.last.key,
    paging.last.href,
    paging.size ?? null,
  ];
  const isServed = pagingDefinition.children.map(
    (node) =>
      node.kind !== 'field' ||
      ((node.expandedBy === undefined || paging.withKeys) && (node !== size || paging.size !== undefined)),
  );
  const served: Group = {
    ...pagingDefinition,
    children: pagingDefinition.children.filter((_, index) => isServed[index]),
  };
  return { outline: outlineOfGroup(served), row: values.filter((_, index) => isServed[index]) };
}

/**
 * Writes the absolute address of a link's value, which is an identifier or a list of those in the path; null leads nowhere.
 * @param escaped what the format asks of a text, sign by sign: what all addresses share is escaped once
 */
export function linkWriterOf(
  { linkPath }: Field,
  { baseUrl, linkSuffix }: Pick<WritingContext, 'baseUrl' | 'linkSuffix'>,
  escaped: (text: string) => string = (text) => text,
): (value: Value) => string | null {
  if (linkPath === undefined) return (value) => (value === null ? null : escaped(String(value)));
  const suffix = linkPath.includes('?') ? linkSuffix.replace('?', '&') : linkSuffix;
  const [start = '', ...others] = linkPath.split('{}');
  const before = escaped(baseUrl + start);
  const between = others.map((text, index) => escaped(index < others.length - 1 ? text : text + suffix));
  const written = (identifier: Value) =>
    typeof identifier === 'number' ? identifier : escaped(encodeURIComponent(String(identifier)));
  return (value) => {
    const identifiers = Array.isArray(value) ? value : [value];
    if (identifiers.includes(null)) return null;
    let address = before;
    for (let index = 0; index < between.length; index++) {
      address += `${written(identifiers[index] ?? null)}${between[index]}`;
    }
    return address;
  };
}
