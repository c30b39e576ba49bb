import { type BatchAnswers, type BatchRequest, readBatch } from './batch.js';
import { orThrow, type Result } from './failure.js';
import type {
  Argument,
  CommonOptions,
  DetailOptions,
  DetailPath,
  DownloadOptions,
  ListOptions,
  ListPath,
  Selection,
  Served,
} from './options.js';
import {
  type DetailResult,
  type Download,
  type ListResult,
  openDownload,
  type PageRequest,
  readDetail,
  readList,
  withDefaults,
} from './read-documents.js';
import type { Details, DomainValuesItem, Lists, Metadata, Session } from './resources.js';
import { defaultPolicy, type RetryPolicy } from './retry.js';
import type { Connection } from './send.js';

export interface ClientOptions {
  /** Address of the service, e.g. https://takt.example/erp. */
  readonly baseUrl: string;
  /**
   * An access token, or a function that returns one. The function is called for each attempt, so it can replace an
   * expired token.
   */
  readonly token: string | (() => string | Promise<string>);
  /** Code of the company. By default it is the company of the token. */
  readonly company?: string;
  /** Three-letter code of the language for messages and descriptions. Default English. */
  readonly language?: string;
  readonly retry?: Partial<RetryPolicy>;
  /** Aborts all calls of this client that have no signal of their own. */
  readonly signal?: AbortSignal;
  /** A function that is used instead of the global fetch. */
  readonly fetch?: typeof fetch;
}

type MetadataOptions = Omit<DetailOptions<'/metadata', undefined>, 'select'>;
type RowOf<Path extends ListPath, Select> = Served<Lists[Path]['object'], Select>;

/**
 * Reads from one Takt service. A call rejects only for a mistake of the program (TypeError, RangeError). All other
 * failures are returned as the result of the call.
 */
export interface TaktClient {
  /** Reads one page of a list. */
  list<Path extends ListPath, const Select extends Selection<Lists[Path]['object']> = undefined>(
    path: Path,
    ...options: Argument<ListOptions<Path, Select>>
  ): Promise<ListResult<RowOf<Path, Select>>>;
  /**
   * Iterates over all rows of a list. Only one page is in memory, and the next page is requested when the first row of
   * the current page is used. A failure is thrown as a TaktError, because a returned failure would look like the end of
   * the list.
   */
  each<Path extends ListPath, const Select extends Selection<Lists[Path]['object']> = undefined>(
    path: Path,
    ...options: Argument<ListOptions<Path, Select>>
  ): AsyncGenerator<RowOf<Path, Select>, void, undefined>;
  /** Reads one object. */
  get<Path extends DetailPath, const Select extends Selection<Details[Path]['object']> = undefined>(
    path: Path,
    ...options: Argument<DetailOptions<Path, Select>>
  ): Promise<DetailResult<Served<Details[Path]['object'], Select>>>;
  /**
   * Sends up to 20 requests as one. The service runs the requests side by side, and each of them succeeds or fails
   * alone. Only the whole batch is retried.
   */
  batch<const Requests extends readonly BatchRequest<Result<object>>[]>(
    requests: Requests,
    options?: CommonOptions,
  ): Promise<Result<{ readonly answers: BatchAnswers<Requests> }>>;
  /** Describes the resource at a path as the token may use it: its fields, filters, orders and limits. */
  metadata(uri: string, options?: Omit<MetadataOptions, 'uri'>): Promise<DetailResult<Metadata>>;
  /** Reads the identity and the rights of the token. */
  session(options?: CommonOptions): Promise<DetailResult<Session>>;
  /** Reads the values that a field can have, such as the values of the field Status of the object Product. */
  domainValues(object: string, field: string, options?: CommonOptions): Promise<ListResult<DomainValuesItem>>;
  /** Downloads a whole list as a file. */
  download<Path extends ListPath>(path: Path, options: DownloadOptions<Path>): Promise<Result<Download>>;
}

/**
 * Creates a client without sending a request. Throws a TypeError if the base URL is invalid, and a RangeError if a limit
 * for retries is.
 */
export function openClient(options: ClientOptions): TaktClient {
  const connection = connectionOf(options);
  const shared = { language: options.language, company: options.company };
  const requestOf = (path: string, callOptions: CommonOptions = {}): PageRequest => ({
    connection,
    path,
    options: withDefaults(shared, callOptions),
    signal: callOptions.signal ?? options.signal,
  });
  const takt: TaktClient = {
    list: (path, ...[callOptions]) => readList(requestOf(path, callOptions)),
    async *each(path, ...[callOptions]) {
      let next = () => readList<never>(requestOf(path, { top: 'max', ...callOptions } as CommonOptions));
      for (;;) {
        const read = orThrow(await next());
        yield* read.items;
        if (read.next === undefined) return;
        next = read.next;
      }
    },
    get: (path, ...[callOptions]) => readDetail(requestOf(path, callOptions)),
    batch: (requests, callOptions) => readBatch(requestOf('', callOptions), requests) as Promise<never>,
    metadata: (uri, callOptions) => takt.get('/metadata', { ...callOptions, uri }),
    session: (callOptions) => takt.get('/system/sessions/current', callOptions),
    domainValues: (object, field, callOptions) =>
      takt.list('/system/domain-values/applicable-values', { ...callOptions, object, field }),
    download: (path, callOptions) => openDownload(requestOf(path, callOptions)),
  };
  return takt;
}

function connectionOf({ baseUrl, token, retry, fetch = globalThis.fetch }: ClientOptions): Connection {
  const { protocol, username, password } = new URL(baseUrl);
  if (!/^https?:$/.test(protocol)) throw new TypeError('baseUrl must begin with http:// or https://');
  // Fetch refuses such a URL, with an error that shows the password.
  if (username !== '' || password !== '') throw new TypeError('baseUrl must hold no user and no password');
  return { baseUrl: baseUrl.replace(/\/+$/, ''), token, fetch, policy: policyOf(retry) };
}

/** Completes the limits for retries. Throws a RangeError for a limit that is not a number above 0. */
function policyOf(retry: Partial<RetryPolicy> = {}): RetryPolicy {
  const policy = withDefaults(defaultPolicy, retry);
  for (const [name, limit] of Object.entries(policy)) {
    const isWhole = name !== 'attempts' || Number.isInteger(limit);
    if (!(limit > 0 && isWhole)) throw new RangeError(`retry.${name} must be a number above 0, not ${limit}`);
  }
  return policy;
}
