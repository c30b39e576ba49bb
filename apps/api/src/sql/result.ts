import { type DetailResource, fillPath, type ListResource, PAGING_DETAILS } from '@takt/catalogue/resources';
import type { Column, OutlineNode, Row } from '../plan/outline.js';
import { encodePageKey, type PageStart } from '../plan/page-key.js';
import type { ListPlan, Plan } from '../plan/plan.js';
import { type ListQuestion, notFound } from '../plan/resolve-question.js';

/** A page key with its absolute address. */
export interface PageLink {
  readonly key: string;
  readonly href: string;
}

export interface Paging {
  readonly pageSize: number;
  /** Position of the page's first element in the list, counted from 1; 0 in an empty list. */
  readonly position: number;
  /** Number of the page, counted from 1; 0 in an empty list. */
  readonly page: number;
  readonly first: PageLink;
  /** Link to the previous page; null if there is none. */
  readonly previous: PageLink | null;
  readonly next: PageLink | null;
  readonly last: PageLink;
  /** The exact number of records. undefined if the number was not requested, or if it exceeds the limit of counting. */
  readonly size: number | undefined;
  /** The limit of counting, if the list has more records than this limit; otherwise undefined. */
  readonly moreThan?: number | undefined;
  /** True if the request asks for the page keys in addition to the links. */
  readonly withKeys: boolean;
}

/** The totals of a list: their values, and the outline that describes the values. */
export interface Totals {
  readonly outline: readonly OutlineNode[];
  readonly row: Row;
}

export interface ListPage {
  /**
   * The resource of the list. If the path of the list's items contains identifiers of the parent, these are already
   * filled in.
   */
  readonly resource: ListResource;
  readonly outline: readonly OutlineNode[];
  readonly rows: readonly Row[];
  readonly paging: Paging;
  /** Totals over all rows of the list. Absent if no totals were requested, or if the list has too many rows. */
  readonly totals?: Totals | undefined;
  readonly parts?: PageParts | undefined;
  /** Names that are similar to the text of a search without results. Only for HTML pages; absent if there are none. */
  readonly similarNames?: readonly string[] | undefined;
  /**
   * The newest month with data, as `yyyy-MM`, if the list is empty in the chosen period. Only for HTML pages; absent if
   * there are no data.
   */
  readonly newestMonth?: string | undefined;
}

/**
 * Data of other resources, or of other queries, that a page for people also shows, by name. Parts that the reader may not
 * read, and parts that could not be found in time, are missing.
 */
export type PageParts = ReadonlyMap<string, ListPage | DetailPage>;

export interface DetailPage {
  readonly resource: DetailResource;
  readonly outline: readonly OutlineNode[];
  readonly row: Row;
  readonly parts?: PageParts | undefined;
}

/**
 * The row that a statement returns. The row of a list has `rows`, `size` and `hasParent`. The row of an object has
 * `row`, which is null if the object does not exist.
 */
export interface FoundRow {
  readonly rows?: readonly Row[];
  readonly size?: string | null;
  /** The totals of a list, if requested. */
  readonly totals?: Row | null;
  readonly hasParent?: boolean;
  /**
   * Only for a walk that reached its limit: the sort keys of the row at which the walk ended. `rows` may also contain
   * rows that follow this one in the order.
   */
  readonly ended?: Row | null;
  readonly row?: Row | null;
}

/**
 * Makes the result of a request in the form that writers need. Throws the resource's own error if the object does not
 * exist.
 * @param addressOf returns the address of another page of the list, given its page key
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
 * 15 digits, and their quotient is rounded only once. So the result is the JavaScript number closest to the decimal.
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

/** The rows of a page, and the places in the list where the neighbouring pages start. */
export interface FoundPage extends Neighbours {
  readonly rows: readonly Row[];
  /** Position of the page's first row in the list, counted from 1; 0 if the page has no rows. */
  readonly position: number;
  /** Number of records, counted up to the limit of counting; undefined if records were not counted. */
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

/** Makes the result of a list: the page with its position and the addresses of the neighbouring pages. */
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

/** The parts of a request and of its result that determine a page and its neighbours. */
interface PageFacts {
  readonly start: PageStart;
  readonly skip: number;
  readonly pageSize: number;
  /** The rows in the form in which the statement returned them: each row ends with its sort keys. */
  readonly rows: readonly Row[];
  /** The number of sort keys at the end of each row. */
  readonly boundaryLength: number;
  readonly size: number | undefined;
}

/** The rows of the page. `hasMore` is true if more rows follow in the direction of reading. */
interface TrimmedPage {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/** Removes the extra row, which only shows that more rows follow. */
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
 * Position of the page's first row in the list, counted from 1. The position is not exact if rows before the page were
 * inserted or deleted after the page key was made.
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
    // All rows beyond the boundary are gone, so the page is empty. Its link leads back to the end or the beginning of
    // the rows that remain.
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
