import type { ListResource } from '@takt/catalogue/resources';
import { isAmong, isNarrow } from './condition.js';
import type { Row, Value } from './outline.js';
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
} from './plan.js';
import type { FoundRow } from './result.js';

/**
 * Rows that one walk reads at most, for each row of the largest page: 10,000 for a page of 80, some 15 ms of the database.
 * A filter that leaves less than a page of them is answered as fast by looking at all rows, or by an index of its own.
 */
const WALK_ROWS = 125;

/** However many rows are wanted: an index that does not have the whole order may end in a group of ties, walked in vain. */
const LONGEST_UNSORTED_WALK = 25_000;

/** So many groups of ties may a page reach into; then all rows are looked at. */
const MOST_WALKS = 3;

/** Runs the statement of a plan. */
type RunPlan = (plan: ListPlan) => Promise<FoundRow | undefined>;

/**
 * The rows of a page of a list. A long one is read by a walk along the index of the first field of its order, which ends
 * where the page is full, where the list ends, or after so many rows. What it has met by then is right but for the rows
 * that have the first sort key of its end: there may be more of those. They are found and sorted by a statement of their
 * own, and behind them another walk goes on. Where a walk meets too few rows, all that pass the filter are found first and
 * the page is taken out of them.
 *
 * Each of these is a statement with a snapshot of its own, and none reads a first sort key that another has read: rows
 * come in order, and one that stays where it is is met once, as on pages of their own. One that is moved meanwhile may be
 * met at both of its places or at neither. Size and totals are found once, with the first rows.
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
    const walk = { kind: 'walk', isBehind: walks > 0, length } as const;
    page = await walkOn(plan, run, walk, page);
    if (page.isWhole) return { ...page.ofList, rows: page.rows };
    if (page.reached === undefined) break;
    const tied = await run(partOf(plan, { kind: 'sifted', isOfTies: true }, page));
    page = { ...page, rows: joined(plan, page.rows, tied?.rows ?? []) };
    if (page.rows.length === wanted) return { ...page.ofList, rows: page.rows };
  }
  const all = await run(partOf(plan, { kind: 'sifted', isOfTies: false }, { ...page, rows: [] }));
  return { ...all, ...page.ofList };
}

/** As much of a page as is right. */
interface WalkedPage {
  readonly rows: readonly Row[];
  /** Size and totals of the whole list, which the first statement found. */
  readonly ofList: Pick<FoundRow, 'size' | 'totals'>;
  /** The first sort key of which there may be more rows; undefined: no statement for them would help. */
  readonly reached: Value | undefined;
  readonly isWhole: boolean;
}

async function walkOn(
  plan: ListPlan,
  run: RunPlan,
  walk: Walk,
  { rows: before, ofList, reached: behind }: WalkedPage,
): Promise<WalkedPage> {
  const { question, shape } = plan;
  const terms = sortingTermsOf(question.resource, shape);
  const place = terms[0]?.place ?? 0;
  const part = partOf(plan, walk, { rows: before, reached: behind });
  const { countsUpTo, totals } = walk.isBehind ? part.shape : shape;
  const found = await run({ ...part, shape: { ...part.shape, countsUpTo, totals } });
  const { rows: met = [], ended = null } = found ?? {};
  const reached = ended?.[place];
  const isRight = (row: Row) => ended === null || row.at(place - ended.length) !== reached;
  const rows = joined(plan, before, isSortedByIndex(terms) ? met : met.filter(isRight));
  // In the group of the boundary most rows may be before it: the walk does not meet what is behind.
  const isOfBoundary =
    !walk.isBehind && 'boundary' in question.start && question.start.boundary[place] === reached;
  const wanted = question.options.top + 1;
  const hasEnough = met.length >= wanted - before.length || isOfBoundary;
  return {
    rows,
    ofList: walk.isBehind ? ofList : { size: found?.size ?? null, totals: found?.totals ?? null },
    reached: hasEnough && !isSortedByIndex(terms) ? reached : undefined,
    isWhole: ended === null || rows.length === wanted,
  };
}

/**
 * Rows that are skipped are no part of a walk, and those of a search or of listed keys have an index of their own. Where one
 * index has the order, the planner finds all rows, or few of them, best.
 */
function isWalked({ source, key }: ListResource, shape: ListShape, terms: readonly SortingTerm[]): boolean {
  if (source.isLong !== true || shape.skips || shape.searchedWords > 0) return false;
  if (terms[0]?.field.isUnindexed === true || isAmong(shape.condition, key)) return false;
  const isPlanned = shape.condition === undefined || isNarrow(shape.condition);
  return !(isPlanned && isSortedByIndex(terms));
}

/** The statement for the rows that the page still lacks; nothing is counted or summed again. */
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

/** The rows that were read and those that were read behind them, as many as the page takes, in the order of the list. */
function joined(
  { question, shape }: ListPlan,
  before: readonly Row[],
  behind: readonly Row[],
): readonly Row[] {
  const wanted = question.options.top + 1;
  return isBackward(shape) ? [...behind, ...before].slice(-wanted) : [...before, ...behind].slice(0, wanted);
}
