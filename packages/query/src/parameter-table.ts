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

/**
 * The formats in which a whole list is sent as a file, for spreadsheets and other programs. They are an addition to the
 * specification.
 */
export const exportFormats = Object.freeze(['csv', 'xlsx'] as const);

export type ExportFormat = (typeof exportFormats)[number];

export const decimalSigns = Object.freeze(['point', 'comma'] as const);

export type DecimalSign = (typeof decimalSigns)[number];

/** A parameter that only a few resources have. The name of such a parameter has no `$`. */
export interface OwnParameter {
  /** The name in the form in which errors write it. Clients may write it in any case. */
  readonly name: string;
  readonly isRequired: boolean;
  /**
   * Returns the values that are accepted, given the values of the preceding parameters. Clients may write a value in
   * any case. If absent, any text is accepted.
   */
  readonly known?: ((before: ReadonlyMap<string, string>) => readonly string[]) | undefined;
  /**
   * Set if the parameter accepts only a month, `yyyy-MM`. The month must not be before the month in the parameter
   * `notBefore`, which must precede this parameter.
   */
  readonly month?: { readonly notBefore?: string } | undefined;
}

/** Determines which parameters a resource accepts. The page sizes are numbers of rows, and are used only for lists. */
export interface Acceptance {
  readonly kind: 'list' | 'detail';
  /** The parameters that the resource accepts in addition to the common ones. Default: none. */
  readonly own?: readonly OwnParameter[];
  /** False if the resource cannot be searched; then the parameter `search` is ignored. */
  readonly takesSearch: boolean;
  /** The file format in which a list is sent if the request has no `$format`. If absent, a document is sent. */
  readonly acceptedExport?: ExportFormat | undefined;
  readonly defaultPageSize: number;
  readonly maximumPageSize: number;
}

/**
 * The options of a request. Names of fields, languages and companies are still as the client wrote them: it has not
 * been checked that they exist.
 */
export interface QueryOptions {
  readonly format: Format | ExportFormat | undefined;
  /** The decimal separator. It may be set only for the format csv. */
  readonly decimal: DecimalSign;
  /** The language in lower case. It need not be a known language. */
  readonly language: string | undefined;
  readonly database: string | undefined;
  /** The minimum version of the resource, 0 to 1,000,000. */
  readonly useMinimumVersion: number | undefined;
  readonly showDomainDescriptions: boolean;
  /** The selected fields; undefined if all fields are selected. */
  readonly select: readonly SelectItem[] | undefined;
  readonly expand: readonly ExpandItem[];
  /** The number of rows per page: 1 to the maximum of the resource. */
  readonly top: number;
  /** The number of rows to skip, 0 to 10,000. It must not be combined with a page key. */
  readonly skip: number;
  /** The page key. It is never an empty text. */
  readonly pageKey: string | undefined;
  readonly countAll: boolean;
  readonly filter: { readonly text: string; readonly expression: FilterExpression } | undefined;
  readonly orderBy: { readonly text: string; readonly items: readonly OrderItem[] } | undefined;
  /** The words to search for. There are at most 20, and none of them is empty. */
  readonly search: readonly string[];
  /**
   * The values of the resource's own parameters, by name. A known value is spelled as in the definition. No value is
   * blank.
   */
  readonly own: ReadonlyMap<string, string>;
}

type Read<Option> = (value: string, acceptance: Acceptance, parameter: string) => Option;

export interface ParameterDefinition<Option> {
  /** The name in the form in which errors write it. Clients may write it in any case. */
  readonly name: string;
  /**
   * Other names of the parameter. If an alias has values with another spelling, it has its own function to read them.
   */
  readonly aliases?: Readonly<Record<string, Read<Option> | undefined>>;
  /**
   * The resources that accept the parameter. `lists`: only lists accept it; for an object it is an error. `search`:
   * resources that cannot be searched ignore it. Default: all resources accept it.
   */
  readonly scope?: 'lists' | 'search';
  /**
   * True if the parameter selects a page of a list. An export contains the whole list, so it does not accept such a
   * parameter.
   */
  readonly isOfPages?: true;
  /** The maximum number of code points in the value. Default: limits.valueCharacters. */
  readonly characterLimit?: number;
  /** Reads the value and returns the option. Throws a QueryOptionError that names `parameter`. */
  readonly read: Read<Option>;
  /** Returns the option for a request without the parameter. */
  readonly absent: (acceptance: Acceptance) => Option;
}

const nothing = (): undefined => undefined;

/**
 * The parameter with the token. It is a known parameter, but its value is not an option, because the token is checked
 * before the options are read.
 */
