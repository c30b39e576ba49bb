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
 * Rows that one walk reads at most, per row of the largest page: 10,000 for a page of 80, some 15 ms of the database.
 * If a filter leaves less than a page of them, reading all rows, or its own index, is as fast.
 */
const WALK_ROWS = 125;

/**
 * Independent of the page size: an index without the complete order may end in a group of ties, which makes the walk
 * useless.
 */
const LONGEST_UNSORTED_WALK = 25_000;

/** A page may reach into this many groups of ties; then all rows are read. */
const MOST_WALKS = 3;

type RunPlan = (plan: ListPlan) => Promise<FoundRow | undefined>;

/**
 * Reads a page of a list. In a long list it walks along the index of the order's first field, until the page is full,
 * the list ends, or a limit is reached. The rows found are final except those with the first sort key of its end,
 * because more of these may follow: a second statement finds and sorts all of them, and another walk continues after
 * them. If a walk finds too few rows, a statement finds all matching rows and takes the page from them.
 * Each statement has its own snapshot, and none reads a first sort key that another has read: rows come in order, and
 * an unchanged row appears once, as on separate pages. A row that moves meanwhile may appear twice or not at all. Size
 * and totals come from the first statement.
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

/** The final part of a page. */
interface WalkedPage {
  readonly rows: readonly Row[];
  /** Size and totals of the whole list, from the first statement. */
  readonly ofList: Pick<FoundRow, 'size' | 'totals'>;
  /** A first sort key with possibly more rows; undefined: no statement for its ties would help. */
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
  // Most rows of the boundary's group may precede it, and the walk does not read those after its end.
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
 * Excludes skipped rows, searches and listed keys, which have their own index. If one index has the complete order, the
 * planner does best.
 */
function isWalked({ source, key }: ListResource, shape: ListShape, terms: readonly SortingTerm[]): boolean {
  if (source.isLong !== true || shape.skips || shape.searchedWords > 0) return false;
  if (terms[0]?.field.isUnindexed === true || isAmong(shape.condition, key)) return false;
  const isPlanned = shape.condition === undefined || isNarrow(shape.condition);
  return !(isPlanned && isSortedByIndex(terms));
}

/** The statement for the missing rows, without counting and summing again. */
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

/** Joins rows with those read after them, up to a page, in the order of the list. */
function joined(
  { question, shape }: ListPlan,
  before: readonly Row[],
  after: readonly Row[],
): readonly Row[] {
  const wanted = question.options.top + 1;
  return isBackward(shape) ? [...after, ...before].slice(-wanted) : [...before, ...after].slice(0, wanted);
}
