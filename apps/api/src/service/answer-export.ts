import { ServiceError } from '@takt/catalogue/errors';
import { expandableIn, PAGING_DETAILS, SUMMARY } from '@takt/catalogue/resources';
import { type ApiAnswer, beginPieces, type Pieces } from '@takt/http';
import type { ExportFormat } from '@takt/query';
import type { Leave } from '@takt/run';
import { aboutList, columnsOfPage } from '../pages/index.js';
import type { Condition } from '../query/condition.js';
import { asksComputed } from '../query/list-sql.js';
import type { Row } from '../query/outline.js';
import type { PageStart } from '../query/page-key.js';
import {
  isSortedByIndex,
  type ListPlan,
  type PlanOptions,
  planQuestion,
  sortingTermsOf,
} from '../query/plan.js';
import type { ListQuestion } from '../query/resolve-question.js';
import { type FoundPage, type FoundRow, foundPageOf } from '../query/result.js';
import { exportColumnsOf } from '../representations/export/export-columns.js';
import type { WritingContext } from '../representations/writer.js';
import { exportAnswer, exportWriters } from './write-export.js';

interface ExportOptions {
  readonly format: ExportFormat;
  /** It has the columns of the page in place of those of the data. */
  readonly isForPeople: boolean;
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
  const parameter = parameterOfPages(question);
  if (parameter !== undefined) throw new ServiceError('parameterOfPages', { parameter, format });
  const pieces = endWithSlowClient(await beginPieces(piecesOf(question, options)));
  return exportAnswer(question.resource, format, pieces, context);
}

/** Finds a parameter that a table has no place for: it is about one page, or asks for a list within each row. */
function parameterOfPages({ resource, expansion, selection }: ListQuestion): string | undefined {
  const lists = expandableIn(resource).filter(({ kind }) => kind === 'collection');
  const names = [PAGING_DETAILS, SUMMARY, ...lists.map(({ expandedBy }) => expandedBy)];
  const expanded = names.find((name) => expansion.has(name));
  if (expanded !== undefined) return `$expand=${expanded}`;
  const selected = lists.find((node) => selection?.has(node));
  return selected && `$select=${selected.name}`;
}

async function* piecesOf(
  question: ListQuestion,
  { format, isForPeople, plan, context, begin, run }: ExportOptions,
): AsyncGenerator<string | Uint8Array, void, void> {
  const { resource } = question;
  const { mostRows, write } = exportWriters[format];
  const leave = await begin();
  try {
    const { outline } = planQuestion(question, plan);
    const table = {
      title: resource.title[context.language],
      columns: isForPeople
        ? columnsOfPage(resource, outline, context)
        : exportColumnsOf(resource, outline, context),
      about: aboutList(resource, context),
      decimal: question.options.decimal,
      isForPeople,
    };
    const pages = readWholeList(
      { ...question, start: { kind: 'first' } },
      { ...plan, countsAll: mostRows !== undefined, run },
    );
    const first = await pages.next();
    if (first.done !== true) expectRoom(first.value, mostRows);
    yield* write(table, rowsOf(first, pages));
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

/** Keys that one statement finds where no index has the order: with what sorts them, a megabyte. */
const BATCH_KEYS = 20_000;

/**
 * All rows of a list in its order, from the first on. Each batch is a statement of its own, so nobody's slowness holds a
 * connection or a snapshot, and rows that move meanwhile may be met twice or not at all.
 *
 * Where no index has the order, each batch would sort all that is left again, and where rows are computed, compute it. There, behind the first one, which must come
 * in time, the keys of many batches are found at once, and a batch is the rows of its keys that still pass the filter.
 */
async function* readWholeList(
  question: ListQuestion,
  options: WholeListOptions,
): AsyncGenerator<FoundPage, void, void> {
  const { resource, order, filter } = question;
  const { source } = resource;
  const shape = { condition: filter?.condition, order, start: 'first' } as const;
  const isInOrder = source.isLong !== true || isSortedByIndex(sortingTermsOf(resource, shape));
  if (isInOrder && !asksComputed(source, shape)) {
    return yield* followPages(question, BATCH_ROWS, options);
  }
  const first = await followPages(question, BATCH_ROWS, options).next();
  if (first.done === true) return;
  yield first.value;
  if (first.value.next === undefined) return;
  const bare = {
    ...{ ...question, start: first.value.next },
    ...{ selection: new Set<never>(), expansion: new Set<never>() },
  };
  const place = order.findIndex(({ field }) => field === resource.key) - order.length;
  for await (const { rows } of followPages(bare, BATCH_KEYS, options)) {
    const keys = rows.map((row) => String(row.at(place)));
    for (let from = 0; from < keys.length; from += BATCH_ROWS) {
      const batch = amongKeys(question, keys.slice(from, from + BATCH_ROWS));
      yield await readBatch(batch, BATCH_ROWS, { ...options, countsAll: false });
    }
  }
}

/**
 * As if NextPage were followed from the start of the question on: each page goes on behind the last row of the one before,
 * and costs what the first does.
 */
async function* followPages(
  question: ListQuestion,
  rows: number,
  options: WholeListOptions,
): AsyncGenerator<FoundPage, void, void> {
  let start: PageStart | undefined = question.start;
  while (start !== undefined) {
    const page: FoundPage = await readBatch({ ...question, start }, rows, options);
    yield page;
    start = page.next;
  }
}

async function readBatch(
  question: ListQuestion,
  rows: number,
  { countsAll, run, ...wishes }: WholeListOptions,
): Promise<FoundPage> {
  const countAll = countsAll && question.start.kind === 'first';
  const options = { ...question.options, top: rows, skip: 0, countAll };
  const plan = planQuestion({ ...question, options }, { ...wishes, mostRows: rows });
  return foundPageOf(plan, await run(plan));
}

/** The rows of these keys that pass the filter. The search has found them: to search them again would cost as much. */
function amongKeys(question: ListQuestion, keys: readonly string[]): ListQuestion {
  const { condition, values = [] } = question.filter ?? {};
  const among: Condition = {
    kind: 'in',
    type: 'bigint',
    term: { kind: 'field', field: question.resource.key },
    values: values.length,
  };
  return {
    ...question,
    start: { kind: 'first' },
    filter: {
      condition: condition === undefined ? among : { kind: 'and', conditions: [among, condition] },
      values: [...values, keys],
    },
    options: { ...question.options, search: [] },
  };
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
