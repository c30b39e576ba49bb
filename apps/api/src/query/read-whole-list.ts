import { type FoundPage, type FoundRow, foundPageOf } from './page.js';
import type { PageStart } from './page-key.js';
import { type ListPlan, type PlanOptions, planQuestion } from './plan.js';
import type { ListQuestion } from './resolve-question.js';

/**
 * Rows that one statement reads: a few milliseconds of the event loop to take in, some 15 of the database, and below a
 * megabyte. Ten times as many would be read no faster, and block everybody else ten times as long.
 */
const BATCH_ROWS = 1_000;

export interface WholeListOptions extends PlanOptions {
  /** Whether the first batch tells how many rows there are. */
  readonly countsAll: boolean;
  readonly run: (plan: ListPlan) => Promise<FoundRow | undefined>;
}

/**
 * All rows of a list in its order, from the first on, as if NextPage were followed: each batch is a statement of its own
 * that goes on behind the last row of the one before. So nobody's slowness holds a connection or a snapshot, a deep batch
 * costs what the first does, and rows that move meanwhile may be met twice or not at all.
 */
export async function* readWholeList(
  question: ListQuestion,
  { countsAll, run, ...wishes }: WholeListOptions,
): AsyncGenerator<FoundPage, void, void> {
  let start: PageStart | undefined = { kind: 'first' };
  while (start !== undefined) {
    const countAll = countsAll && start.kind === 'first';
    const options = { ...question.options, top: BATCH_ROWS, skip: 0, countAll };
    const plan = planQuestion({ ...question, start, options }, { ...wishes, mostRows: BATCH_ROWS });
    const page: FoundPage = foundPageOf(plan, await run(plan));
    yield page;
    start = page.next;
  }
}
