import { ServiceError } from '@takt/catalogue/errors';
import { PAGING_DETAILS } from '@takt/catalogue/resources';
import { type ApiAnswer, beginPieces, type Pieces } from '@takt/http';
import type { ExportFormat } from '@takt/query';
import type { Leave } from '@takt/run';
import type { Row } from '../query/outline.js';
import { type FoundPage, type FoundRow, foundPageOf } from '../query/page.js';
import type { PageStart } from '../query/page-key.js';
import { type ListPlan, type PlanOptions, planQuestion } from '../query/plan.js';
import type { ListQuestion } from '../query/resolve-question.js';
import { exportColumnsOf } from '../representations/export/export-columns.js';
import { exportAnswer, exportWriters } from '../representations/export/write-export.js';
import type { WritingContext } from '../representations/page.js';

interface ExportOptions {
  readonly format: ExportFormat;
  readonly plan: PlanOptions;
  readonly context: WritingContext;
  /** Waits for a turn among the exports. Rejects with overloaded. */
  readonly begin: () => Promise<Leave>;
  /** Reads a batch, while who asks may still read it. */
  readonly run: (plan: ListPlan) => Promise<FoundRow | undefined>;
}

/**
 * The whole list as a file, which is written while it is read. The first batch is there before the answer is: up to it,
 * a failure is an error like any other. Rejects with a ServiceError.
 */
export async function answerExport(question: ListQuestion, options: ExportOptions): Promise<ApiAnswer> {
  const { format, context } = options;
  if (question.expansion.has(PAGING_DETAILS)) {
    throw new ServiceError('parameterOfPages', { parameter: `$expand=${PAGING_DETAILS}`, format });
  }
  const pieces = endWithSlowClient(await beginPieces(piecesOf(question, options)));
  return exportAnswer(question.resource, format, pieces, context);
}

async function* piecesOf(
  question: ListQuestion,
  { format, plan, context, begin, run }: ExportOptions,
): AsyncGenerator<string | Uint8Array, void, void> {
  const { resource } = question;
  const { mostRows, write } = exportWriters[format];
  const leave = await begin();
  try {
    const { outline } = planQuestion(question, plan);
    const table = {
      resource,
      columns: exportColumnsOf(resource, outline),
      decimal: question.options.decimal,
    };
    const pages = readWholeList(question, { ...plan, countsAll: mostRows !== undefined, run });
    const first = await pages.next();
    if (first.done !== true) expectRoom(first.value, mostRows);
    yield* write(table, rowsOf(first, pages), context);
  } finally {
    leave();
  }
}

function expectRoom({ size = 0 }: FoundPage, mostRows = Number.POSITIVE_INFINITY): void {
  if (size <= mostRows) return;
  throw new ServiceError('tooManyRowsForSheet', { rows: String(size), limit: String(mostRows) });
}

async function* rowsOf(
  first: IteratorResult<FoundPage, void>,
  others: AsyncGenerator<FoundPage, void, void>,
): AsyncGenerator<readonly Row[], void, void> {
  if (first.done !== true) yield first.value.rows;
  for await (const { rows } of others) yield rows;
}

/**
 * Rows that one statement reads: a few milliseconds of the event loop to take in, some 15 of the database, and below a
 * megabyte. Ten times as many would be read no faster, and block everybody else ten times as long.
 */
const BATCH_ROWS = 1_000;

interface WholeListOptions extends PlanOptions {
  /** Whether the first batch tells how many rows there are. */
  readonly countsAll: boolean;
  readonly run: (plan: ListPlan) => Promise<FoundRow | undefined>;
}

/**
 * All rows of a list in its order, from the first on, as if NextPage were followed: each batch is a statement of its own
 * that goes on behind the last row of the one before. So nobody's slowness holds a connection or a snapshot, a deep batch
 * costs what the first does, and rows that move meanwhile may be met twice or not at all.
 */
async function* readWholeList(
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

/** What a client may take at the least. Written is three times as much as is sent compressed. */
interface LeastPace {
  readonly bytesPerSecond: number;
  /** How long it may take less, and how much of a fast beginning counts for later. */
  readonly graceMs: number;
}

const LEAST_PACE: LeastPace = { bytesPerSecond: 10_000, graceMs: 10_000 };

/**
 * The same pieces for a client that takes them. The work on them ends at once, and so does the connection, where the client is
 * too slow. Only the time counts in which the client is waited for, not the database.
 */
function endWithSlowClient(pieces: Pieces, { bytesPerSecond, graceMs }: LeastPace = LEAST_PACE): Pieces {
  let leftMs = graceMs;
  const givingUp = new AbortController();
  let waitsSinceMs: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  const waitForClient = (taken: number) => {
    leftMs = Math.min(graceMs, leftMs + (taken / bytesPerSecond) * 1_000);
    waitsSinceMs = performance.now();
    timer = setTimeout(() => {
      void pieces.end();
      givingUp.abort();
    }, leftMs);
  };
  const stopWaiting = () => {
    clearTimeout(timer);
    if (waitsSinceMs !== undefined) leftMs -= performance.now() - waitsSinceMs;
    waitsSinceMs = undefined;
  };
  return {
    signal: givingUp.signal,
    next: async () => {
      stopWaiting();
      const piece = await pieces.next();
      if (piece !== undefined) waitForClient(piece.length);
      return piece;
    },
    end: () => {
      stopWaiting();
      return pieces.end();
    },
  };
}
