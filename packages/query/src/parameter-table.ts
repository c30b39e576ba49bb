import { excerpt, lowerAscii } from './characters.js';
import type { FilterExpression } from './filter-expression.js';
import { limits } from './limits.js';
import { parseFilter } from './parse-filter.js';
import {
  type ExpandItem,
  type OrderItem,
  parseExpand,
  parseOrderBy,
  parseSelect,
  type SelectItem,
} from './parse-lists.js';
import { type ErrorWord, phrase, QueryOptionError, quote } from './query-option-error.js';
import { expressionTooLarge } from './tokens.js';

export const formats = Object.freeze(['json', 'jsonstream', 'xml', 'html'] as const);

export type Format = (typeof formats)[number];

/** Formats of a whole list, as a file for spreadsheets and other programs. Beyond the specification. */
export const exportFormats = Object.freeze(['csv', 'xlsx'] as const);

export type ExportFormat = (typeof exportFormats)[number];

/** The decimal separator of numbers. */
export const decimalSigns = Object.freeze(['point', 'comma'] as const);

export type DecimalSign = (typeof decimalSigns)[number];

/** A parameter that only a few resources have; its name has no `$`. */
export interface OwnParameter {
  /** The name as errors write it. Clients may use any case. */
  readonly name: string;
  readonly isRequired: boolean;
  /**
   * Returns the accepted values, given the values of the preceding parameters. Clients may use any case. Absent: any
   * text is accepted.
   */
  readonly known?: ((before: ReadonlyMap<string, string>) => readonly string[]) | undefined;
  /**
   * Accepts a month, `yyyy-MM`, which is not before the month of another parameter; that parameter must precede this
   * one.
   */
  readonly month?: { readonly notBefore?: string } | undefined;
}

/** Determines the parameters that a resource accepts. The page sizes, in rows, matter for lists only. */
export interface Acceptance {
  readonly kind: 'list' | 'detail';
  /** Parameters in addition to the common ones; default none. */
  readonly own?: readonly OwnParameter[];
  /** False if `search` is ignored. */
  readonly takesSearch: boolean;
  /** The file format for a list if there is no `$format`; absent: a document is sent. */
  readonly acceptedExport?: ExportFormat | undefined;
  readonly defaultPageSize: number;
  readonly maximumPageSize: number;
}

/**
 * The options of a request. Names of fields, languages and companies are as the client wrote them, and not looked up
 * yet.
 */
export interface QueryOptions {
  readonly format: Format | ExportFormat | undefined;
  /** The decimal separator; only for the format csv. */
  readonly decimal: DecimalSign;
  /** The language in lower case; may be unknown. */
  readonly language: string | undefined;
  readonly database: string | undefined;
  /** 0 to 1,000,000. */
  readonly useMinimumVersion: number | undefined;
  readonly showDomainDescriptions: boolean;
  /** Undefined: all fields. */
  readonly select: readonly SelectItem[] | undefined;
  readonly expand: readonly ExpandItem[];
  /** Rows per page: 1 to the maximum of the resource. */
  readonly top: number;
  /** Rows to skip: 0 to 10,000; only without a page key. */
  readonly skip: number;
  /** The page key; never an empty text. */
  readonly pageKey: string | undefined;
  readonly countAll: boolean;
  readonly filter: { readonly text: string; readonly expression: FilterExpression } | undefined;
  readonly orderBy: { readonly text: string; readonly items: readonly OrderItem[] } | undefined;
  /** Words to find: at most 20, none empty. */
  readonly search: readonly string[];
  /**
   * The values of the resource's own parameters by name. Known values have the spelling of the definition; no value is
   * blank.
   */
  readonly own: ReadonlyMap<string, string>;
}

type Read<Option> = (value: string, acceptance: Acceptance, parameter: string) => Option;

/** A parameter: its names, where it is accepted, and how its value is read. */
export interface ParameterDefinition<Option> {
  /** The name as errors write it. Clients may use any case. */
  readonly name: string;
  /** Other names of the parameter, each with its own way of reading if its values are spelled differently. */
  readonly aliases?: Readonly<Record<string, Read<Option> | undefined>>;
  /**
   * Resources that accept the parameter. `lists`: on a detail it is an error. `search`: without a search it is ignored.
   * Default: accepted everywhere.
   */
  readonly scope?: 'lists' | 'search';
  /**
   * True if the parameter selects a page of a list. An export does not accept it, because it contains the whole list.
   */
  readonly isOfPages?: true;
  /** Limit of the value in code points; default limits.valueCharacters. */
  readonly characterLimit?: number;
  /** Returns the option; throws a QueryOptionError that names `parameter`. */
  readonly read: Read<Option>;
  /** The option if the parameter is absent. */
  readonly absent: (acceptance: Acceptance) => Option;
}

