import type { ListResource } from '@takt/resources';
import { isMissingKey } from './field-sql.js';
import type { Row, Value } from './outline.js';
import type { FoundRow } from './page.js';
import { type ListPlan, type ListShape, placeholders, type Walk } from './plan.js';
import type { ListQuestion } from './resolve-question.js';
import { isBackward, isSortedByIndex, type SortingTerm, sortingTermsOf } from './sorting-terms.js';
import { isNarrow } from './walk-range.js';

/**
 * Rows that one walk reads at most, for each row of the largest page: 10,000 for a page of 80, some 15 ms of the database.
 * A filter that leaves less than a page of them is answered as fast by looking at all rows, or by an index of its own.
 */
const WALK_ROWS = 125;

/** The same of the first attempt, which most pages are full within: some 1,000 for a page of 80. */
const SHORT_WALK_ROWS = 12;

/**
 * Rows that a walk reads at most of which another index may go on inside of a group of ties: as many as that has to
 * read of a million until it has met a page of the group.
 */
const tieRows = (mostRows: number): number => Math.round(Math.sqrt(1_000_000 * mostRows));

/** So that a page of four fields with large groups in each is walked to its end, and no list for ever. */
const MOST_WALKS = 6;

/** Where a short walk meets fewer rows of the page, what is thought to leave few rows does: no longer one is tried. */
const FEW_ROWS = 10;

/** What the walks of an attempt read at most, and how. */
export type Attempt = Pick<Walk, 'length' | 'reads'>;

/**
 * Short walks tell at once of ties that are so many that another index meets enough of them; a long one would read 9,000
 * rows to know it. Where they do not fill the page, little is lost.
 */
const attemptsOf = (mostRows: number): readonly Attempt[] => [
  { length: mostRows * SHORT_WALK_ROWS, reads: 'rows' },
  { length: mostRows * WALK_ROWS, reads: 'keys' },
];

/** Runs the statement of a plan. */
export type RunPlan = (plan: ListPlan) => Promise<FoundRow | undefined>;

/**
 * The rows of a page of a list. A long one is read by walks along the index of a field of its order, each of which ends
 * where the page is full, where the list ends, or after so many rows. What it has then met is right but for the rows with
 * the walked key of its end: of those there may be more. They are read by a walk of their own, along the index of the
 * next field, and behind them the walk before goes on. Where a walk meets too few rows, longer ones are tried, and then
 * all that pass the filter are found first and the page taken out of them.
 *
 * Each walk is a statement with a snapshot of its own, and reads sort keys that none of the same attempt has read: rows
 * come in order, and one that stays where it is is met once, as on pages of their own. One that is moved meanwhile may be
 * met at both of its places or at neither. The size is counted once, with the first rows.
 */
export async function readPage(
  plan: ListPlan,
  run: RunPlan,
  attempts = attemptsOf(plan.shape.mostRows),
): Promise<FoundRow | undefined> {
  const { question, shape } = plan;
  if (!isWalked(question.resource, shape)) return await run(plan);
  let size: FoundRow['size'] = null;
  for (const [index, attempt] of attempts.entries()) {
    const counts = shape.counts && index === 0;
    const { found, meetsSome, isWhole } = await walkPage(
      { ...plan, shape: { ...shape, counts } },
      run,
      attempt,
    );
    size ??= found.size ?? null;
    if (isWhole) return { ...found, size };
    if (!meetsSome && isNarrow(shape.condition)) break;
  }
  const sifted: ListPlan = { ...plan, shape: { ...shape, counts: false, reading: { kind: 'sifted' } } };
  return { ...(await run(sifted)), size };
}

/**
 * Rows that are skipped are no part of a walk, and those of a search have an index of their own. Where one index has the
 * order, the planner finds all rows, or few of them, best.
 */
function isWalked(resource: ListResource, shape: ListShape): boolean {
  if (resource.source.isLong !== true || shape.skips || shape.searchedWords > 0) return false;
  if (sortingTermsOf(resource, shape)[0]?.field.isUnindexed === true) return false;
  const isPlanned = shape.condition === undefined || isNarrow(shape.condition);
  return !(isPlanned && isSortedByIndex(sortingTermsOf(resource, shape), 0));
}

/** Where a walk begins. */
interface Place extends Pick<Walk, 'depth' | 'from' | 'missing'> {
  /** Sort keys by placeholder: of the groups inside of which it is, or of the one that it goes on behind. */
  readonly reached: Readonly<Record<string, Value | undefined>>;
}

