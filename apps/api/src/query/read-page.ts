import type { ListResource } from '@takt/resources';
import type { Row, Value } from './outline.js';
import type { FoundRow } from './page.js';
import { type ListPlan, type ListShape, placeholders, type Walk } from './plan.js';
import type { ListQuestion } from './resolve-question.js';
import { isBackward, isSortedByIndex, type SortingTerm, sortingTermsOf } from './sorting-terms.js';
import { isNarrow } from './walk-range.js';

/**
 * Rows that one walk reads at most, for each row of the largest page: 10,000 for a page of 80, some 20 ms of the database.
 * A filter that leaves less than a page of them is answered as fast by looking at all rows, or by an index of its own.
 */
const WALK_ROWS = 125;

/**
 * Rows that a walk reads at most of which another index may go on inside of a group of ties: as many as that has to
 * read of a million until it has met a page of the group.
 */
const tieRows = (mostRows: number): number => Math.round(Math.sqrt(1_000_000 * mostRows));

/** So that a page of four fields with large groups in each is walked to its end, and no list for ever. */
const MOST_WALKS = 6;

/** Runs the statement of a plan. */
export type RunPlan = (plan: ListPlan) => Promise<FoundRow | undefined>;

/**
 * The rows of a page of a list. A long one is read by walks along the index of a field of its order, each of which ends
 * where the page is full, where the list ends, or after so many rows. What it has then met is right but for the rows with
 * the walked key of its end: of those there may be more. They are read by a walk of their own, along the index of the
 * next field, and behind them the walk before goes on. Where a walk meets too few rows, all that pass the filter are
 * found first and the page taken out of them.
 *
 * Each walk is a statement with a snapshot of its own, and reads sort keys that none before has read: rows come in order,
 * and one that stays where it is is met once, as on pages of their own. One that is moved meanwhile may be met at both of
 * its places or at neither. The size is counted once, with the first rows.
 */
export async function readPage(
  plan: ListPlan,
  run: RunPlan,
  length = plan.shape.mostRows * WALK_ROWS,
): Promise<FoundRow | undefined> {
  const { question, shape } = plan;
  if (!isWalked(question.resource, shape)) return await run(plan);
  const { found, isWhole } = await walkPage(plan, run, length);
  if (isWhole) return found;
  const sifted: ListPlan = { ...plan, shape: { ...shape, counts: false, reading: { kind: 'sifted' } } };
  return { ...(await run(sifted)), size: found.size ?? null };
}

/** Rows that are skipped are no part of a walk, and those of a search have an index of their own. */
function isWalked(resource: ListResource, shape: ListShape): boolean {
  if (resource.source.isLong !== true || shape.skips || shape.searchedWords > 0) return false;
  if (shape.condition === undefined) return !isSortedByIndex(sortingTermsOf(resource, shape), 0);
  return !isNarrow(shape.condition);
}

/** Where a walk begins. */
interface Place extends Pick<Walk, 'depth' | 'from'> {
  /** Sort keys by placeholder: of the groups inside of which it is, or of the one that it goes on behind. */
  readonly reached: Readonly<Record<string, Value | undefined>>;
}

interface WalkedPage {
  readonly found: FoundRow;
  /** Whether these are all rows of the page. */
  readonly isWhole: boolean;
}

async function walkPage(plan: ListPlan, run: RunPlan, length: number): Promise<WalkedPage> {
  const { question, shape } = plan;
  const terms = sortingTermsOf(question.resource, shape);
  const wanted = question.options.top + 1;
  let place: Place | undefined = firstPlace(question);
  let found: FoundRow = {};
  for (let walks = 0; walks < MOST_WALKS && place !== undefined; walks++) {
    const before = found.rows ?? [];
    const missing = wanted - before.length;
    const counts = shape.counts && walks === 0;
    const walked: FoundRow = (await run(walkPlan(plan, place, { terms, missing, length, counts }))) ?? {};
    const { rows: met = [], ended, ...others } = walked;
    const right = ended == null ? met : rightOf(met, ended, terms, place.depth);
    const rows = joined(plan, before, right);
    found = walks === 0 ? { ...others, rows } : { ...found, rows };
    const isListRead = ended == null && place.depth === 0;
    if (isListRead || rows.length === wanted) return { found, isWhole: true };
    place = ended == null ? placeBehind(place) : placeInside(plan, place, ended, met.length >= missing);
  }
  return { found, isWhole: false };
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

function firstPlace({ start }: ListQuestion): Place {
  return { depth: 0, from: 'boundary' in start ? 'boundary' : 'start', reached: {} };
}

interface WalkWishes {
  readonly terms: readonly SortingTerm[];
  /** Rows of the page, with the one more that tells of a neighbour. */
  readonly missing: number;
  readonly length: number;
  readonly counts: boolean;
}

function walkPlan(plan: ListPlan, { depth, from, reached }: Place, wishes: WalkWishes): ListPlan {
  const { terms, missing, counts } = wishes;
  const isLast = isSortedByIndex(terms, depth);
  const length = isLast ? wishes.length : Math.min(wishes.length, tieRows(plan.shape.mostRows));
  return {
    ...plan,
    shape: { ...plan.shape, counts, reading: { kind: 'walk', depth, from, length } },
    values: { ...plan.values, ...reached, [placeholders.pageSize]: missing - 1 },
  };
}

/** The rows behind which there is none that the walk did not meet. */
function rightOf(
  met: readonly Row[],
  ended: Row,
  terms: readonly SortingTerm[],
  depth: number,
): readonly Row[] {
  if (isSortedByIndex(terms, depth)) return met;
  const place = placeOf(terms, depth);
  return met.filter((row) => row.at(place - ended.length) !== ended[place]);
}

/** Behind the group of rows that was read to its end. */
function placeBehind({ depth, reached }: Place): Place {
  return { depth: depth - 1, from: 'behind', reached };
}

/**
 * Inside the group of rows, with one value of the walked key, that a walk ended in. undefined where that leads nowhere:
 * no other index sorts the group, or the filter leaves too few rows of those that were met.
 */
function placeInside(
  { question: { resource, start }, shape }: ListPlan,
  { depth, from, reached }: Place,
  ended: Row,
  hasEnough: boolean,
): Place | undefined {
  const terms = sortingTermsOf(resource, shape);
  if (isSortedByIndex(terms, depth)) return undefined;
  const place = placeOf(terms, depth);
  const isOfBoundary = from === 'boundary' && 'boundary' in start && start.boundary[place] === ended[place];
  // In the group of the boundary most rows may be before it: the next walk does not meet them.
  if (!hasEnough && !isOfBoundary) return undefined;
  return {
    depth: depth + 1,
    from: isOfBoundary ? 'boundary' : 'start',
    reached: { ...reached, [placeholders.reached(place)]: ended[place] },
  };
}

function placeOf(terms: readonly SortingTerm[], depth: number): number {
  const term = terms[depth];
  if (term === undefined) throw new Error(`no term sorts at ${depth}`);
  return term.place;
}