const nothing = (): undefined => undefined;

/** The token is a known parameter, but not an option of the query, because it is checked first. */
export const accessTokenParameter: ParameterDefinition<undefined> = {
  name: '$access_token',
  aliases: { $accessToken: undefined },
  read: nothing,
  absent: nothing,
};

/** The common options and their parameters. */
export const parameterTable: {
  readonly [Name in Exclude<keyof QueryOptions, 'own'>]: ParameterDefinition<QueryOptions[Name]>;
} = {
  format: {
    name: '$format',
    read: (value, { kind }, parameter) => readFormat(parameter, value, kind),
    absent: ({ acceptedExport }) => acceptedExport,
  },
  language: {
    name: '$lang',
    read: (value) => readText(lowerAscii(value)),
    absent: nothing,
  },
  database: { name: '$db', read: readText, absent: nothing },
  useMinimumVersion: {
    name: '$useMinimumVersion',
    read: (value, _, parameter) => readInteger(parameter, value, 0, limits.minimumVersion),
    absent: nothing,
  },
  showDomainDescriptions: {
    name: '$showDomainDescriptions',
    aliases: { $showDomainValues: undefined },
    read: (value, _, parameter) => readBoolean(parameter, value),
    absent: () => false,
  },
  select: {
    name: '$select',
    read: (value) => (readText(value) === undefined ? undefined : parseSelect(value)),
    absent: nothing,
  },
  expand: {
    name: '$expand',
    read: (value) => (readText(value) === undefined ? [] : parseExpand(value)),
    absent: () => [],
  },
  top: {
    name: '$top',
    scope: 'lists',
    isOfPages: true,
    read: (value, { maximumPageSize }, parameter) => readTop(parameter, value, maximumPageSize),
    absent: ({ defaultPageSize, maximumPageSize }) => Math.min(defaultPageSize, maximumPageSize),
  },
  skip: {
    name: '$skip',
    scope: 'lists',
    isOfPages: true,
    read: (value, _, parameter) => readInteger(parameter, value, 0, limits.skippedRows),
    absent: () => 0,
  },
  pageKey: {
    name: '$pageKey',
    scope: 'lists',
    isOfPages: true,
    read: (value, _, parameter) => readPageKey(parameter, value),
    absent: nothing,
  },
  countAll: {
    name: '$inlinecount',
    aliases: { $count: (value, _, alias) => readBoolean(alias, value) },
    scope: 'lists',
    isOfPages: true,
    read: (value, _, parameter) => readChoice(parameter, value, ['allpages', 'none']) === 'allpages',
    absent: () => false,
  },
  filter: {
    name: '$filter',
    scope: 'lists',
    characterLimit: limits.filterCharacters,
    read: (text) => (readText(text) === undefined ? undefined : { text, expression: parseFilter(text) }),
    absent: nothing,
  },
  orderBy: {
    name: '$orderby',
    scope: 'lists',
    read: (text) => (readText(text) === undefined ? undefined : { text, items: parseOrderBy(text) }),
    absent: nothing,
  },
  decimal: {
    name: '$decimal',
    scope: 'lists',
    read: (value, _, parameter) => readChoice(parameter, value, decimalSigns),
    absent: () => 'point',
  },
  search: {
    name: 'search',
    scope: 'search',
    read: (value, _, parameter) => readSearch(parameter, value),
    absent: () => [],
  },
};

/** All parameters, in the order in which error texts list them. */
export const definitions: readonly ParameterDefinition<unknown>[] = [
  accessTokenParameter,
  ...Object.values(parameterTable),
];

/** A Map, because clients choose the names, and an object would have `constructor`. */
const byLowerName: ReadonlyMap<string, ParameterDefinition<unknown>> = new Map(
  definitions.flatMap((definition) =>
    [definition.name, ...Object.keys(definition.aliases ?? {})].map((name) => [lowerAscii(name), definition]),
  ),
);

