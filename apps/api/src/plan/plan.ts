import { type ListResource, SUMMARY } from '@takt/catalogue/resources';
import type { Language } from '@takt/texts';
import { type Condition, constantFields } from './condition.js';
import { type Column, type ColumnPlan, type ColumnWishes, type OutlineNode, planColumns } from './outline.js';
import type { Direction, OrderTerm } from './resolve-fields.js';
import type { DetailQuestion, ListQuestion } from './resolve-question.js';

/** All parts of a request for a list that determine the text of its statement. They contain no value from a client. */
export interface ListShape {
  readonly columns: readonly Column[];
  /** The sorting terms. The key of the list is always among them; terms after the key have no effect. */
  readonly order: readonly OrderTerm[];
  readonly condition: Condition | undefined;
  readonly searchedWords: number;
  /**
   * The place where the page starts: at the first row of the list, after or before a boundary, or at the end of the
   * list.
   */
  readonly start: 'first' | 'after' | 'before' | 'last';
  /** True if the request skips rows at the start of the list. */
  readonly skips: boolean;
  /**
   * The limit up to which the rows of the list are counted. If the list is longer, one row more than the limit is
   * counted, which shows that there are more. Infinity counts all rows, 0 counts none.
   */
  readonly countsUpTo: number;
  /** The requested totals over all rows of the list; empty if no totals are requested. */
  readonly totals: readonly Column[];
  /** The size of the largest page that a request with this shape may ask for. */
  readonly mostRows: number;
  readonly reading: Reading;
}

/** The way in which a statement finds the rows of a page. All ways give the same result. */
export type Reading =
  /** The planner of PostgreSQL chooses the way. */
  | { readonly kind: 'planned' }
  /**
   * The statement finds all matching rows and sorts them. With `isOfTies`, it finds only the rows that have the same
   * first sort key as the row at which a walk ended.
   */
  | { readonly kind: 'sorted'; readonly isOfTies: boolean }
  | Walk;

/** The statement reads rows along the index of the first sorting term, up to a limit (see read-page.ts). */
export interface Walk {
  readonly kind: 'walk';
  /**
   * True if the walk continues a previous walk. It then starts after the first sort key that the previous walk reached.
   */
  readonly continues: boolean;
  /** The maximum number of rows that the walk reads. */
  readonly length: number;
}

export const placeholders = {
  company: 'company',
  language: 'language',
  person: 'person',
  pageSize: 'pageSize',
  skip: 'skip',
  /** The value of a parameter in the path. */
  identifier: (name: string) => `path_${name}`,
  /** The value of one of the resource's own parameters. */
  own: (name: string) => `own_${name}`,
  boundary: (index: number) => `boundary${index}`,
  /** The first sort key of the row at which the previous walk ended. */
  reached: 'reached',
  filterValue: (index: number) => `filter${index}`,
  searchedWord: (index: number) => `search${index}`,
} as const;

/**
 * A plan for a request. It keeps the parts that determine the text of the statement separate from the values to bind.
 */
export type Plan = ListPlan | DetailPlan;

export interface ListPlan {
  readonly kind: 'list';
  readonly question: ListQuestion;
  readonly outline: readonly OutlineNode[];
  /** The outline of the totals; empty if no totals are requested. */
  readonly totals: readonly OutlineNode[];
  readonly shape: ListShape;
  readonly values: Readonly<Record<string, unknown>>;
}

interface DetailPlan {
  readonly kind: 'detail';
  readonly question: DetailQuestion;
  readonly outline: readonly OutlineNode[];
  readonly columns: readonly Column[];
  readonly values: Readonly<Record<string, unknown>>;
}

export interface PlanOptions extends Pick<ColumnWishes, 'withDescriptions'> {
  /**
   * True to serve everything that `$expand` could name. Only the lists within the rows of a list are still left out.
   */
  readonly expandsAll: boolean;
  /** The language in which descriptions are served. */
  readonly language: Language;
  /** The maximum number of rows that a statement returns. Default: the size of the resource's largest page. */
  readonly mostRows?: number | undefined;
  /** The limit up to which rows are counted if the request asks for their number. Default: no limit. */
  readonly countsUpTo?: number | undefined;
}

