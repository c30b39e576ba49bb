import { ServiceError } from '@takt/error-catalogue';
import { type ApiAnswer, beginPieces } from '@takt/http';
import type { ExportFormat } from '@takt/query-options';
import { PAGING_DETAILS } from '@takt/resources';
import type { Leave } from '@takt/runtime';
import type { Row } from '../query/outline.js';
import type { FoundPage, FoundRow } from '../query/page.js';
import { type ListPlan, type PlanOptions, planQuestion } from '../query/plan.js';
import { readWholeList } from '../query/read-whole-list.js';
import type { ListQuestion } from '../query/resolve-question.js';
import { exportColumnsOf } from '../representations/export/export-columns.js';
import { exportAnswer, exportWriters } from '../representations/export/write-export.js';
import type { WritingContext } from '../representations/page.js';
import { endWithSlowClient } from './end-with-slow-client.js';

export interface ExportOptions {
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
