import { lowerAscii } from './characters.js';
import { limits } from './limits.js';
import { parseFilter } from './parse-filter.js';
import { parseExpand, parseOrderBy, parseSelect } from './parse-lists.js';
import { type Acceptance, decimalSigns, type QueryOptions } from './query-options.js';
import {
  readBoolean,
  readChoice,
  readFormat,
  readInteger,
  readPageKey,
  readSearch,
  readText,
  readTop,
} from './read-values.js';

/** One parameter: its names, where it is taken, and how its value becomes an option. */
export interface ParameterDefinition<Option> {
  /** As errors call it. Clients may write it in any case. */
  readonly name: string;
  readonly alias?: string;
  /** How a value under the alias becomes the option, where it is spelled otherwise. */
  readonly readAlias?: (value: string, alias: string) => Option;
  /** `lists`: an error on a detail. `search`: ignored by resources that cannot be searched. Else taken everywhere. */
  readonly scope?: 'lists' | 'search';
  /** At most so many code points; limits.valueCharacters if it says nothing. */
  readonly characterLimit?: number;
  /** The option of a value; throws a QueryOptionError. Errors name `parameter`. */
  readonly read: (value: string, acceptance: Acceptance, parameter: string) => Option;
  /** The option if the client does not name the parameter. */
  readonly absent: (acceptance: Acceptance) => Option;
}

const nothing = (): undefined => undefined;

/** The token is no query option (identity comes first), but a parameter that exists. */
export const accessTokenParameter: ParameterDefinition<undefined> = {
  name: '$access_token',
  alias: '$accessToken',
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
    alias: '$showDomainValues',
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
    read: (value, { maximumPageSize }, parameter) => readTop(parameter, value, maximumPageSize),
    absent: ({ defaultPageSize, maximumPageSize }) => Math.min(defaultPageSize, maximumPageSize),
  },
  skip: {
    name: '$skip',
    scope: 'lists',
    read: (value, _, parameter) => readInteger(parameter, value, 0, limits.skippedRows),
    absent: () => 0,
  },
  pageKey: {
    name: '$pageKey',
    scope: 'lists',
    read: (value, _, parameter) => readPageKey(parameter, value),
    absent: nothing,
  },
  countAll: {
    name: '$inlinecount',
    alias: '$count',
    readAlias: (value, alias) => readBoolean(alias, value),
    scope: 'lists',
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
