import { ServiceError } from '@takt/catalogue/errors';
import { expandableIn, PAGING_DETAILS, SUMMARY } from '@takt/catalogue/resources';
import { type ApiAnswer, beginPieces, type Pieces } from '@takt/http';
import type { ExportFormat } from '@takt/query';
import type { Leave } from '@takt/run';
import { aboutList, columnsOfPage } from '../pages/index.js';
import type { Condition } from '../query/condition.js';
import { usesComputed } from '../query/list-sql.js';
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
  /** True if the file has the columns of the page instead of those of the data. */
  readonly isForPeople: boolean;
  readonly plan: PlanOptions;
  readonly context: WritingContext;
  /** Waits for a turn among the exports. Rejects with overloaded. */
  readonly begin: () => Promise<Leave>;
  /** Reads a batch, after checking that the reader still has the rights to it. */
  readonly run: (plan: ListPlan) => Promise<FoundRow | undefined>;
}

/**
 * Answers with the whole list as a file, which is written while the list is read. The answer starts after the first
 * batch, so an earlier failure is an ordinary error. Rejects with a ServiceError.
 */
export async function answerExport(question: ListQuestion, options: ExportOptions): Promise<ApiAnswer> {
  const { format, context } = options;
  const parameter = parameterOfPages(question);
  if (parameter !== undefined) throw new ServiceError('parameterOfPages', { parameter, format });
  const pieces = endWithSlowClient(await beginPieces(piecesOf(question, options)));
  return exportAnswer(question.resource, format, pieces, context);
}

/** The parameter that a file does not support: one about a single page, or one that adds a list to each row. */
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
 * Rows per statement: a few milliseconds of the event loop, some 15 of the database, and less than a megabyte. Ten
 * times as many rows would be no faster, and would block others ten times as long.
 */
const BATCH_ROWS = 1_000;

interface WholeListOptions extends PlanOptions {
  /** True if the first batch counts the rows. */
  readonly countsAll: boolean;
  readonly run: (plan: ListPlan) => Promise<FoundRow | undefined>;
}

/** Keys per statement if no index has the order: about a megabyte, including their sort keys. */
const BATCH_KEYS = 20_000;

/**
 * Reads all rows of a list in order. Each batch is a statement of its own, so a slow client holds no connection or
 * snapshot. Rows that are changed meanwhile so that they move may appear twice or not at all. Without
 * an index in this order, each batch would have to sort all remaining rows, and to compute them first if the list is a
 * computed one. Then one statement finds the keys of many batches, and each batch reads the rows of its keys that still
 * match the filter.
 * The first batch is read in the ordinary way, because it has a deadline.
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
 * Reads page after page, as a client does that follows NextPage: each batch starts after the last row of the previous
 * one, and costs as much as a first page.
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
 * The request for those rows of the keys that still match the filter. The search is left out: it was used to find the
 * keys, and would cost as much again.
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
 * The minimum speed of a client, in bytes before compression, which are about three times as many as the bytes sent.
 */
interface LeastPace {
  readonly bytesPerSecond: number;
  /** The time for which a client may be slower, and the most lead that a fast start can give it for later. */
  readonly graceMs: number;
}

const LEAST_PACE: LeastPace = { bytesPerSecond: 10_000, graceMs: 10_000 };

/**
 * Returns the same pieces, but ends them and the connection if the client is too slow. Only the time spent waiting for
 * the client counts, not the time spent waiting for the database.
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
