import type { FilterExpression } from './filter-expression.js';
import type { ExpandItem, OrderItem, SelectItem } from './parse-lists.js';

export const formats = Object.freeze(['json', 'jsonstream', 'xml', 'html'] as const);

export type Format = (typeof formats)[number];

/** Beyond the specification: formats of a whole list, as a file for spreadsheets and other programs. */
export const exportFormats = Object.freeze(['csv', 'xlsx'] as const);

export type ExportFormat = (typeof exportFormats)[number];

/** The sign before the decimals of a number. */
export const decimalSigns = Object.freeze(['point', 'comma'] as const);

export type DecimalSign = (typeof decimalSigns)[number];

/** A parameter that few resources take, under a name without `$`. */
export interface OwnParameter {
  /** As errors call it. Clients may write it in any case. */
  readonly name: string;
  readonly isRequired: boolean;
  /** All that it may be beside the values of those before it, which are taken in any case; absent: any text. */
  readonly known?: ((before: ReadonlyMap<string, string>) => readonly string[]) | undefined;
}

/** What a resource takes. The page sizes, in rows, matter for lists only. */
export interface Acceptance {
  readonly kind: 'list' | 'detail';
  /** Beside those that mean the same everywhere; absent: none. */
  readonly own?: readonly OwnParameter[];
  /** Whether `search` means something; where it does not, it is ignored. */
  readonly takesSearch: boolean;
  /** What a list is where `$format` is not named; absent: a document. */
  readonly acceptedExport?: ExportFormat | undefined;
  readonly defaultPageSize: number;
  readonly maximumPageSize: number;
}

/** What a client asks for. Names of fields, languages and companies are as written: not looked up anywhere yet. */
export interface QueryOptions {
  readonly format: Format | ExportFormat | undefined;
  /** Only with the format csv. */
  readonly decimal: DecimalSign;
  /** In lower case; unknown languages and other text included. */
  readonly language: string | undefined;
  readonly database: string | undefined;
  /** 0 to 1,000,000. */
  readonly useMinimumVersion: number | undefined;
  readonly showDomainDescriptions: boolean;
  /** Undefined: all fields. */
  readonly select: readonly SelectItem[] | undefined;
  readonly expand: readonly ExpandItem[];
  /** Rows of a page: 1 to the maximum of the resource. */
  readonly top: number;
  /** Rows to leave out: 0 to 10,000; only without a page key. */
  readonly skip: number;
  /** Not empty. */
  readonly pageKey: string | undefined;
  readonly countAll: boolean;
  readonly filter: { readonly text: string; readonly expression: FilterExpression } | undefined;
  readonly orderBy: { readonly text: string; readonly items: readonly OrderItem[] } | undefined;
  /** Words to find: at most 20, none empty. */
  readonly search: readonly string[];
  /** What the resource takes besides, by name and, where it is known, as its definition writes it; none is blank. */
  readonly own: ReadonlyMap<string, string>;
}
