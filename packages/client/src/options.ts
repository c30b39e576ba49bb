import type { Filter } from './filter.js';
import type { Details, Lists } from './resources.js';

/** The path of a list, as in the service's index. */
export type ListPath = keyof Lists;

/** The path of a single object. */
export type DetailPath = keyof Details;

/** The identifiers in a path, by the names in braces. */
export type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Key in Name]: number } & PathParameters<Rest>
  : unknown;

/** Parameters that only one resource has, such as the object and field of domain values. */
type OwnParameters<Resource> = Resource extends { readonly parameters: infer Parameters }
  ? Parameters
  : unknown;

/** Options of every request. */
export interface CommonOptions {
  /** Overrides the client's language: a three-letter code, such as deu. */
  readonly language?: string;
  /** Overrides the client's company. */
  readonly company?: string;
  /** Adds the meanings of domain values, as `statusDescription` next to `status`. */
  readonly descriptions?: boolean;
  /** Aborts the call at once, also while it waits for a retry. */
  readonly signal?: AbortSignal;
}

/** Fields and groups of an object by their dotted path. */
export type SelectName<Item> = {
  [Name in keyof Item & string]-?: NonNullable<Item[Name]> extends readonly unknown[]
    ? Name
    : NonNullable<Item[Name]> extends object
      ? Name | `${Name}.${SelectName<NonNullable<Item[Name]>>}`
      : Name;
}[keyof Item & string];

type FirstOf<Name extends string> = Name extends `${infer First}.${string}` ? First : Name;
type BelowOf<Name extends string, First extends string> = Name extends `${First}.${infer Below}`
  ? Below
  : never;

/** An object with only these fields and groups. */
export type Selected<Item, Name extends string> = Item extends object
  ? {
      [Key in keyof Item as Key extends FirstOf<Name> ? Key : never]: Key extends Name
        ? Item[Key]
        : Selected<Item[Key], BelowOf<Name, Key & string>>;
    }
  : Item;

/** The names given to `select`; undefined: everything. */
export type Selection<Item> = readonly SelectName<Item>[] | undefined;

/** The served type: the whole item, or the selected part. */
export type Served<Item, Select> = Select extends readonly (infer Name extends string)[]
  ? Selected<Item, Name>
  : Item;

interface ResourceOptions<Resource extends { readonly object: object; readonly expand: string }, Select> {
  /** Adds parts that are served on request only. */
  readonly expand?: readonly Resource['expand'][];
  /** Serves only these fields and groups. Expanded parts are served too, but have a type only if named here. */
  readonly select?: Select;
}

type OrderOf<Field extends string> = Field | `${Field} asc` | `${Field} desc`;

/** Selects and sorts the rows of a list. */
interface RowOptions<Path extends ListPath> {
  /** Serves only rows that meet this condition; see `filter`. A string is sent unchanged: never put values into it. */
  readonly filter?: Filter | string;
  /**
   * Up to 4 fields. Default: by identifier, the only order in which paging finds every row despite concurrent changes.
   */
  readonly orderBy?: OrderOf<Lists[Path]['order']> | readonly OrderOf<Lists[Path]['order']>[];
  /** Serves only rows that contain all of these words. */
  readonly search?: Lists[Path]['search'];
}

interface PageOptions {
  /** Rows per page; 'max': as many as the service allows. */
  readonly top?: number | 'max';
  /** Counts the rows, for `paging.size`. */
  readonly count?: boolean;
  /** Key of the page to read, from `paging`, which contains keys with `expand: ['PagingDetails']`. */
  readonly pageKey?: string;
}

/** Identifiers of a list's path, and options. */
export type ListOptions<Path extends ListPath, Select> = PathParameters<Path> &
  OwnParameters<Lists[Path]> &
  CommonOptions &
  RowOptions<Path> &
  PageOptions &
  ResourceOptions<Lists[Path], Select>;

/** Identifiers of an object's path, and options. */
export type DetailOptions<Path extends DetailPath, Select> = PathParameters<Path> &
  OwnParameters<Details[Path]> &
  CommonOptions &
  ResourceOptions<Details[Path], Select>;

/** Identifiers of a list's path, and options for a file. */
export type DownloadOptions<Path extends ListPath> = PathParameters<Path> &
  OwnParameters<Lists[Path]> &
  CommonOptions &
  RowOptions<Path> &
  ResourceOptions<Lists[Path], Selection<Lists[Path]['object']>> & {
    readonly format: 'csv' | 'xlsx';
    /** A decimal comma comes with semicolons as separators; only for csv. */
    readonly decimal?: 'comma' | 'point';
  };

/** An argument that is optional if all its properties are. */
export type Argument<Options> = unknown extends Options
  ? [options?: Options]
  : object extends Options
    ? [options?: Options]
    : [options: Options];
