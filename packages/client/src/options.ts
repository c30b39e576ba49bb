import type { Filter } from './filter.js';
import type { Details, Lists } from './resources.js';

/** The path of a list, as the service's index has it. */
export type ListPath = keyof Lists;

/** The path of an object that is read alone. */
export type DetailPath = keyof Details;

/** The identifiers in a path: what {name} stands for. */
export type PathParameters<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Key in Name]: number } & PathParameters<Rest>
  : unknown;

/** What is asked with one resource alone, such as the object and field of domain values. */
type OwnParameters<Resource> = Resource extends { readonly parameters: infer Parameters }
  ? Parameters
  : unknown;

/** What every request can say. */
export interface CommonOptions {
  /** Three-letter code of the language of messages and descriptions, such as deu; instead of the client's. */
  readonly language?: string;
  /** Code of the company that is asked for; instead of the client's. */
  readonly company?: string;
  /** Adds what domain values mean, as `statusDescription` beside `status`. */
  readonly descriptions?: boolean;
  /** Ends the call at once, also while it waits to try again. */
  readonly signal?: AbortSignal;
}

/** Fields and groups of an object by their path, with dots. */
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

/** An object of which only these fields and groups are served. */
export type Selected<Item, Name extends string> = Item extends object
  ? {
      [Key in keyof Item as Key extends FirstOf<Name> ? Key : never]: Key extends Name
        ? Item[Key]
        : Selected<Item[Key], BelowOf<Name, Key & string>>;
    }
  : Item;

/** The names given to `select`; undefined where all is served. */
export type Selection<Item> = readonly SelectName<Item>[] | undefined;

/** What is served: all of the item, or what was selected. */
export type Served<Item, Select> = Select extends readonly (infer Name extends string)[]
  ? Selected<Item, Name>
  : Item;

interface ResourceOptions<Resource extends { readonly object: object; readonly expand: string }, Select> {
  /** What is served on request only. */
  readonly expand?: readonly Resource['expand'][];
  /** Serves these fields and groups alone; what is expanded comes along, but has a type only where it is named here. */
  readonly select?: Select;
}

type OrderOf<Field extends string> = Field | `${Field} asc` | `${Field} desc`;

/** Which rows of a list, and in which order. */
interface RowOptions<Path extends ListPath> {
  /** Serves only rows for which this is true; see `filter`. A plain text is taken as it is: never put values into one. */
  readonly filter?: Filter | string;
  /** Up to 4 fields. Without it: by identifier, the one order in which a walk meets every row whatever is changed. */
  readonly orderBy?: OrderOf<Lists[Path]['order']> | readonly OrderOf<Lists[Path]['order']>[];
  /** Serves only rows in which every one of these words occurs. */
  readonly search?: Lists[Path]['search'];
}

interface PageOptions {
  /** Rows a page; 'max': as many as the service gives. */
  readonly top?: number | 'max';
  /** Tells how many rows there are, as `paging.size`. */
  readonly count?: boolean;
  /** Where to go on: a key of `paging`, which has them with `expand: ['PagingDetails']`. */
  readonly pageKey?: string;
}

/** What a list is asked with: identifiers of its path and options. */
export type ListOptions<Path extends ListPath, Select> = PathParameters<Path> &
  OwnParameters<Lists[Path]> &
  CommonOptions &
  RowOptions<Path> &
  PageOptions &
  ResourceOptions<Lists[Path], Select>;

/** What an object is asked for with. */
export type DetailOptions<Path extends DetailPath, Select> = PathParameters<Path> &
  OwnParameters<Details[Path]> &
  CommonOptions &
  ResourceOptions<Details[Path], Select>;

/** What a file of a whole list is asked for with. */
export type DownloadOptions<Path extends ListPath> = PathParameters<Path> &
  OwnParameters<Lists[Path]> &
  CommonOptions &
  RowOptions<Path> &
  ResourceOptions<Lists[Path], Selection<Lists[Path]['object']>> & {
    readonly format: 'csv' | 'xlsx';
    /** Decimal commas and semicolons, of csv alone. */
    readonly decimal?: 'comma' | 'point';
  };

/** An argument that may be left out where all in it may. */
export type Argument<Options> = unknown extends Options
  ? [options?: Options]
  : object extends Options
    ? [options?: Options]
    : [options: Options];
