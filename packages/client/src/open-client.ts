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
} from './read-documents.js';
import type { Details, DomainValuesItem, Lists, Metadata, Session } from './resources.js';
import { defaultPolicy, type RetryPolicy } from './retry.js';
import type { Connection } from './send.js';

export interface ClientOptions {
  /** Where the service is, e.g. https://takt.example/erp. */
  readonly baseUrl: string;
  /** An access token, or a function that gives one: called for each attempt, so that it can give another when one expires. */
  readonly token: string | (() => string | Promise<string>);
  /** Code of the company that is asked for; without it the default one of the token. */
  readonly company?: string;
  /** Three-letter code of the language of messages and descriptions; without it English. */
  readonly language?: string;
  readonly retry?: Partial<RetryPolicy>;
  /** Ends all calls of this client at once, where a call has no signal of its own. */
  readonly signal?: AbortSignal;
  /** Instead of the global one. */
  readonly fetch?: typeof fetch;
}

type MetadataOptions = Omit<DetailOptions<'/metadata', undefined>, 'select'>;
type RowOf<Path extends ListPath, Select> = Served<Lists[Path]['object'], Select>;

/** Reads one Takt. A call rejects only for what the program got wrong (TypeError, RangeError); all else is its value. */
export interface TaktClient {
  /** One page of a list. */
  list<Path extends ListPath, const Select extends Selection<Lists[Path]['object']> = undefined>(
    path: Path,
    ...options: Argument<ListOptions<Path, Select>>
  ): Promise<ListResult<RowOf<Path, Select>>>;
  /**
   * Every row of a list, page by page: one is held at a time, and the next is asked for when its first row is. What fails
   * is thrown, as a TaktError: a value that nobody looks at would end the loop as if the list had ended.
   */
  each<Path extends ListPath, const Select extends Selection<Lists[Path]['object']> = undefined>(
    path: Path,
    ...options: Argument<ListOptions<Path, Select>>
  ): AsyncGenerator<RowOf<Path, Select>, void, undefined>;
  /** One object. */
  get<Path extends DetailPath, const Select extends Selection<Details[Path]['object']> = undefined>(
    path: Path,
    ...options: Argument<DetailOptions<Path, Select>>
  ): Promise<DetailResult<Served<Details[Path]['object'], Select>>>;
  /**
   * Up to 20 requests in one, made side by side; those that fail, fail alone. What waits and tries again is the batch: a
   * request in it is not repeated.
   */
  batch<const Requests extends readonly BatchRequest<Result<object>>[]>(
    requests: Requests,
    options?: CommonOptions,
  ): Promise<Result<{ readonly answers: BatchAnswers<Requests> }>>;
  /** What a resource is, as the token may see it: fields, filters, orders and limits of a path. */
  metadata(uri: string, options?: Omit<MetadataOptions, 'uri'>): Promise<DetailResult<Metadata>>;
  /** What the token stands for. */
  session(options?: CommonOptions): Promise<DetailResult<Session>>;
  /** The values that a field can hold, such as those of Product and Status. */
  domainValues(object: string, field: string, options?: CommonOptions): Promise<ListResult<DomainValuesItem>>;
  /** A whole list as a file. */
  download<Path extends ListPath>(path: Path, options: DownloadOptions<Path>): Promise<Result<Download>>;
}

/** Opens a reader; nothing is asked yet. Throws a TypeError for a base URL that is none. */
export function openClient(options: ClientOptions): TaktClient {
  const connection = connectionOf(options);
  const shared = { language: options.language, company: options.company };
  const askedWith = (path: string, asked: CommonOptions = {}): PageRequest => ({
    ...{ connection, path, options: { ...shared, ...asked } },
    signal: asked.signal ?? options.signal,
  });
  const takt: TaktClient = {
    list: (path, ...[asked]) => readList(askedWith(path, asked)),
    async *each(path, ...[asked]) {
      let next = () => readList<never>(askedWith(path, { top: 'max', ...asked } as CommonOptions));
      for (;;) {
        const read = orThrow(await next());
        yield* read.items;
        if (read.next === undefined) return;
        next = read.next;
      }
    },
    get: (path, ...[asked]) => readDetail(askedWith(path, asked)),
    batch: (requests, asked) => readBatch(askedWith('', asked), requests) as Promise<never>,
    metadata: (uri, asked) => takt.get('/metadata', { ...asked, uri }),
    session: (asked) => takt.get('/system/sessions/current', asked),
    domainValues: (object, field, asked) =>
      takt.list('/system/domain-values/applicable-values', { ...asked, object, field }),
    download: (path, asked) => openDownload(askedWith(path, asked)),
  };
  return takt;
}

function connectionOf({ baseUrl, token, retry, fetch = globalThis.fetch }: ClientOptions): Connection {
  const { protocol } = new URL(baseUrl);
  if (!/^https?:$/.test(protocol)) throw new TypeError(`the base URL must begin with http:// or https://`);
  return { baseUrl: baseUrl.replace(/\/+$/, ''), token, fetch, policy: { ...defaultPolicy, ...retry } };
}
