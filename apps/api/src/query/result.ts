import {
  type DetailResource,
  fillPath,
  type ListResource,
  PAGING_DETAILS,
  type TimeComparison,
} from '@takt/catalogue/resources';
import type { Column, OutlineNode, Row } from './outline.js';
import { encodePageKey, type PageStart } from './page-key.js';
import type { ListPlan, Plan } from './plan.js';
import { type ListQuestion, notFound } from './resolve-question.js';

/** A page key with its absolute address. */
export interface PageLink {
  readonly key: string;
  readonly href: string;
}

export interface Paging {
  readonly pageSize: number;
  /** Position of the first element, from 1; 0 in an empty list. */
  readonly position: number;
  /** From 1; 0 in an empty list. */
  readonly page: number;
  readonly first: PageLink;
  /** null: there is none. */
  readonly previous: PageLink | null;
  readonly next: PageLink | null;
  readonly last: PageLink;
  /** The exact number of records; undefined if it was not requested, or exceeds the limit of counting. */
  readonly size: number | undefined;
  /** The limit of counting, if there are more records than that; otherwise absent. */
  readonly moreThan?: number | undefined;
  /** True if the keys were requested. */
  readonly withKeys: boolean;
}

/** The totals of a list as an outline with values. */
export interface Totals {
  readonly outline: readonly OutlineNode[];
  readonly row: Row;
}

export interface ListPage {
  /** The resource of the list. If the path of its items contains identifiers of the parent, they are filled in. */
  readonly resource: ListResource;
  readonly outline: readonly OutlineNode[];
  readonly rows: readonly Row[];
  readonly paging: Paging;
  /** Totals of all rows of the list; absent if not requested, or if there are too many rows. */
  readonly totals?: Totals | undefined;
  /** On a page without rows: the number of rows found without the ticked filter; absent: none. */
  readonly foundWithoutTick?: number | undefined;
  /** Names similar to a search without results, only for HTML pages; absent: none. */
  readonly similarNames?: readonly string[] | undefined;
  /** The reader's first saved views, only for HTML pages; absent: the reader may not read them. */
  readonly savedViews?: ListPage | undefined;
  /** The list's parent, only for HTML pages; absent: none. */
  readonly parent?: ParentPage | undefined;
  /** The number of rows in the view's other part, only for HTML pages; absent: none. */
  readonly besides?: number | undefined;
  /** The expanded row, only for HTML pages; absent: none. */
  readonly opened?: OpenedPage | undefined;
}

/** The parent of a list, with its path. */
export interface ParentPage {
  readonly path: string;
  readonly page: DetailPage;
}

/** The first rows of another list that belong to an object. */
export interface OpenedPage {
  /** The key of the object. */
  readonly key: string;
  /** The `$filter` for these rows in their list. */
  readonly filter: string;
  readonly page: ListPage;
}

export interface DetailPage {
  readonly resource: DetailResource;
  readonly outline: readonly OutlineNode[];
  readonly row: Row;
  /** Rows of another list that belong to the object, only for HTML pages; absent: there is no such list. */
  readonly opened?: OpenedPage | undefined;
  /** Distributions of the object's times by kind, only for HTML pages; absent: none, or they took too long. */
  readonly distributions?: ReadonlyMap<TimeComparison['kind'], DetailPage> | undefined;
  /** The same object in the time before the page's period, only for HTML pages; absent: none, or unknown. */
  readonly before?: DetailPage | undefined;
  /** The object's operations that are farthest over plan, only for HTML pages; absent: none, or they took too long. */
  readonly operations?: ListPage | undefined;
}

/**
 * The row that a statement returns. For a list: `rows`, `size` and `hasParent`. For a detail: `row`, null if the object
 * does not exist.
 */
export interface FoundRow {
  readonly rows?: readonly Row[];
  readonly size?: string | null;
  /** The totals of a list, if requested. */
  readonly totals?: Row | null;
  readonly hasParent?: boolean;
  /** For a walk that reached its limit: the sort keys of the row at its end. `rows` may contain later rows too. */
  readonly ended?: Row | null;
  readonly row?: Row | null;
}

/**
 * The result of a request, ready to write. Throws the resource's own error if the object does not exist.
 * @param addressOf the address of another page of the list, by its key
 */
export function pageOf(
  plan: Plan,
  found: FoundRow | undefined,
  addressOf: (key: string) => string,
): ListPage | DetailPage {
  if (plan.kind === 'list') return listPageOf(plan, found, addressOf);
  if (found?.row == null) throw notFound(plan.question);
  const [row = []] = servedRows([found.row], plan.columns);
  return { resource: plan.question.resource, outline: plan.outline, row };
}

