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
  /** IANA name: its months, and the instants on pages, are there. */
  readonly timeZone: string;
}

/** How the reader of a page stands with the service. */
export type Visitor =
  /** Signed in on a page, or by a token that was pasted there. `person`: the name; null: the token is nobody's. */
  | { readonly kind: 'signed-in'; readonly person: string | null }
  /** There is a session, which nobody has looked at. */
  | { readonly kind: 'with-session' }
  | { readonly kind: 'session-ended' }
  /** The token that the request brought along is not valid. */
  | { readonly kind: 'token-refused' }
  | { readonly kind: 'unknown' };

/** What a writer knows of the request besides what it writes. */
export interface WritingContext {
  readonly language: Language;
  readonly requestId: string;
  /** When the answer was made. */
  readonly readAt: Date;
  /** Absolute, without a slash at its end. */
  readonly baseUrl: string;
  /** `?$format=...&$db=...` where the request named them, else empty: the end of every link in the data. */
  readonly linkSuffix: string;
  /** Path below the base URL and parameters as they came but for the token, for the links of a page that people look at. */
  readonly path: string;
  readonly parameters: readonly QueryParameter[];
  /** The company that the request runs against and all that its token knows; undefined before identity is known. */
  readonly company: Company | undefined;
  readonly companies: readonly Company[];
  /**
   * The newest version of a resource as the reader's duties show it; undefined: they may not read it. Before identity is
   * known, every resource with the fields that need no duty.
   */
  readonly shownTo: (family: ResourceFamily) => Resource | undefined;
  readonly visitor: Visitor;
}

/** Writes a page in one format, in pieces that are a document when put together. Pieces of a list come row by row. */
export interface Writer {
  readonly contentType: string;
  list(page: ListPage, context: WritingContext): Iterable<string>;
  detail(page: DetailPage, context: WritingContext): Iterable<string>;
  /** What there is: the resources, and what tells about the service. */
  index(context: WritingContext): Iterable<string>;
  error(error: ErrorDescription, context: WritingContext): Iterable<string>;
}
