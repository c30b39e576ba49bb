import { type ListResource, SUMMARY } from '@takt/catalogue/resources';
import type { Language } from '@takt/texts';
import { type Condition, constantFields } from './condition.js';
import { type Column, type ColumnPlan, type ColumnWishes, type OutlineNode, planColumns } from './outline.js';
import type { Direction, OrderTerm } from './resolve-fields.js';
import type { DetailQuestion, ListQuestion } from './resolve-question.js';

/** All that decides the text of a list's statement: nothing of it is a value that a client sent. */
export interface ListShape {
  readonly columns: readonly Column[];
  /** Has the key; what stands behind that orders nothing. */
  readonly order: readonly OrderTerm[];
  readonly condition: Condition | undefined;
  readonly searchedWords: number;
  /** Where the page is: from the first row on, after or before a boundary, or at the end. */
  readonly start: 'first' | 'after' | 'before' | 'last';
  /** Whether rows are skipped from the first one on. */
  readonly skips: boolean;
  /**
   * So many rows of the list are counted, all pages together, and one more tells that there are more; Infinity: all of them;
   * 0: none.
   */
  readonly countsUpTo: number;
  /** Totals of all rows of the list that are asked for; empty: none. */
  readonly totals: readonly Column[];
  /** No page of this shape has more rows. */
  readonly mostRows: number;
  readonly reading: Reading;
}

/** How the rows of a page are looked for. Which ones they are is the same for all. */
export type Reading =
  /** As the planner thinks best. */
  | { readonly kind: 'planned' }
  /**
   * All that pass the filter are found before the first ones of the order are taken. `isOfTies`: of those alone whose
   * first sort key is the one that a walk has reached.
   */
  | { readonly kind: 'sifted'; readonly isOfTies: boolean }
  | Walk;

/** Along the index of the first term that sorts the list, so far and no further (see read-page.ts). */
export interface Walk {
  readonly kind: 'walk';
  /** Whether it begins behind the sort key that the walk before has reached. */
  readonly isBehind: boolean;
  /** The most rows that it reads. */
  readonly length: number;
}

/** Names of the values that are bound. */
export const placeholders = {
  company: 'company',
  language: 'language',
  person: 'person',
  pageSize: 'pageSize',
  skip: 'skip',
  /** Of a path parameter. */
  identifier: (name: string) => `path_${name}`,
  /** Of a parameter that a resource takes of its own. */
  own: (name: string) => `own_${name}`,
  boundary: (index: number) => `boundary${index}`,
  /** The first sort key of the row that a walk ended before. */
  reached: 'reached',
  filterValue: (index: number) => `filter${index}`,
  searchedWord: (index: number) => `search${index}`,
} as const;

/** How a question is put to the database: what decides the text of the statement, and the values apart from it. */
export type Plan = ListPlan | DetailPlan;

export interface ListPlan {
  readonly kind: 'list';
  readonly question: ListQuestion;
  readonly outline: readonly OutlineNode[];
  /** Outline of the totals; empty: they were not asked for. */
  readonly totals: readonly OutlineNode[];
  readonly shape: ListShape;
  /** By placeholder. */
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
  /** Serves all that `$expand` could name, as if the request named it, except lists within the rows of a list. */
  readonly expandsAll: boolean;
  /** Of descriptions. */
  readonly language: Language;
  /** Instead of the largest page of the resource: the most rows that a list is read with at a time. */
  readonly mostRows?: number;
  /** Instead of all: rows up to which a list is counted where that takes time. */
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
  const { order, filter, start, options: asked } = question;
  const totals = planTotals(question);
  const shape: ListShape = {
    columns,
    order,
    condition: filter?.condition,
    searchedWords: asked.search.length,
    start: start.kind,
    skips: asked.skip > 0,
    countsUpTo: countsUpTo(start.kind, asked.countAll, options.countsUpTo),
    totals: totals.columns,
    mostRows: options.mostRows ?? question.resource.maximumPageSize,
    reading: { kind: 'planned' },
  };
  const values = {
    ...shared,
    [placeholders.pageSize]: asked.top,
    [placeholders.skip]: asked.skip,
    ...numbered(placeholders.filterValue, filter?.values ?? []),
    ...numbered(placeholders.searchedWord, asked.search),
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

/** `$select` chooses fields of the rows: totals that are asked for come whole. */
function planTotals({ resource: { totals }, expansion }: ListQuestion): ColumnPlan {
  const isAsked = totals !== undefined && expansion.has(SUMMARY);
  const wishes = { selection: undefined, expansion, expandsAll: false, withDescriptions: false };
  return planColumns(isAsked ? totals.children : [], wishes);
}

function countsUpTo(start: ListShape['start'], countAll: boolean, most = Number.POSITIVE_INFINITY): number {
  // The last page is what is left over by full pages before it.
  if (start === 'last') return Number.POSITIVE_INFINITY;
  return countAll ? most : 0;
}

function numbered(nameOf: (index: number) => string, values: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(values.map((value, index) => [nameOf(index), value]));
}

/** What sorts rows, in the direction in which a page is read. */
export interface SortingTerm extends OrderTerm {
  /** In the order of the list: a row and a page key have a sort key for each place of that. */
  readonly place: number;
}

/**
 * As much of an order as it takes to sort the rows that a filter leaves, its last term the key: what has the same value
 * in all of them sorts nothing, and nothing is left to sort behind the key.
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

/** Whether the rows are read from the far end on: in the end a page holds the last of them. */
export function isBackward({ start }: Pick<ListShape, 'start'>): boolean {
  return start === 'before' || start === 'last';
}

const OPPOSITES: Readonly<Record<Direction, Direction>> = { asc: 'desc', desc: 'asc' };

/** Whether the index of the first term, which ends with the key, has the rows in the order of all. */
export function isSortedByIndex([term, next, ...others]: readonly SortingTerm[]): boolean {
  if (term?.field.isUnindexed === true) return false;
  return others.length === 0 && (next === undefined || next.direction === term?.direction);
}
