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

/** A page key with the absolute address that leads there. */
export interface PageLink {
  readonly key: string;
  readonly href: string;
}

export interface Paging {
  readonly pageSize: number;
  /** Of the first element, from 1; 0 in an empty list. */
  readonly position: number;
  /** From 1; 0 in an empty list. */
  readonly page: number;
  readonly first: PageLink;
  /** null: there is no such page. */
  readonly previous: PageLink | null;
  readonly next: PageLink | null;
  readonly last: PageLink;
  /** Exact number of records; undefined where it was not asked for, or only that there are more than `countedTo`. */
  readonly size: number | undefined;
  /** More records than so many, which is as far as they were counted; absent: they are not. */
  readonly moreThan?: number | undefined;
  /** Whether the keys themselves were asked for. */
  readonly withKeys: boolean;
}

/** The totals of a list as an outline and its values. */
export interface Totals {
  readonly outline: readonly OutlineNode[];
  readonly row: Row;
}

export interface ListPage {
  /** As it is at this address: the path of its items holds the identifiers of its own. */
  readonly resource: ListResource;
  readonly outline: readonly OutlineNode[];
  readonly rows: readonly Row[];
  readonly paging: Paging;
  /** Totals of all rows of the list; absent if the request did not ask for them, or there are more rows than are counted. */
  readonly totals?: Totals | undefined;
  /** Of a page for people without rows: how many there are without the filter that was ticked; absent: none. */
  readonly foundWithoutTick?: number | undefined;
  /** Names like the sought text, on an HTML page whose search found nothing; absent: there are none. */
  readonly similarNames?: readonly string[] | undefined;
  /** The first saved views of who asks, on an HTML page of a list with views; absent: the reader may not read them. */
  readonly savedViews?: ListPage | undefined;
  /** The object that the list belongs to, on an HTML page; absent if it belongs to none. */
  readonly parent?: ParentPage | undefined;
  /** The number of other rows that the view of an HTML page links to; absent if there are none. */
  readonly besides?: number | undefined;
  /** The opened row of an HTML page, with the rows below it; absent: no row is open. */
  readonly opened?: OpenedPage | undefined;
}

/** The object that a list belongs to, with its path. */
export interface ParentPage {
  readonly path: string;
  readonly page: DetailPage;
}

/** The first rows of another list that belong to an object. */
export interface OpenedPage {
  /** The key of the object. */
  readonly key: string;
  /** The `$filter` that leaves these rows in their list. */
  readonly filter: string;
  readonly page: ListPage;
}

export interface DetailPage {
  readonly resource: DetailResource;
  readonly outline: readonly OutlineNode[];
  readonly row: Row;
  /** Rows of another list that belong to the object, on an HTML page; absent: no list has such rows. */
  readonly opened?: OpenedPage | undefined;
  /** Distributions of its times by kind, on an HTML page; absent: it has none, or they took too long. */
  readonly distributions?: ReadonlyMap<TimeComparison['kind'], DetailPage> | undefined;
  /** The same of the time before its period, on an HTML page; absent: it has no period, or nothing is known. */
  readonly before?: DetailPage | undefined;
  /** Its operations farthest over plan, on an HTML page; absent as distributions are. */
  readonly operations?: ListPage | undefined;
}

/** The one row that a statement gives: `rows`, `size` and `hasParent` of a list, `row` of a detail, null where there is no such object. */
export interface FoundRow {
  readonly rows?: readonly Row[];
  readonly size?: string | null;
  /** The totals of a list, if the request asked for them. */
  readonly totals?: Row | null;
  readonly hasParent?: boolean;
  /** Of a walk: the sort keys of the row that it ended before, where it came to its end; `rows` holds rows behind that. */
  readonly ended?: Row | null;
  readonly row?: Row | null;
}

/**
 * What was found, as it is written. Throws the resource's own error where the path names nothing that there is.
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
 * Rows with decimals, which the database gives as whole units. Both numbers are exact to 15 digits and a division is
 * rounded once, so up to there this is the number that the decimal is read as, and it is written with its decimals.
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

/** The rows of a page of a list, and where those beside it are. */
export interface FoundPage extends Neighbours {
  readonly rows: readonly Row[];
  /** Of its first row, from 1; 0 where it has none. */
  readonly position: number;
  /** Number of records, as far as they were counted; undefined where they were not. */
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

/** A page of a list: where it stands, and the keys and addresses of its neighbours. */
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

/** What a page was asked for with, and what came of it. */
interface PageFacts {
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
interface TrimmedPage {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/** Takes off the one row more that tells of a neighbour. */
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
