import type { ErrorDescription } from '@takt/catalogue/errors';
import type { Resource, ResourceFamily } from '@takt/catalogue/resources';
import type { Duty, Rights } from '@takt/catalogue/rights';
import type { QueryParameter } from '@takt/query';
import type { Language, TimeUnit } from '@takt/texts';
import type { DetailPage, ListPage } from '../sql/result.js';

export type * from '../plan/outline.js';
export type {
  DetailPage,
  ListPage,
  PageLink,
  PageParts,
  Paging,
  Totals,
} from '../sql/result.js';

export interface Company {
  readonly companyId: number;
  readonly code: string;
  readonly name: string;
  /**
   * IANA name of the company's time zone. It determines when the company's months start and end, and the local time of
   * instants on pages.
   */
  readonly timeZone: string;
  /** In which pages show the time of an operation, unless the reader chooses another unit. */
  readonly timeUnit: TimeUnit;
}

/** The state of a page's reader: signed in or not, as far as this is known. */
export type Visitor =
  /**
   * The reader has signed in on a page, or has pasted a token. `person` is the name of the person; null if the token
   * belongs to no person.
   */
  | { readonly kind: 'signed-in'; readonly person: string | null; readonly duties: Rights<Duty> }
  /** The request has a session, but it was not checked whether the session is valid. */
  | { readonly kind: 'with-session' }
  | { readonly kind: 'session-ended' }
  /** The token in the request is not valid. */
  | { readonly kind: 'token-refused' }
  | { readonly kind: 'unknown' };

export interface WritingContext {
  readonly language: Language;
  /** The unit in which a page shows the time of an operation. */
  readonly timeUnit: TimeUnit;
  readonly requestId: string;
  /** The time at which the answer was made. */
  readonly readAt: Date;
  /** Base URL of all links. It is absolute and has no trailing slash. */
  readonly baseUrl: string;
  /**
   * Returns the text at the end of the links in the data to a path. It keeps the parameters of the request that such
   * links must keep, as in `?$format=...&$db=...`; empty if there are none.
   */
  readonly linkSuffix: (path: string) => string;
  /**
   * The path of the request below the base URL, and the parameters as they were received, without the token. Pages use
   * both to make links.
   */
  readonly path: string;
  readonly parameters: readonly QueryParameter[];
  /** The identifiers in the path, by the name of their place in it. */
  readonly pathParameters: Readonly<Record<string, string>>;
  /**
   * The company of the request, and then all companies of its token. Before authentication they are unknown, so the
   * company is undefined.
   */
  readonly company: Company | undefined;
  readonly companies: readonly Company[];
  /**
   * Returns the newest version of a resource, with only the fields that the reader may see. Returns undefined if the
   * reader may not read the resource. Before authentication, it returns every resource with its public fields.
   */
  readonly shownTo: (family: ResourceFamily) => Resource | undefined;
  readonly visitor: Visitor;
}

/** Writes documents in one format. A document is yielded in pieces; a list yields a piece for each row. */
export interface Writer {
  readonly contentType: string;
  list(page: ListPage, context: WritingContext): Iterable<string>;
  detail(page: DetailPage, context: WritingContext): Iterable<string>;
  /** Writes the index, which lists the resources and the documents about the service. */
  index(context: WritingContext): Iterable<string>;
  error(error: ErrorDescription, context: WritingContext): Iterable<string>;
}
