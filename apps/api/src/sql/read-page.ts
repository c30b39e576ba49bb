import type { ListResource } from '@takt/catalogue/resources';
import { isAmong, isNarrow } from '../plan/condition.js';
import type { Row, Value } from '../plan/outline.js';
import {
  isBackward,
  isSortedByIndex,
  type ListPlan,
  type ListShape,
  placeholders,
  type Reading,
  type SortingTerm,
  sortingTermsOf,
  type Walk,
} from '../plan/plan.js';
import type { FoundRow } from './result.js';

/**
 * A walk reads at most this number of rows for each row of the largest page: 10,000 rows if the largest page has 80,
 * which take the database some 15 ms. If fewer of these rows match the filter than a page has, it is as fast to read
 * all rows, or to use the filter's own index.
 */
const WALK_ROWS = 125;

/**
 * The maximum number of rows of a walk along an index that has only the first part of the order. The limit does not
 * depend on the page size, because such a walk may end within a group of rows with the same first sort key; then the
 * rows of this group are useless.
 */
const LONGEST_UNSORTED_WALK = 25_000;

/**
 * The maximum number of walks for one page. Each walk may end within another group of rows with the same first sort
 * key. After the last walk, all rows are read.
 */
const MOST_WALKS = 3;

type RunPlan = (plan: ListPlan) => Promise<FoundRow | undefined>;

/**
 * Reads a page of a list.
 * In a long list it walks along the index of the order's first field, until the page is full, the list ends, or a limit
 * is reached. The rows that the walk has found are final, except rows with the same first sort key as the row at its
 * end, because more rows with this sort key may follow. If there are such rows, a second statement finds and sorts all
 * of them, and then another walk continues after them. If a walk finds too few rows, one statement finds all matching
 * rows and takes the page from them.
 * Each statement has its own snapshot, but no two statements contribute rows with the same first sort key. So the rows
 * are in order and an unchanged row appears only once, just as if the client read separate pages. If a row is changed
 * meanwhile so that it moves in the order, it may appear twice or not at all. Size and totals come from the first
 * statement.
 */
export async function readPage(
  plan: ListPlan,
  run: RunPlan,
  longest = plan.shape.mostRows * WALK_ROWS,
): Promise<FoundRow | undefined> {
  const { question, shape } = plan;
  const terms = sortingTermsOf(question.resource, shape);
  const length = isSortedByIndex(terms) ? longest : Math.min(longest, LONGEST_UNSORTED_WALK);
  if (!isWalked(question.resource, shape, terms)) return await run(plan);
  const wanted = question.options.top + 1;
  let page: WalkedPage = { rows: [], ofList: {}, reached: undefined, isWhole: false };
  for (let walks = 0; walks < MOST_WALKS; walks++) {
    const walk = { kind: 'walk', continues: walks > 0, length } as const;
    page = await walkOn(plan, run, walk, page);
    if (page.isWhole) return { ...page.ofList, rows: page.rows };
    if (page.reached === undefined) break;
    const tied = await run(partOf(plan, { kind: 'sorted', isOfTies: true }, page));
    page = { ...page, rows: joined(plan, page.rows, tied?.rows ?? []) };
    if (page.rows.length === wanted) return { ...page.ofList, rows: page.rows };
  }
  const all = await run(partOf(plan, { kind: 'sorted', isOfTies: false }, { ...page, rows: [] }));
  return { ...all, ...page.ofList };
}

/** The part of a page that has been read so far and is final. */
interface WalkedPage {
  readonly rows: readonly Row[];
  /** The size and the totals of the whole list, as the first statement found them. */
  readonly ofList: Pick<FoundRow, 'size' | 'totals'>;
  /**
   * The first sort key at which the walk ended, if more rows may have the same key. undefined if a statement for these
   * rows would not help.
   */
  readonly reached: Value | undefined;
  readonly isWhole: boolean;
}

async function walkOn(
  plan: ListPlan,
  run: RunPlan,
  walk: Walk,
  { rows: before, ofList, reached: after }: WalkedPage,
): Promise<WalkedPage> {
  const { question, shape } = plan;
  const terms = sortingTermsOf(question.resource, shape);
  const place = terms[0]?.place ?? 0;
  const part = partOf(plan, walk, { rows: before, reached: after });
  const { countsUpTo, totals } = walk.continues ? part.shape : shape;
  const found = await run({ ...part, shape: { ...part.shape, countsUpTo, totals } });
  const { rows: met = [], ended = null } = found ?? {};
  const reached = ended?.[place];
  const isRight = (row: Row) => ended === null || row.at(place - ended.length) !== reached;
  const rows = joined(plan, before, isSortedByIndex(terms) ? met : met.filter(isRight));
  // True if the walk ended among rows with the same first sort key as the boundary of the page. Then it helps to read
  // all rows with this sort key, even if the walk found few rows: most of them may lie before the boundary, and the
  // walk has not read those that follow its end.
  const isOfBoundary =
    !walk.continues && 'boundary' in question.start && question.start.boundary[place] === reached;
  const wanted = question.options.top + 1;
  const hasEnough = met.length >= wanted - before.length || isOfBoundary;
  return {
    rows,
    ofList: walk.continues ? ofList : { size: found?.size ?? null, totals: found?.totals ?? null },
    reached: hasEnough && !isSortedByIndex(terms) ? reached : undefined,
    isWhole: ended === null || rows.length === wanted,
  };
}

/**
 * True if a page is read by walks. PostgreSQL's planner alone does better for a request that skips rows or searches,
 * for a filter by a list of keys, which uses the index of the keys, and for most orders that one index has completely.
 */
function isWalked({ source, key }: ListResource, shape: ListShape, terms: readonly SortingTerm[]): boolean {
  if (source.isLong !== true || shape.skips || shape.searchedWords > 0) return false;
  if (terms[0]?.field.isUnindexed === true || isAmong(shape.condition, key)) return false;
  const isPlanned = shape.condition === undefined || isNarrow(shape.condition);
  return !(isPlanned && isSortedByIndex(terms));
}

/** The plan for the rows that are still missing. It does not count and sum the list again. */
function partOf(
  plan: ListPlan,
  reading: Reading,
  { rows, reached }: Pick<WalkedPage, 'rows' | 'reached'>,
): ListPlan {
  const missing = plan.question.options.top - rows.length;
  return {
    ...plan,
    shape: { ...plan.shape, countsUpTo: 0, totals: [], reading },
    values: { ...plan.values, [placeholders.reached]: reached, [placeholders.pageSize]: missing },
  };
}

/**
 * Joins rows with the rows that were read after them. The result is in the order of the list, and contains at most the
 * rows of a page and one extra row.
 */
function joined(
  { question, shape }: ListPlan,
  before: readonly Row[],
  after: readonly Row[],
): readonly Row[] {
  const wanted = question.options.top + 1;
  return isBackward(shape) ? [...after, ...before].slice(-wanted) : [...before, ...after].slice(0, wanted);
}
