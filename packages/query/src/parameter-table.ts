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
  /** A month, `yyyy-MM`; not before that of another parameter, which stands before this one. */
  readonly month?: { readonly notBefore?: string } | undefined;
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

type Read<Option> = (value: string, acceptance: Acceptance, parameter: string) => Option;

/** One parameter: its names, where it is taken, and how its value becomes an option. */
export interface ParameterDefinition<Option> {
  /** As errors call it. Clients may write it in any case. */
  readonly name: string;
  /** Other names, each with how a value under it is read where it is spelled otherwise. */
  readonly aliases?: Readonly<Record<string, Read<Option> | undefined>>;
  /** `lists`: an error on a detail. `search`: ignored by resources that cannot be searched. Else taken everywhere. */
  readonly scope?: 'lists' | 'search';
  /** Whether it names a page of a list, which a file holds as a whole. */
  readonly isOfPages?: true;
  /** At most so many code points; limits.valueCharacters if it says nothing. */
  readonly characterLimit?: number;
  /** The option of a value; throws a QueryOptionError. Errors name `parameter`. */
  readonly read: Read<Option>;
  /** The option if the client does not name the parameter. */
  readonly absent: (acceptance: Acceptance) => Option;
}

const nothing = (): undefined => undefined;

/** The token is no query option (identity comes first), but a parameter that exists. */
export const accessTokenParameter: ParameterDefinition<undefined> = {
  name: '$access_token',
  aliases: { $accessToken: undefined },
  read: nothing,
  absent: nothing,
};

/** Every option that means the same everywhere, and the parameter that it comes from. */
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

/** Every parameter, in the order in which errors list them. */
export const definitions: readonly ParameterDefinition<unknown>[] = [
  accessTokenParameter,
  ...Object.values(parameterTable),
];

/** A Map, because the names come from clients and an object knows `constructor`. */
const byLowerName: ReadonlyMap<string, ParameterDefinition<unknown>> = new Map(
  definitions.flatMap((definition) =>
    [definition.name, ...Object.keys(definition.aliases ?? {})].map((name) => [lowerAscii(name), definition]),
  ),
);

/** The parameter of a name or alias, in any case. */
export function findParameter(name: string): ParameterDefinition<unknown> | undefined {
  return byLowerName.get(name) ?? byLowerName.get(lowerAscii(name));
}

/** The name in the table of a parameter under any of its names; any other name in lower case. */
export function canonicalName(name: string): string {
  return findParameter(name)?.name ?? lowerAscii(name);
}

/** An integer in decimal digits, within bounds. */
function readInteger(parameter: string, value: string, minimum: number, maximum: number): number {
  const number = /^[0-9]+$/.test(value) ? Number(value) : Number.NaN;
  if (number >= minimum && number <= maximum) return number;
  throw invalidValue(parameter, value, phrase('integer {0}..{1}', minimum, maximum));
}

/** One of several words, in any case. */
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

/** One of several names, in any case; as it is known. */
export function readKnown(parameter: string, value: string, known: readonly string[]): string {
  const word = lowerAscii(value);
  const found = known.find((name) => lowerAscii(name) === word);
  if (found === undefined) throw invalidValue(parameter, value, ...known.map(quote));
  return found;
}

/** The first and the last month that a completion can lie in. */
export const MONTHS = { first: '0001-01', last: '9999-12' } as const;

/** A month, `yyyy-MM`, as a regular expression. */
export const MONTH_PATTERN = '[0-9]{4}-(?:0[1-9]|1[0-2])';
const MONTH = new RegExp(`^${MONTH_PATTERN}$`);

/** A month, `yyyy-MM`, from `first` on. */
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

/** A format, of which some are of lists alone. */
function readFormat(parameter: string, value: string, kind: Acceptance['kind']): Format | ExportFormat {
  if (kind === 'list') return readChoice(parameter, value, [...formats, ...exportFormats]);
  const ofLists = findChoice(value, exportFormats);
  if (ofLists !== undefined) throw new QueryOptionError('exportOfOneObject', { format: ofLists });
  return readChoice(parameter, value, formats);
}

export function readBoolean(parameter: string, value: string): boolean {
  return ['true', '1'].includes(readChoice(parameter, value, ['true', 'false', '1', '0']));
}

/** Text that counts as absent if it is empty or white space. */
export function readText(value: string): string | undefined {
  return value.trim() === '' ? undefined : value;
}

/** The error of a value that a parameter does not take. */
export function invalidValue(
  parameter: string,
  value: string,
  ...expected: readonly ErrorWord[]
): QueryOptionError {
  const found = value === '' ? [phrase('nothing')] : excerpt(value);
  return new QueryOptionError('invalidParameterValue', { parameter, found, expected });
}

/** Rows of a page: `$max`, or a positive integer, which is capped at the maximum. */
function readTop(parameter: string, value: string, maximum: number): number {
  if (lowerAscii(value) === '$max') return maximum;
  const rows = /^[0-9]+$/.test(value) ? Number(value) : 0;
  if (rows < 1) {
    throw invalidValue(parameter, value, phrase('integer {0}..{1}', 1, maximum), quote('$max'));
  }
  return Math.min(rows, maximum);
}

/** Any text: what it means, and whether it is intact, is known to who made it. */
function readPageKey(parameter: string, value: string): string {
  if (value.trim() === '') {
    throw invalidValue(parameter, value, phrase('page key'));
  }
  return value;
}

/** The words between white space. */
function readSearch(parameter: string, value: string): readonly string[] {
  const words = value.split(/\s+/u).filter((word) => word !== '');
  if (words.length > limits.searchWords) {
    throw expressionTooLarge(parameter, 'words', limits.searchWords);
  }
  return words;
}
