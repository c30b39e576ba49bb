import { apiFailure, isErrorDocument, isObject, type Result } from './failure.js';
import type {
  Argument,
  DetailOptions,
  DetailPath,
  ListOptions,
  ListPath,
  Selection,
  Served,
} from './options.js';
import {
  addressOf,
  type DetailResult,
  detailOf,
  type ListResult,
  type PageRequest,
  pageOf,
  type Received,
  unlike,
  withDefaults,
} from './read-documents.js';
import type { Details, Lists } from './resources.js';
import { readDocument } from './send.js';

/** A request that is sent as part of a batch. It is made by listOf or objectOf. */
export interface BatchRequest<Answer> {
  readonly path: string;
  readonly options: object;
  readonly read: (request: PageRequest, received: Received) => Answer;
}

/** Makes the request of a page of a list, for a batch. */
export function listOf<
  Path extends ListPath,
  const Select extends Selection<Lists[Path]['object']> = undefined,
>(
  path: Path,
  ...[options]: Argument<ListOptions<Path, Select>>
): BatchRequest<ListResult<Served<Lists[Path]['object'], Select>>> {
  return { path, options: options ?? {}, read: pageOf };
}

/** Makes the request of one object, for a batch. */
export function objectOf<
  Path extends DetailPath,
  const Select extends Selection<Details[Path]['object']> = undefined,
>(
  path: Path,
  ...[options]: Argument<DetailOptions<Path, Select>>
): BatchRequest<DetailResult<Served<Details[Path]['object'], Select>>> {
  return { path, options: options ?? {}, read: (_, received) => detailOf(received) };
}

/** The results of the requests in a batch, in the order of the requests. */
export type BatchAnswers<Requests extends readonly BatchRequest<unknown>[]> = {
  readonly [Index in keyof Requests]: Requests[Index] extends BatchRequest<infer Answer> ? Answer : never;
};

/**
 * Sends several requests as one. The common options apply to each request, but a request may have its own language and
 * company.
 */
export async function readBatch(
  request: Omit<PageRequest, 'path'>,
  requests: readonly BatchRequest<Result<object>>[],
): Promise<Result<{ readonly answers: readonly Result<object>[] }>> {
  const { connection, signal } = request;
  const all = requests.map(({ path, options }) => ({
    path,
    options: withDefaults(request.options, options),
  }));
  const query = new URLSearchParams(
    all.map(({ path, options }, index) => [batchId(index), addressOf(path, options)]),
  );
  const read = await readDocument(connection, `/batch?${query}`, signal);
  if (!read.ok) return read;
  const documents = responsesIn(read.document['resources']);
  const answers = requests.map((request, index) => {
    const document = documents.get(batchId(index));
    if (!isObject(document)) return unlike(read);
    if (isErrorDocument(document)) return { ok: false, error: apiFailure(document, read.response) } as const;
    const { path = '', options = {} } = all[index] ?? {};
    return request.read({ connection, path, options, signal }, { document, response: read.response });
  });
  return { ok: true, answers };
}

const batchId = (index: number): string => `resource${index}`;

function responsesIn(resources: unknown): ReadonlyMap<unknown, unknown> {
  const parts = Array.isArray(resources) ? resources.filter(isObject) : [];
  return new Map(parts.map(({ batchId, response }) => [batchId, response]));
}
