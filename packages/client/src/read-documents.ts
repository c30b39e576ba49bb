import { addressOf } from './address.js';
import type { Failure, Result } from './failure.js';
import { isObject, type JsonDocument, notJson } from './read-answer.js';
import type { Paging } from './resources.js';
import { type Connection, readDocument } from './send.js';

/** A page of a list. */
export interface Page<Row> {
  readonly items: readonly Row[];
  readonly paging: Paging;
  /** Reads the next page; undefined on the last one. */
  readonly next: (() => Promise<ListResult<Row>>) | undefined;
}

export type ListResult<Row> = Result<Page<Row>>;

/** One object. */
export type DetailResult<Value> = Result<{ readonly value: Value }>;

/** A document of the service, with the answer that it came in. */
export interface Received {
  readonly document: JsonDocument;
  readonly response: Response;
}

/** What a page was asked with: the next one is asked in the same way. */
export interface Asked {
  readonly connection: Connection;
  readonly path: string;
  readonly options: object;
  readonly signal: AbortSignal | undefined;
}

/** Reads a page of a list. */
export async function readList<Row>(asked: Asked): Promise<ListResult<Row>> {
  const { connection, path, options, signal } = asked;
  const read = await readDocument(connection, addressOf(path, options), signal);
  return read.ok ? pageOf(asked, read) : read;
}

/** Reads one object. */
export async function readDetail<Value>(asked: Asked): Promise<DetailResult<Value>> {
  const { connection, path, options, signal } = asked;
  const read = await readDocument(connection, addressOf(path, options), signal);
  return read.ok ? detailOf(read) : read;
}

/** The page in a document that was asked for. */
export function pageOf<Row>(asked: Asked, received: Received): ListResult<Row> {
  const list = listIn<Row>(received.document);
  if (list === undefined) return unlike(received);
  const pageKey = nextKey(list.paging);
  const next = () => readList<Row>({ ...asked, options: { ...asked.options, pageKey } });
  return { ok: true, ...list, next: pageKey === undefined ? undefined : next };
}

/** The object in a document. */
export function detailOf<Value>(received: Received): DetailResult<Value> {
  const value = objectIn<Value>(received.document);
  return value === undefined ? unlike(received) : { ok: true, value };
}

/** The rows of a list stand beside its paging, under a name of their own. */
function listIn<Row>({
  paging,
  ...others
}: JsonDocument): { readonly items: readonly Row[]; readonly paging: Paging } | undefined {
  const items = Object.values(others).find(Array.isArray);
  return items === undefined || !isObject(paging)
    ? undefined
    : { items, paging: paging as unknown as Paging };
}

/** An object stands alone, under its name. */
function objectIn<Value>(document: JsonDocument): Value | undefined {
  const [value, ...others] = Object.values(document);
  return isObject(value) && others.length === 0 ? (value as Value) : undefined;
}

/**
 * Of the link to the next page its key alone: a link begins with the address that the service believes to have, where the
 * token of this client may have no business.
 */
function nextKey({ nextPage }: Paging): string | undefined {
  if (nextPage === null) return undefined;
  return new URL(nextPage).searchParams.get('$pageKey') ?? undefined;
}

/** What something else than was asked for is told as. */
export function unlike({ response, document }: Received): { readonly ok: false; readonly error: Failure } {
  return { ok: false, error: notJson(response, JSON.stringify(document)) };
}
