import { type ListResource, SUMMARY } from '@takt/catalogue/resources';
import type { Language } from '@takt/texts';
import { type Condition, constantFields } from './condition.js';
import { type Column, type ColumnPlan, type ColumnWishes, type OutlineNode, planColumns } from './outline.js';
import type { Direction, OrderTerm } from './resolve-fields.js';
import type { DetailQuestion, ListQuestion } from './resolve-question.js';

/** All parts of a list request that determine the text of its statement; contains no values of a client. */
export interface ListShape {
  readonly columns: readonly Column[];
  /** Ends with the key; later terms have no effect. */
  readonly order: readonly OrderTerm[];
  readonly condition: Condition | undefined;
  readonly searchedWords: number;
  /** The start of the page: the first row, after or before a boundary, or the end of the list. */
  readonly start: 'first' | 'after' | 'before' | 'last';
  /** True if rows at the start of the list are skipped. */
  readonly skips: boolean;
  /**
   * Limit of counting the list's rows; one row more is counted to show that there are more. Infinity: all are counted;
   * 0: none.
   */
  readonly countsUpTo: number;
  /** Requested totals of all rows; empty: none. */
  readonly totals: readonly Column[];
  /** Most rows of any page with this shape. */
  readonly mostRows: number;
  readonly reading: Reading;
}

/** The way to find a page's rows; the result is always the same. */
export type Reading =
  /** The planner chooses. */
  | { readonly kind: 'planned' }
  /**
   * Finds all matching rows and sorts them. With `isOfTies`, finds only the rows whose first sort key equals the one
   * that a walk has reached.
   */
  | { readonly kind: 'sorted'; readonly isOfTies: boolean }
  | Walk;

/** Reads along the index of the first sorting term, up to a limit (see read-page.ts). */
export interface Walk {
  readonly kind: 'walk';
  /** True if the walk starts after the first sort key that the previous walk reached. */
  readonly continues: boolean;
  /** The most rows that the walk reads. */
  readonly length: number;
}

export const placeholders = {
  company: 'company',
  language: 'language',
  person: 'person',
  pageSize: 'pageSize',
  skip: 'skip',
  /** A path parameter. */
  identifier: (name: string) => `path_${name}`,
  /** One of the resource's own parameters. */
  own: (name: string) => `own_${name}`,
  boundary: (index: number) => `boundary${index}`,
  /** The first sort key of the row at which a walk ended. */
  reached: 'reached',
  filterValue: (index: number) => `filter${index}`,
  searchedWord: (index: number) => `search${index}`,
} as const;

/** The statement for a request: the parts that determine its text, and the values separately. */
export type Plan = ListPlan | DetailPlan;

export interface ListPlan {
  readonly kind: 'list';
  readonly question: ListQuestion;
  readonly outline: readonly OutlineNode[];
  /** Outline of the totals; empty: not requested. */
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
  /** Serves everything that `$expand` could name, except lists within the rows of a list. */
  readonly expandsAll: boolean;
  /** The language of descriptions. */
  readonly language: Language;
  /** Most rows per statement, if it differs from the resource's largest page. */
  readonly mostRows?: number;
  /** Limit of counting, used if counting takes time; default none. */
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
    ...{ [placeholders.company]: companyId, [placeholders.person]: pid, [placeholders.language]: language },
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

/** The values of the resource's own parameters, or their defaults. */
function ownValues({ resource, options }: ListQuestion | DetailQuestion): Record<string, unknown> {
  return Object.fromEntries(
    (resource.parameters ?? []).map(({ name, byDefault }) => [
      placeholders.own(name),
      options.own.get(name) ?? byDefault,
    ]),
  );
}

/** `$select` applies to rows only: requested totals are complete. */
function planTotals({ resource: { totals }, expansion }: ListQuestion): ColumnPlan {
  const isAsked = totals !== undefined && expansion.has(SUMMARY);
  const wishes = { selection: undefined, expansion, expandsAll: false, withDescriptions: false };
  return planColumns(isAsked ? totals.children : [], wishes);
}

function countsUpTo(start: ListShape['start'], countAll: boolean, most = Number.POSITIVE_INFINITY): number {
  // Counts all rows: the last page contains the rows that remain after all full pages.
  if (start === 'last') return Number.POSITIVE_INFINITY;
  return countAll ? most : 0;
}

function numbered(nameOf: (index: number) => string, values: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(values.map((value, index) => [nameOf(index), value]));
}

/** A sorting term in the direction in which a page is read. */
export interface SortingTerm extends OrderTerm {
  /** Index of the term in the list's order. Rows and page keys have a sort key for each term of that order. */
  readonly place: number;
}

/**
 * The terms of an order, up to the key, that sort the rows matching a filter. Terms with the same value in all rows are
 * left out.
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

/** True if rows are read from the far end, so that a page gets the last of them. */
export function isBackward({ start }: Pick<ListShape, 'start'>): boolean {
  return start === 'before' || start === 'last';
}

const OPPOSITES: Readonly<Record<Direction, Direction>> = { asc: 'desc', desc: 'asc' };

/** True if one index has the complete order: the index of the first term, which contains the key as its last column. */
export function isSortedByIndex([term, next, ...others]: readonly SortingTerm[]): boolean {
  if (term?.field.isUnindexed === true) return false;
  return others.length === 0 && (next === undefined || next.direction === term?.direction);
}
