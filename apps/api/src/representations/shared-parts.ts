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

/** Absolute address of a link's value, which is an identifier or a list of those in the path; null leads nowhere. */
export function linkOf({ linkPath }: Field, value: Value, context: WritingContext): string | null {
  const identifiers = Array.isArray(value) ? value : [value];
  if (identifiers.includes(null)) return null;
  if (linkPath === undefined) return String(value);
  const path = identifiers.reduce<string>(
    (filled, identifier) => filled.replace('{}', encodeURIComponent(String(identifier))),
    linkPath,
  );
  const suffix = path.includes('?') ? context.linkSuffix.replace('?', '&') : context.linkSuffix;
  return context.baseUrl + path + suffix;
}