/**
 * Converts values that are stored in whole units to decimals. The stored number and the divisor are exact, with up to
 * 15 digits, and the division is rounded once: so the result is the number closest to the decimal.
 */
function servedRows(rows: readonly Row[], columns: readonly Column[]): readonly Row[] {
  const decimals = columns.flatMap((column, index) => {
    const stored = column.kind === 'field' ? column.stored : undefined;
    return stored === undefined ? [] : [{ index, unitsPerOne: 10 ** stored.decimals }];
  });
  if (decimals.length === 0) return rows;
  return rows.map((row) => {
    const served = [...row];
    for (const { index, unitsPerOne } of decimals) {
      const units = row[index];
      if (typeof units === 'number') served[index] = units / unitsPerOne;
    }
    return served;
  });
}

/** The rows of a page with the starts of its neighbours. */
export interface FoundPage extends Neighbours {
  readonly rows: readonly Row[];
  /** Position of its first row, from 1; 0 without rows. */
  readonly position: number;
  /** Number of records up to the limit of counting; undefined if not counted. */
  readonly size: number | undefined;
}

export function foundPageOf({ question, shape }: ListPlan, found: FoundRow | undefined): FoundPage {
  if (question.resource.parent !== undefined && found?.hasParent !== true) throw notFound(question);
  const facts: PageFacts = {
    start: question.start,
    skip: question.options.skip,
    pageSize: question.options.top,
    rows: found?.rows ?? [],
    boundaryLength: shape.order.length,
    size: found?.size == null ? undefined : Number(found.size),
  };
  const trimmed = trimPage(facts);
  const position = positionOf(facts, trimmed);
  const rows = servedRows(trimmed.rows, shape.columns);
  return { rows, position, size: facts.size, ...neighboursOf(facts, trimmed, position) };
}

/** A page of a list with its position and the addresses of its neighbours. */
function listPageOf(
  plan: ListPlan,
  found: FoundRow | undefined,
  addressOf: (key: string) => string,
): ListPage {
  const { question, outline } = plan;
  const { options, keyed, expansion } = question;
  const { rows, position, size, previous, next } = foundPageOf(plan, found);
  const { countsUpTo } = plan.shape;
  const hasMore = size === countsUpTo + 1;
  const linkTo = (neighbour: PageStart): PageLink => {
    const key = encodePageKey(neighbour, keyed);
    return { key, href: addressOf(key) };
  };
  const paging: Paging = {
    pageSize: options.top,
    position,
    page: 1 + Math.floor((position - 1) / options.top),
    first: linkTo({ kind: 'first' }),
    previous: previous === undefined ? null : linkTo(previous),
    next: next === undefined ? null : linkTo(next),
    last: linkTo({ kind: 'last' }),
    size: options.countAll && !hasMore ? size : undefined,
    moreThan: hasMore ? countsUpTo : undefined,
    withKeys: expansion.has(PAGING_DETAILS),
  };
  const totals = hasMore ? undefined : totalsOf(plan, found);
  return { resource: atAddress(question), outline, rows, paging, totals };
}

function totalsOf({ totals: outline, shape }: ListPlan, found: FoundRow | undefined): Totals | undefined {
  const [row] = servedRows([found?.totals ?? []], shape.totals);
  return outline.length === 0 || row === undefined ? undefined : { outline, row };
}

function atAddress({ resource, identifiers }: ListQuestion): ListResource {
  const { itemPath, pathParameters } = resource;
  if (itemPath === undefined || pathParameters.length === 0) return resource;
  return { ...resource, itemPath: fillPath(itemPath, identifiers) };
}

/** The request and the result of a page. */
interface PageFacts {
  readonly start: PageStart;
  readonly skip: number;
  readonly pageSize: number;
  /** The rows as the statement returned them, each with its sort keys at the end. */
  readonly rows: readonly Row[];
  /** Number of sort keys at the end of a row. */
  readonly boundaryLength: number;
  readonly size: number | undefined;
}

/** The rows of the page, and `hasMore`: true if there are more rows in the direction of reading. */
interface TrimmedPage {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/** Removes the extra row that only shows that there are more rows. */
function trimPage({ start, rows, pageSize, size }: PageFacts): TrimmedPage {
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

/**
 * Position of the page's first row, from 1. It is not exact if rows before the page were inserted or deleted since the
 * key was made.
 */
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

interface Neighbours {
  readonly previous: PageStart | undefined;
  readonly next: PageStart | undefined;
}

function neighboursOf(facts: PageFacts, { rows, hasMore }: TrimmedPage, position: number): Neighbours {
  const { start, skip, boundaryLength } = facts;
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined) {
    // All rows on this side are gone: the links lead to the end or the beginning of the remaining list.
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
