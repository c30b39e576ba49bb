import type { ErrorDescription } from '@takt/catalogue/errors';
import type { Resource, ResourceFamily } from '@takt/catalogue/resources';
import type { QueryParameter } from '@takt/query';
import type { Language } from '@takt/texts';
import type { DetailPage, ListPage } from '../query/result.js';

export type * from '../query/outline.js';
export type {
  DetailPage,
  ListPage,
  OpenedPage,
  PageLink,
  Paging,
  ParentPage,
  Totals,
} from '../query/result.js';

export interface Company {
  readonly companyId: number;
  readonly code: string;
  readonly name: string;
  /** IANA name of the time zone that determines the company's months, and the local time of instants on pages. */
  readonly timeZone: string;
}

/** The sign-in state of a page's reader. */
export type Visitor =
  /** Signed in on a page, or with a pasted token. `person`: the name; null: the token has no person. */
  | { readonly kind: 'signed-in'; readonly person: string | null }
  /** There is a session that was not checked. */
  | { readonly kind: 'with-session' }
  | { readonly kind: 'session-ended' }
  /** The request's token is not valid. */
  | { readonly kind: 'token-refused' }
  | { readonly kind: 'unknown' };

export interface WritingContext {
  readonly language: Language;
  readonly requestId: string;
  /** The time at which the answer was made. */
  readonly readAt: Date;
  /** Absolute, without a trailing slash. */
  readonly baseUrl: string;
  /** The end of all links in the data: `?$format=...&$db=...` if the request had these parameters, otherwise empty. */
  readonly linkSuffix: string;
  /**
   * The request's path below the base URL and its parameters as received, without the token. Pages use them in links.
   */
  readonly path: string;
  readonly parameters: readonly QueryParameter[];
  /** The request's company, and all companies of its token; undefined before authentication. */
  readonly company: Company | undefined;
  readonly companies: readonly Company[];
  /**
   * Returns the newest version of a resource with the fields that the reader may see; undefined if the reader may not
   * read it. Before authentication, returns every resource with its public fields.
   */
  readonly shownTo: (family: ResourceFamily) => Resource | undefined;
  readonly visitor: Visitor;
}

/** Writes documents in one format, in pieces. A list yields a piece per row. */
export interface Writer {
  readonly contentType: string;
  list(page: ListPage, context: WritingContext): Iterable<string>;
  detail(page: DetailPage, context: WritingContext): Iterable<string>;
  /** The index: the resources, and the documents about the service. */
  index(context: WritingContext): Iterable<string>;
  error(error: ErrorDescription, context: WritingContext): Iterable<string>;
}
