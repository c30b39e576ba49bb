import { type Failure, isObject, type JsonDocument, notJson, type Result, TaktError } from './failure.js';
import type { Paging, Summary } from './resources.js';
import { openDeadline, unlessAborted } from './retry.js';
import { type Connection, failureOf, openBody, readDocument } from './send.js';

/** A page of a list. */
export interface Page<Row> {
  readonly items: readonly Row[];
  readonly paging: Paging;
  /** Totals over all rows of the list; undefined unless they were requested by `expand: ['Summary']`. */
  readonly summary: Summary | undefined;
  /** Reads the next page; undefined on the last page. */
  readonly next: (() => Promise<ListResult<Row>>) | undefined;
}

export type ListResult<Row> = Result<Page<Row>>;

/** The result of reading one object. */
export type DetailResult<Value> = Result<{ readonly value: Value }>;

/** A document, together with the HTTP response that contained it. */
export interface Received {
  readonly document: JsonDocument;
  readonly response: Response;
}

/** The request of a page. It is kept because the next page is requested in the same way. */
export interface PageRequest {
  readonly connection: Connection;
  readonly path: string;
  readonly options: object;
  readonly signal: AbortSignal | undefined;
}

/**
 * Returns the options, with defaults for those that are missing or undefined. A spread would let an undefined option
 * hide its default, such as the company of the client.
 */
export function withDefaults<Options extends object>(defaults: Options, options: Partial<Options>): Options {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(given) };
}

export async function readList<Row>(request: PageRequest): Promise<ListResult<Row>> {
  const { connection, path, options, signal } = request;
  const read = await readDocument(connection, addressOf(path, options), signal);
  return read.ok ? pageOf(request, read) : read;
}

export async function readDetail<Value>(request: PageRequest): Promise<DetailResult<Value>> {
  const { connection, path, options, signal } = request;
  const read = await readDocument(connection, addressOf(path, options), signal);
  return read.ok ? detailOf(read) : read;
}

/** Reads the requested page from a document. */
export function pageOf<Row>(request: PageRequest, received: Received): ListResult<Row> {
  const list = listIn<Row>(received.document);
  if (list === undefined) return unlike(received);
  const pageKey = nextKey(list.paging);
  const next = () => readList<Row>({ ...request, options: { ...request.options, pageKey } });
  return { ok: true, ...list, next: pageKey === undefined ? undefined : next };
}

/** Reads the object from a document. */
export function detailOf<Value>(received: Received): DetailResult<Value> {
  const value = objectIn<Value>(received.document);
  return value === undefined ? unlike(received) : { ok: true, value };
}

/** Finds the rows in a document. They are next to the paging, under the name of the list. */
function listIn<Row>({
  paging,
  summary,
  ...others
}: JsonDocument): Pick<Page<Row>, 'items' | 'paging' | 'summary'> | undefined {
  const items = Object.values(others).find(Array.isArray);
  return items === undefined || !isObject(paging)
    ? undefined
    : { items, paging: paging as unknown as Paging, summary: summary as Summary | undefined };
}

/** Finds the object in a document. It is the only part of the document, under its name. */
function objectIn<Value>(document: JsonDocument): Value | undefined {
  const [value, ...others] = Object.values(document);
  return isObject(value) && others.length === 0 ? (value as Value) : undefined;
}

/**
 * Returns the key of the next page. Only the key is taken from the link, because the service may use another address
 * for itself, and that address must not receive the token of this client.
 */
function nextKey({ nextPage }: Paging): string | undefined {
  if (nextPage === null) return undefined;
  return new URL(nextPage).searchParams.get('$pageKey') ?? undefined;
}

/** Returns the failure for a document that does not have the expected form. */
export function unlike({ response, document }: Received): { readonly ok: false; readonly error: Failure } {
  return { ok: false, error: notJson(response, JSON.stringify(document)) };
}