export const accessTokenParameter: ParameterDefinition<undefined> = {
  name: '$access_token',
  aliases: { $accessToken: undefined },
  read: nothing,
  absent: nothing,
};

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

/** All parameters, in the order in which the texts of errors list them. */
export const definitions: readonly ParameterDefinition<unknown>[] = [
  accessTokenParameter,
  ...Object.values(parameterTable),
];

/**
 * The definitions by their names in lower case. This is a Map, because clients choose the names that are looked up, and
 * a plain object would seem to contain `constructor`.
 */
const byLowerName: ReadonlyMap<string, ParameterDefinition<unknown>> = new Map(
  definitions.flatMap((definition) =>
    [definition.name, ...Object.keys(definition.aliases ?? {})].map((name) => [lowerAscii(name), definition]),
  ),
);

/** Finds the definition of a parameter by its name or by an alias. Case does not matter. */
export function findParameter(name: string): ParameterDefinition<unknown> | undefined {
  return byLowerName.get(name) ?? byLowerName.get(lowerAscii(name));
}

/**
 * The name by which the table lists the parameter with this name or alias. An unknown name is returned in lower case.
 */
export function canonicalName(name: string): string {
  return findParameter(name)?.name ?? lowerAscii(name);
}

/** Reads an integer that consists of decimal digits. Throws if it is outside the bounds. */
function readInteger(parameter: string, value: string, minimum: number, maximum: number): number {
  const number = /^[0-9]+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= minimum && number <= maximum) return number;
  throw invalidValue(parameter, value, phrase('integer {0}..{1}', minimum, maximum));
}

/** Reads a word that must be one of several. Case does not matter. */
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

/** Reads a name that must be one of several. Case does not matter; the result is spelled as in `known`. */
export function readKnown(parameter: string, value: string, known: readonly string[]): string {
  const word = lowerAscii(value);
  const found = known.find((name) => lowerAscii(name) === word);
  if (found === undefined) throw invalidValue(parameter, value, ...known.map(quote));
  return found;
}

/** The first and the last month in which an operation can be completed. */
export const MONTHS = { first: '0001-01', last: '9999-12' } as const;

/** A regular expression for a month, `yyyy-MM`. */
export const MONTH_PATTERN = '[0-9]{4}-(?:0[1-9]|1[0-2])';
const MONTH = new RegExp(`^${MONTH_PATTERN}$`);

/** Reads a month, `yyyy-MM`. Throws if it is before the month `first`. */
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

/** Reads a format. Some formats are accepted only for lists. */
function readFormat(parameter: string, value: string, kind: Acceptance['kind']): Format | ExportFormat {
  if (kind === 'list') return readChoice(parameter, value, [...formats, ...exportFormats]);
  const ofLists = findChoice(value, exportFormats);
  if (ofLists !== undefined) throw new QueryOptionError('exportOfOneObject', { format: ofLists });
  return readChoice(parameter, value, formats);
}

export function readBoolean(parameter: string, value: string): boolean {
  return ['true', '1'].includes(readChoice(parameter, value, ['true', 'false', '1', '0']));
}

/** Reads a text. An empty text, or one that consists of white space, counts as absent. */
export function readText(value: string): string | undefined {
  return value.trim() === '' ? undefined : value;
}

export function invalidValue(
  parameter: string,
  value: string,
  ...expected: readonly ErrorWord[]
): QueryOptionError {
  const found = value === '' ? [phrase('nothing')] : excerpt(value);
  return new QueryOptionError('invalidParameterValue', { parameter, found, expected });
}

/**
 * Reads a page size. It is `$max` or a positive integer; a greater number than the maximum is replaced by the maximum.
 */
function readTop(parameter: string, value: string, maximum: number): number {
  if (lowerAscii(value) === '$max') return maximum;
  const rows = /^[0-9]+$/.test(value) ? Number(value) : 0;
  if (rows < 1) {
    throw invalidValue(parameter, value, phrase('integer {0}..{1}', 1, maximum), quote('$max'));
  }
  return Math.min(rows, maximum);
}

/** Reads a page key. Any text is accepted here, because the code that makes page keys checks the key later. */
function readPageKey(parameter: string, value: string): string {
  if (value.trim() === '') {
    throw invalidValue(parameter, value, phrase('page key'));
  }
  return value;
}

function readSearch(parameter: string, value: string): readonly string[] {
  const words = value.split(/\s+/u).filter((word) => word !== '');
  if (words.length > limits.searchWords) {
    throw expressionTooLarge(parameter, 'words', limits.searchWords);
  }
  return words;
}