interface WalkedPage {
  readonly found: FoundRow;
  /** Whether one of the walks met more than a few. */
  readonly meetsSome: boolean;
  /** Whether these are all rows of the page. */
  readonly isWhole: boolean;
}

async function walkPage(plan: ListPlan, run: RunPlan, attempt: Attempt): Promise<WalkedPage> {
  const { question, shape } = plan;
  const wanted = question.options.top + 1;
  let place: Place | undefined = firstPlace(question);
  let found: FoundRow = {};
  let meetsSome = false;
  for (let walks = 0; walks < MOST_WALKS && place !== undefined; walks++) {
    const before = found.rows ?? [];
    const missing = wanted - before.length;
    const counts = shape.counts && walks === 0;
    const part = walkPlan(plan, place, { ...attempt, wanted: missing, counts });
    const walked: FoundRow = (await run(part)) ?? {};
    const terms = sortingTermsOf(question.resource, part.shape);
    const { rows: met = [], ended, ...others } = walked;
    meetsSome ||= met.length >= Math.min(wanted, FEW_ROWS);
    const right = ended == null ? met : rightOf(met, ended, terms, place.depth);
    const rows = joined(plan, before, right);
    found = walks === 0 ? { ...others, rows } : { ...found, rows };
    const isListRead = ended == null && place.depth === 0;
    if (isListRead || rows.length === wanted) return { found, meetsSome, isWhole: true };
    place =
      ended == null
        ? placeBehind(place, terms)
        : placeInside(plan, place, { terms, ended, hasEnough: met.length >= missing });
  }
  return { found, meetsSome, isWhole: false };
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
  return { depth: 0, from: 'boundary' in start ? 'boundary' : 'start', missing: [], reached: {} };
}

interface WalkWishes extends Attempt {
  /** Rows that the page still lacks, with the one more that tells of a neighbour. */
  readonly wanted: number;
  readonly counts: boolean;
}

function walkPlan(plan: ListPlan, place: Place, { wanted, counts, length, reads }: WalkWishes): ListPlan {
  const { reached, ...where } = place;
  const walk: Walk = { kind: 'walk', ...where, length, reads };
  const shape: ListShape = { ...plan.shape, counts, reading: walk };
  const isLast = isSortedByIndex(sortingTermsOf(plan.question.resource, shape), place.depth);
  const most = isLast ? length : Math.min(length, tieRows(shape.mostRows));
  return {
    ...plan,
    shape: { ...shape, reading: { ...walk, length: most } },
    values: { ...plan.values, ...reached, [placeholders.pageSize]: wanted - 1 },
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
  const { place } = termAt(terms, depth);
  return met.filter((row) => row.at(place - ended.length) !== ended[place]);
}

/** Behind the group of rows that was read to its end. */
function placeBehind({ depth, missing, reached }: Place, terms: readonly SortingTerm[]): Place {
  const { place } = termAt(terms, depth - 1);
  return { depth: depth - 1, from: 'behind', missing: missing.filter((other) => other < place), reached };
}

/** What a walk that came to its end has learned. */
interface EndedWalk {
  readonly terms: readonly SortingTerm[];
  readonly ended: Row;
  /** Whether it met as many rows as the page lacks. */
  readonly hasEnough: boolean;
}

/**
 * Inside the group of rows, with one value of the walked key, that a walk ended in. undefined where that leads nowhere:
 * no other index sorts the group, or the filter leaves too few rows of those that were met.
 */
function placeInside(
  { question: { start } }: ListPlan,
  { depth, from, missing, reached }: Place,
  { terms, ended, hasEnough }: EndedWalk,
): Place | undefined {
  if (isSortedByIndex(terms, depth)) return undefined;
  const { field, place } = termAt(terms, depth);
  const isOfBoundary = from === 'boundary' && 'boundary' in start && start.boundary[place] === ended[place];
  // In the group of the boundary most rows may be before it: the next walk does not meet them.
  if (!hasEnough && !isOfBoundary) return undefined;
  return {
    depth: depth + 1,
    from: isOfBoundary ? 'boundary' : 'start',
    missing: isMissingKey(field, ended[place]) ? [...missing, place] : missing,
    reached: { ...reached, [placeholders.reached(place)]: ended[place] },
  };
}

function termAt(terms: readonly SortingTerm[], depth: number): SortingTerm {
  const term = terms[depth];
  if (term === undefined) throw new Error(`no term sorts at ${depth}`);
  return term;
}