/** For each option, the function that writes its query parameter. */
const parameters: Readonly<Record<string, (value: unknown) => readonly [name: string, value: string]>> = {
  filter: (value) => ['$filter', String(value)],
  orderBy: (value) => ['$orderby', [value].flat().join(',')],
  search: (value) => ['search', String(value)],
  top: (value) => ['$top', value === 'max' ? '$max' : String(value)],
  pageKey: (value) => ['$pageKey', String(value)],
  count: (value) => ['$inlinecount', value === true ? 'allpages' : 'none'],
  expand: (value) => ['$expand', [value].flat().join(',')],
  select: (value) => ['$select', [value].flat().join(',')],
  descriptions: (value) => ['$showDomainDescriptions', String(value)],
  language: (value) => ['$lang', String(value)],
  company: (value) => ['$db', String(value)],
  format: (value) => ['$format', String(value)],
  decimal: (value) => ['$decimal', String(value)],
  // These parameters belong to single resources.
  field: (value) => ['field', String(value)],
  object: (value) => ['object', String(value)],
  uri: (value) => ['uri', String(value)],
  verb: (value) => ['verb', String(value)],
  kind: (value) => ['kind', String(value)],
  from: (value) => ['from', String(value)],
  to: (value) => ['to', String(value)],
  compareFrom: (value) => ['compareFrom', String(value)],
  compareTo: (value) => ['compareTo', String(value)],
};

/**
 * Returns the address of a request, relative to the address of the service. Throws a TypeError for an unknown option,
 * because ignoring a misspelt option would silently change the request. Also throws a TypeError if an identifier of the
 * path is missing.
 */
export function addressOf(path: string, options: object): string {
  const given = new Map<string, unknown>(Object.entries(options));
  given.delete('signal');
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const identifier = given.get(name);
    if (identifier === undefined) throw new TypeError(`${path} needs ${name}`);
    given.delete(name);
    return encodeURIComponent(String(identifier));
  });
  const query = new URLSearchParams();
  for (const [name, value] of given) {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
    if (parameter === undefined) throw new TypeError(`there is no option ${name}`);
    if (value !== undefined) query.append(...parameter(value));
  }
  const text = query.toString();
  return text === '' ? filled : `${filled}?${text}`;
}

/** A list that is downloaded as a file. */
export interface Download {
  /**
   * The bytes of the file. The stream fails with a TaktError if the rest does not arrive, so the file is complete only
   * at the end of the stream.
   */
  readonly body: ReadableStream<Uint8Array>;
  readonly contentType: string;
  /** Name that the service suggests for the file; undefined if it suggests none. */
  readonly fileName: string | undefined;
}

/** Starts a download. The download is retried only if no byte has arrived yet. */
export async function openDownload({
  connection,
  path,
  options,
  signal,
}: PageRequest): Promise<Result<Download>> {
  const result = await openBody(connection, addressOf(path, options), signal);
  if (!result.ok) return result;
  const { headers } = result.response;
  return {
    ok: true,
    body: withDeadlines(result.body, connection.policy.timeoutMs, signal),
    contentType: headers.get('content-type') ?? '',
    fileName: /filename="([^"]*)"/.exec(headers.get('content-disposition') ?? '')?.[1],
  };
}

/** Returns a stream of the same bytes with a deadline for each piece. A late piece ends the stream with an error. */
function withDeadlines(
  body: ReadableStream<Uint8Array>,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const deadline = openDeadline(signal, timeoutMs);
    try {
      const { done, value } = await unlessAborted(reader.read(), deadline.signal);
      if (done) {
        controller.close();
      } else {
        controller.enqueue(value);
      }
    } catch (cause) {
      controller.error(new TaktError(failureOf(cause, deadline, timeoutMs, signal)));
      reader.cancel(cause).catch(() => undefined);
    } finally {
      deadline.release();
    }
  };
  return new ReadableStream({ pull, cancel: (reason) => reader.cancel(reason) }, { highWaterMark: 0 });
}
