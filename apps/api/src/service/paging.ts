import type { QueryParameter } from '@takt/query-options';
import { encodePageKey, type KeyedQuery, type PageStart } from '../query/page-key.js';
import type { PageLink, Paging, Row } from '../representations/page.js';
import { queryTextOf } from './read-request.js';

/** What a page was asked for with, and what came of it. */
export interface PageFacts {
  readonly start: PageStart;
  readonly skip: number;
  readonly pageSize: number;
  /** As the statement gave them, each ended by what the row is ordered by. */
  readonly rows: readonly Row[];
  /** Places at the end of a row that hold what it is ordered by. */
  readonly boundaryLength: number;
  readonly size: number | undefined;
}

/** The rows that belong to the page, and whether there are more on the far side. */
export interface TrimmedPage {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/** Takes off the one row more that tells of a neighbour. */
export function trimPage({ start, rows, pageSize, size }: PageFacts): TrimmedPage {
  const pageRows = start.kind === 'last' ? rowsOfLastPage(size ?? 0, pageSize) : pageSize;
  const hasMore = rows.length > pageRows;
  if (!hasMore) return { rows, hasMore };
  return { rows: isBackward(start) ? rows.slice(rows.length - pageRows) : rows.slice(0, pageRows), hasMore };
}

function rowsOfLastPage(size: number, pageSize: number): number {
  return size === 0 ? 0 : ((size - 1) % pageSize) + 1;
}

function isBackward({ kind }: PageStart): boolean {
  return kind === 'before' || kind === 'last';
}

/** Position of the page's first row, from 1. What was inserted or deleted since the key was made shifts it. */
function positionOf({ start, skip, size }: PageFacts, { rows, hasMore }: TrimmedPage): number {
  if (rows.length === 0) return 0;
  switch (start.kind) {
    case 'first':
      return skip + 1;
    case 'last':
      return (size ?? rows.length) - rows.length + 1;
    case 'after':
      return start.position;
    case 'before':
      return hasMore ? Math.max(2, start.position - rows.length) : 1;
  }
}

/** Where a page stands, and the keys and addresses of its neighbours. */
export function describePage(
  facts: PageFacts,
  trimmed: TrimmedPage,
  addressOf: (key: string) => string,
  query: KeyedQuery,
  served: { readonly withKeys: boolean; readonly withSize: boolean },
): Paging {
  const linkTo = (start: PageStart): PageLink => {
    const key = encodePageKey(start, query);
    return { key, href: addressOf(key) };
  };
  const position = positionOf(facts, trimmed);
  const neighbours = neighboursOf(facts, trimmed, position);
  return {
    pageSize: facts.pageSize,
    position,
    page: 1 + Math.floor((position - 1) / facts.pageSize),
    first: linkTo({ kind: 'first' }),
    previous: neighbours.previous === undefined ? null : linkTo(neighbours.previous),
    next: neighbours.next === undefined ? null : linkTo(neighbours.next),
    last: linkTo({ kind: 'last' }),
    size: served.withSize ? facts.size : undefined,
    withKeys: served.withKeys,
  };
}

interface Neighbours {
  readonly previous: PageStart | undefined;
  readonly next: PageStart | undefined;
}

function neighboursOf(facts: PageFacts, { rows, hasMore }: TrimmedPage, position: number): Neighbours {
  const { start, skip, boundaryLength } = facts;
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) {
    // All rows on this side are gone: back leads to the end, forward to the beginning, of what is left.
    const cameForward = start.kind === 'after' || (start.kind === 'first' && skip > 0);
    return {
      previous: cameForward ? { kind: 'last' } : undefined,
      next: start.kind === 'before' ? { kind: 'first' } : undefined,
    };
  }
  const boundary = (row: Row) => row.slice(-boundaryLength) as readonly (string | number)[];
  const before: PageStart = { kind: 'before', boundary: boundary(first), position };
  const after: PageStart = { kind: 'after', boundary: boundary(last), position: position + rows.length };
  const [hasPrevious, hasNext] = isBackward(start)
    ? [hasMore, start.kind === 'before']
    : [start.kind === 'after' || skip > 0, hasMore];
  return { previous: hasPrevious ? before : undefined, next: hasNext ? after : undefined };
}

const OF_ANOTHER_PAGE = ['$pagekey', '$skip', '$access_token', '$accesstoken'];

/** The address of another page of the same list: the same parameters with another key, and never with the token. */
export function pageAddressOf(
  address: string,
  parameters: readonly QueryParameter[],
): (key: string) => string {
  const kept = parameters.filter(
    ({ name }) => /^(\$|search$)/i.test(name) && !OF_ANOTHER_PAGE.includes(name.toLowerCase()),
  );
  const before = address + queryTextOf(kept);
  const joint = kept.length === 0 ? '?' : '&';
  return (key) => `${before}${joint}$pageKey=${key}`;
}
