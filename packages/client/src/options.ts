import type { Filter } from './filter.js';
import type { Details, Lists } from './resources.js';

/** The path of a list, as the index of the service shows it. */
export type ListPath = keyof Lists;

/** The path of a single object, as the index of the service shows it. */
export type DetailPath = keyof Details;

/** The identifiers in a path. Their names are the names in braces. */
export type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Key in Name]: number } & PathParameters<Rest>
  : unknown;

/** Parameters that only one resource has, such as the object and the field for domain values. */
type OwnParameters<Resource> = Resource extends { readonly parameters: infer Parameters }
  ? Parameters
  : unknown;

/** The options that every request has. */
export interface CommonOptions {
  /** Three-letter code of the language, such as deu. It overrides the language of the client. */
  readonly language?: string;
  /** Code of the company. It overrides the company of the client. */
  readonly company?: string;
  /** If true, the meanings of domain values are added, such as `statusDescription` next to `status`. */
  readonly descriptions?: boolean;
  /** Aborts the call at once, even while the call waits for a retry. */
  readonly signal?: AbortSignal;
}

/** The dotted path of a field or group of an object. */
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

/** An object that has only these fields and groups. */
export type Selected<Item, Name extends string> = Item extends object
  ? {
      [Key in keyof Item as Key extends FirstOf<Name> ? Key : never]: Key extends Name
        ? Item[Key]
        : Selected<Item[Key], BelowOf<Name, Key & string>>;
    }
  : Item;

/** The names that are given to `select`. Undefined selects everything. */
export type Selection<Item> = readonly SelectName<Item>[] | undefined;

/** The type of what the service returns: the whole item, or only the selected part. */
export type Served<Item, Select> = Select extends readonly (infer Name extends string)[]
  ? Selected<Item, Name>
  : Item;

interface ResourceOptions<Resource extends { readonly object: object; readonly expand: string }, Select> {
  /** Names of parts that are served only on request. */
  readonly expand?: readonly Resource['expand'][];
  /**
   * The fields and groups to serve. Parts requested by `expand` are served too, but they have a type only if they are
   * named here.
   */
  readonly select?: Select;
}

type OrderOf<Field extends string> = Field | `${Field} asc` | `${Field} desc`;

/** Options that select and sort the rows of a list. */
interface RowOptions<Path extends ListPath> {
  /**
   * Only rows that meet this condition are served; see `filter`. A string is sent unchanged, so never put values into a
   * string.
   */
  readonly filter?: Filter | string;
  /**
   * Up to 4 fields by which the rows are sorted. By default the rows are sorted by identifier. This is the only order
   * in which paging finds every row despite concurrent changes.
   */
  readonly orderBy?: OrderOf<Lists[Path]['order']> | readonly OrderOf<Lists[Path]['order']>[];
  /** Only rows that contain all of these words are served. */
  readonly search?: Lists[Path]['search'];
}

interface PageOptions {
  /** Number of rows per page. 'max' means as many rows as the service allows. */
  readonly top?: number | 'max';
  /** If true, the rows are counted and `paging.size` has their number. */
  readonly count?: boolean;
  /**
   * Key of the page to read. It comes from `paging`, which contains keys if `expand: ['PagingDetails']` was requested.
   */
  readonly pageKey?: string;
}

/** The identifiers in the path of a list, and the options of the request. */
export type ListOptions<Path extends ListPath, Select> = PathParameters<Path> &
  OwnParameters<Lists[Path]> &
  CommonOptions &
  RowOptions<Path> &
  PageOptions &
  ResourceOptions<Lists[Path], Select>;

/** The identifiers in the path of an object, and the options of the request. */
export type DetailOptions<Path extends DetailPath, Select> = PathParameters<Path> &
  OwnParameters<Details[Path]> &
  CommonOptions &
  ResourceOptions<Details[Path], Select>;

/** The identifiers in the path of a list, and the options for a file. */
export type DownloadOptions<Path extends ListPath> = PathParameters<Path> &
  OwnParameters<Lists[Path]> &
  CommonOptions &
  RowOptions<Path> &
  ResourceOptions<Lists[Path], Selection<Lists[Path]['object']>> & {
    readonly format: 'csv' | 'xlsx';
    /** The decimal separator, only for csv. With a decimal comma, fields are separated by semicolons. */
    readonly decimal?: 'comma' | 'point';
  };

/** The type of an argument. The argument is optional if all its properties are optional. */
export type Argument<Options> = unknown extends Options
  ? [options?: Options]
  : object extends Options
    ? [options?: Options]
    : [options: Options];
