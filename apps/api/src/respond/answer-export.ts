import { ServiceError } from '@takt/catalogue/errors';
import { expandableIn, PAGING_DETAILS, SUMMARY } from '@takt/catalogue/resources';
import { type ApiAnswer, beginPieces, type Pieces } from '@takt/http';
import type { ExportFormat } from '@takt/query';
import type { Leave } from '@takt/run';
import { aboutList, columnsOfPage } from '../pages/index.js';
import type { Condition } from '../plan/condition.js';
import type { Row } from '../plan/outline.js';
import type { PageStart } from '../plan/page-key.js';
import {
  isSortedByIndex,
  type ListPlan,
  type PlanOptions,
  planQuestion,
  sortingTermsOf,
} from '../plan/plan.js';
import type { ListQuestion } from '../plan/resolve-question.js';
import { exportColumnsOf } from '../representations/export/export-columns.js';
import type { WritingContext } from '../representations/writer.js';
import { usesComputed } from '../sql/list-sql.js';
import { type FoundPage, type FoundRow, foundPageOf } from '../sql/result.js';
import { exportAnswer, exportWriters } from './write-export.js';

interface ExportOptions {
  readonly format: ExportFormat;
  /** True if the file gets the columns of the page. Otherwise the file gets a column for each field of the data. */
  readonly isForPeople: boolean;
  readonly plan: PlanOptions;
  readonly context: WritingContext;
  /** Waits for a turn among the exports. Rejects with the error overloaded if the turn does not come in time. */
  readonly begin: () => Promise<Leave>;
  /** Reads a batch of rows, after checking that the reader still has the necessary rights. */
  readonly run: (plan: ListPlan) => Promise<FoundRow | undefined>;
}

/**
 * Answers with a file of the whole list. The file is sent while the list is still being read. The answer starts only
 * after the first batch of rows was read, so a failure before that becomes an ordinary error answer. Rejects with a
 * ServiceError.
 */
export async function answerExport(question: ListQuestion, options: ExportOptions): Promise<ApiAnswer> {
  const { format, context } = options;
  const parameter = parameterOfPages(question);
  if (parameter !== undefined) throw new ServiceError('parameterOfPages', { parameter, format });
  const pieces = endWithSlowClient(await beginPieces(piecesOf(question, options)));
  return exportAnswer(question.resource, format, pieces, context);
}

/**
 * The first parameter of the request that a file does not support: a parameter about a single page, or one that adds a
 * list to each row. undefined if there is none.
 */
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
 * The number of rows that one statement reads. So many rows take a few milliseconds of the event loop, some 15 ms of
 * the database, and less than a megabyte of memory. Ten times as many rows would be no faster, and would block other
 * requests ten times as long.
 */
const BATCH_ROWS = 1_000;

interface WholeListOptions extends PlanOptions {
  /** True if the statement of the first batch also counts all rows of the list. */
  readonly countsAll: boolean;
  readonly run: (plan: ListPlan) => Promise<FoundRow | undefined>;
}

/**
 * The number of keys that one statement reads if no index has the order of the list. With their sort keys, they take
 * about a megabyte.
 */
const BATCH_KEYS = 20_000;

/**
 * Reads all rows of a list in order. Each batch of rows is read by a statement of its own, so a slow client holds no
 * connection or snapshot. If a row is changed meanwhile so that it moves in the order, it may appear twice or not at
 * all.
 * If an index has the order of the list, the batches are read like pages. Without such an index, each batch would have
 * to sort all remaining rows, and in a list of computed rows it would have to compute them first. So one statement
 * finds the keys of many batches. Then each batch reads the rows of its keys, if they still match the filter. The first
 * batch is always read like a page, because it has a deadline.
 */
async function* readWholeList(
  question: ListQuestion,
  options: WholeListOptions,
): AsyncGenerator<FoundPage, void, void> {
  const { resource, order, filter } = question;
  const { source } = resource;
  const shape = { condition: filter?.condition, order, start: 'first' } as const;
  const isInOrder = source.isLong !== true || isSortedByIndex(sortingTermsOf(resource, shape));
  if (isInOrder && !usesComputed(source, shape)) {
    return yield* followPages(question, BATCH_ROWS, options);
  }
  const first = await followPages(question, BATCH_ROWS, options).next();
  if (first.done === true) return;
  yield first.value;
  if (first.value.next === undefined) return;
  const bare = {
    ...question,
    start: first.value.next,
    selection: new Set<never>(),
    expansion: new Set<never>(),
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
 * Reads one page after the other, like a client that follows NextPage. Each batch starts after the last row of the
 * previous batch, and takes as long as a first page.
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

/**
 * The request for the rows with these keys that still match the filter. It has no search: the search has already been
 * used to find the keys, and would take as long again.
 */
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

/**
 * The minimum speed at which a client must take a file. It is counted in bytes before compression, which are about
 * three times as many as the bytes sent.
 */
interface LeastPace {
  readonly bytesPerSecond: number;
  /**
   * The time for which a client may be slower than the minimum speed. It is also the limit of the lead that a client
   * gains by taking the start of the file fast.
   */
  readonly graceMs: number;
}

const LEAST_PACE: LeastPace = { bytesPerSecond: 10_000, graceMs: 10_000 };

/**
 * Returns the same pieces of a file, but ends the pieces and the connection if the client is too slow. Only the time
 * spent waiting for the client counts, not the time spent waiting for the database.
 */
export function endWithSlowClient(
  pieces: Pieces,
  { bytesPerSecond, graceMs }: LeastPace = LEAST_PACE,
): Pieces {
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