export function planQuestion(question: ListQuestion, options: PlanOptions): ListPlan;
export function planQuestion(question: ListQuestion | DetailQuestion, options: PlanOptions): Plan;
export function planQuestion(question: ListQuestion | DetailQuestion, options: PlanOptions): Plan {
  const { resource, companyId, pid, selection, expansion } = question;
  const { language, withDescriptions } = options;
  const expandsAll = options.expandsAll && (question.kind === 'list' ? 'but collections' : true);
  const wishes: ColumnWishes = { selection, expansion, expandsAll, withDescriptions };
  const { outline, columns } = planColumns(resource.fields, wishes);
  const ofPath = Object.entries(question.identifiers).map(([name, value]) => [
    placeholders.identifier(name),
    value,
  ]);
  const shared = {
    [placeholders.company]: companyId,
    [placeholders.person]: pid,
    [placeholders.language]: language,
    ...Object.fromEntries(ofPath),
    ...ownValues(question),
  };
  if (question.kind === 'detail') return { kind: 'detail', question, outline, columns, values: shared };
  const { order, filter, start, options: requested } = question;
  const totals = planTotals(question);
  const shape: ListShape = {
    columns,
    order,
    condition: filter?.condition,
    searchedWords: requested.search.length,
    start: start.kind,
    skips: requested.skip > 0,
    countsUpTo: countsUpTo(start.kind, requested.countAll, options.countsUpTo),
    totals: totals.columns,
    mostRows: options.mostRows ?? question.resource.maximumPageSize,
    reading: { kind: 'planned' },
  };
  const values = {
    ...shared,
    [placeholders.pageSize]: requested.top,
    [placeholders.skip]: requested.skip,
    ...numbered(placeholders.filterValue, filter?.values ?? []),
    ...numbered(placeholders.searchedWord, requested.search),
    ...numbered(placeholders.boundary, 'boundary' in start ? start.boundary : []),
  };
  return { kind: 'list', question, outline, totals: totals.outline, shape, values };
}

/** The values of the resource's own parameters. A parameter that the request does not set has its default value. */
function ownValues({ resource, options }: ListQuestion | DetailQuestion): Record<string, unknown> {
  return Object.fromEntries(
    (resource.parameters ?? []).map(({ name, byDefault }) => [
      placeholders.own(name),
      options.own.get(name) ?? byDefault,
    ]),
  );
}

/** Plans the totals. All totals are served if they are requested at all, because `$select` applies only to rows. */
function planTotals({ resource: { totals }, expansion }: ListQuestion): ColumnPlan {
  const isAsked = totals !== undefined && expansion.has(SUMMARY);
  const wishes = { selection: undefined, expansion, expandsAll: false, withDescriptions: false };
  return planColumns(isAsked ? totals.children : [], wishes);
}

function countsUpTo(start: ListShape['start'], countAll: boolean, most = Number.POSITIVE_INFINITY): number {
  // Counts all rows, because the number of rows on the last page depends on this count: the last page contains the rows
  // that remain after all full pages.
  if (start === 'last') return Number.POSITIVE_INFINITY;
  return countAll ? most : 0;
}

function numbered(nameOf: (index: number) => string, values: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(values.map((value, index) => [nameOf(index), value]));
}

/**
 * A sorting term. Its direction is the direction in which the page is read, which may be the opposite of the list's
 * order.
 */
export interface SortingTerm extends OrderTerm {
  /** The index of the term in the list's order. Rows and page keys contain a sort key for each term of that order. */
  readonly place: number;
}

/**
 * The terms that actually sort the rows matching a filter: the terms of the order up to the key, without fields that
 * have the same value in all matching rows.
 */
export function sortingTermsOf(
  { key }: Pick<ListResource, 'key'>,
  shape: Pick<ListShape, 'condition' | 'order' | 'start'>,
): readonly SortingTerm[] {
  const constants = constantFields(shape.condition);
  const last = shape.order.findIndex(({ field }) => field === key);
  return shape.order.flatMap(({ field, direction }, place) =>
    place > last || (field !== key && constants.has(field))
      ? []
      : [{ field, direction: isBackward(shape) ? OPPOSITES[direction] : direction, place }],
  );
}

/** True if the page is read backward, from the far end, so that it gets the last rows. */
export function isBackward({ start }: Pick<ListShape, 'start'>): boolean {
  return start === 'before' || start === 'last';
}

const OPPOSITES: Readonly<Record<Direction, Direction>> = { asc: 'desc', desc: 'asc' };

/**
 * True if a single index has the complete order. This can only be the index of the first term, which contains the key
 * as its last column.
 */
export function isSortedByIndex([term, next, ...others]: readonly SortingTerm[]): boolean {
  if (term?.field.isUnindexed === true) return false;
  return others.length === 0 && (next === undefined || next.direction === term?.direction);
}