/** Finds a parameter by its name or an alias, in any case. */
export function findParameter(name: string): ParameterDefinition<unknown> | undefined {
  return byLowerName.get(name) ?? byLowerName.get(lowerAscii(name));
}

/**
 * The name that the table uses for a parameter with this name or alias; for an unknown name, the name in lower case.
 */
export function canonicalName(name: string): string {
  return findParameter(name)?.name ?? lowerAscii(name);
}

/** An integer in decimal digits, within bounds. */
function readInteger(parameter: string, value: string, minimum: number, maximum: number): number {
  const number = /^[0-9]+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= minimum && number <= maximum) return number;
  throw invalidValue(parameter, value, phrase('integer {0}..{1}', minimum, maximum));
}

/** Reads one of several words, in any case. */
export function readChoice<Choice extends string>(
  parameter: string,
  value: string,
  choices: readonly Choice[],
): Choice {
  const choice = findChoice(value, choices);
  if (choice === undefined) {
    throw invalidValue(parameter, value, ...choices.map(quote));
  }
  return choice;
}

/** Reads one of several names, in any case, and returns the known spelling. */
export function readKnown(parameter: string, value: string, known: readonly string[]): string {
  const word = lowerAscii(value);
  const found = known.find((name) => lowerAscii(name) === word);
  if (found === undefined) throw invalidValue(parameter, value, ...known.map(quote));
  return found;
}

/** The first and last month in which an operation can be completed. */
export const MONTHS = { first: '0001-01', last: '9999-12' } as const;

/** A month, `yyyy-MM`, as a regular expression. */
export const MONTH_PATTERN = '[0-9]{4}-(?:0[1-9]|1[0-2])';
const MONTH = new RegExp(`^${MONTH_PATTERN}$`);

/** Reads a month, `yyyy-MM`, which must not be before `first`. */
export function readMonth(parameter: string, value: string, first: string): string {
  if (MONTH.test(value) && value >= first) return value;
  throw invalidValue(parameter, value, phrase('month {0}..{1}', first, MONTHS.last));
}

export function findChoice<Choice extends string>(
  value: string,
  choices: readonly Choice[],
): Choice | undefined {
  const word = lowerAscii(value);
  return choices.find((choice) => choice === word);
}

/** Reads a format. Some formats are accepted for lists only. */
function readFormat(parameter: string, value: string, kind: Acceptance['kind']): Format | ExportFormat {
  if (kind === 'list') return readChoice(parameter, value, [...formats, ...exportFormats]);
  const ofLists = findChoice(value, exportFormats);
  if (ofLists !== undefined) throw new QueryOptionError('exportOfOneObject', { format: ofLists });
  return readChoice(parameter, value, formats);
}

export function readBoolean(parameter: string, value: string): boolean {
  return ['true', '1'].includes(readChoice(parameter, value, ['true', 'false', '1', '0']));
}

/** Reads a text. It counts as absent if it is empty or white space. */
export function readText(value: string): string | undefined {
  return value.trim() === '' ? undefined : value;
}

/** The error of an invalid value. */
export function invalidValue(
  parameter: string,
  value: string,
  ...expected: readonly ErrorWord[]
): QueryOptionError {
  const found = value === '' ? [phrase('nothing')] : excerpt(value);
  return new QueryOptionError('invalidParameterValue', { parameter, found, expected });
}

/** Reads a page size: `$max`, or a positive integer, limited to the maximum. */
function readTop(parameter: string, value: string, maximum: number): number {
  if (lowerAscii(value) === '$max') return maximum;
  const rows = /^[0-9]+$/.test(value) ? Number(value) : 0;
  if (rows < 1) {
    throw invalidValue(parameter, value, phrase('integer {0}..{1}', 1, maximum), quote('$max'));
  }
  return Math.min(rows, maximum);
}

/** Reads a page key. Accepts any text: the code that makes page keys checks it later. */
function readPageKey(parameter: string, value: string): string {
  if (value.trim() === '') {
    throw invalidValue(parameter, value, phrase('page key'));
  }
  return value;
}

/** Splits at white space. */
function readSearch(parameter: string, value: string): readonly string[] {
  const words = value.split(/\s+/u).filter((word) => word !== '');
  if (words.length > limits.searchWords) {
    throw expressionTooLarge(parameter, 'words', limits.searchWords);
  }
  return words;
}
