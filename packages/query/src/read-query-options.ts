import { countCharacters, excerpt, indexOfControlCharacter, lowerAscii, positionAt } from './characters.js';
import { limits } from './limits.js';
import {
  type Acceptance,
  accessTokenParameter,
  definitions,
  type ExportFormat,
  exportFormats,
  type Format,
  findChoice,
  findParameter,
  formats,
  MONTHS,
  type OwnParameter,
  type ParameterDefinition,
  parameterTable,
  type QueryOptions,
  readKnown,
  readMonth,
  readText,
} from './parameter-table.js';
import { QueryOptionError } from './query-option-error.js';

/**
 * Options that are needed before the parameters are checked: they are used to authenticate the client and to format
 * errors.
 */
export interface EarlyOptions {
  readonly accessToken: string | undefined;
  readonly database: string | undefined;
  /** The format of the document. undefined if an export is requested, because an error is never sent as an export. */
  readonly format: Format | undefined;
  readonly isExport: boolean;
  /** The language as three letters in lower case. It need not be a known language. */
  readonly language: string | undefined;
}

/**
 * Reads the early options without reporting errors, so that every error has the requested format if possible. If a
 * parameter occurs several times, the first occurrence counts. If a value is invalid, the option is undefined.
 */
export function readEarlyOptions(parameters: readonly QueryParameter[]): EarlyOptions {
  const first = (definition: ParameterDefinition<unknown>): string =>
    parameters.find(({ name }) => findParameter(name) === definition)?.value ?? '';
  const language = first(parameterTable.language);
  return {
    accessToken: readText(first(accessTokenParameter)),
    database: readText(first(parameterTable.database)),
    format: findChoice(first(parameterTable.format), formats),
    isExport: findChoice(first(parameterTable.format), exportFormats) !== undefined,
    language: /^[A-Za-z]{3}$/.test(language) ? language.toLowerCase() : undefined,
  };
}

/**
 * Reads the options of a request. A known parameter may occur only once; order and case do not matter. An unknown
 * parameter is ignored unless its name starts with `$`. Throws a QueryOptionError for the first problem: names and
 * lengths are checked first, in the order of the query, and values after that.
 */
export function readQueryOptions(
  parameters: readonly QueryParameter[],
  acceptance: Acceptance,
): QueryOptions {
  const isForm = parameters.some(({ name }) => name === FORM_PARAMETER);
  const own = ownDefinitions(acceptance.own ?? [], isForm);
  const given = collectParameters(parameters, acceptance, own);
  if (given.has(parameterTable.skip) && given.has(parameterTable.pageKey)) {
    throw new QueryOptionError('skipWithPageKey', {});
  }
  const entries = Object.entries<ParameterDefinition<unknown>>(parameterTable).map(([name, definition]) => {
    const value = given.get(definition);
    const option =
      value === undefined ? definition.absent(acceptance) : readGiven(definition, value, acceptance);
    return [name, option] as const;
  });
  const ownEntries = own.flatMap((definition) => {
    const value = given.get(definition)?.value;
    const text =
      value === undefined
        ? definition.absent(acceptance)
        : definition.read(value, acceptance, definition.name);
    return text === undefined ? [] : [[definition.name, text] as const];
  });
  const made: unknown = { ...Object.fromEntries(entries), own: new Map(ownEntries) };
  // This cast is safe: by its type, the table must define each option with the right type.
  const options = made as QueryOptions;
  checkExport(options.format, given);
  return options;
}

/** The parameter that says which form of a page was sent. It has no other effect on answers for programs. */
export const FORM_PARAMETER = 'form';

type OwnDefinition = ParameterDefinition<string | undefined>;

/**
 * The definitions of a resource's own parameters. A parameter with a blank value counts as absent, but a blank month is
 * an error: without the month, the answer would be about other rows. A form sends its empty fields too, so there a blank
 * month counts as absent. The function that reads a parameter gets the values of the preceding parameters.
 */
function ownDefinitions(own: readonly OwnParameter[], isForm: boolean): readonly OwnDefinition[] {
  const before = new Map<string, string>();
  return own.map(({ name, isRequired, known, month }) => {
    const read = (value: string): string | undefined => {
      const text = readText(value);
      if (text === undefined && !isRequired && (month === undefined || isForm)) return undefined;
      if (text === undefined && isRequired && known === undefined) {
        throw new QueryOptionError('missingParameter', { parameter: name });
      }
      const taken = readOwn(name, text ?? '', { known: known?.(before), first: firstMonth(month, before) });
      before.set(name, taken);
      return taken;
    };
    return { name, read, absent: () => (month === undefined ? read('') : undefined) };
  });
}

/** The first month that is accepted; undefined if the parameter is not a month. */
function firstMonth(month: OwnParameter['month'], before: ReadonlyMap<string, string>): string | undefined {
  return month === undefined ? undefined : (before.get(month.notBefore ?? '') ?? MONTHS.first);
}

function readOwn(
  name: string,
  text: string,
  { known, first }: { readonly known: readonly string[] | undefined; readonly first: string | undefined },
): string {
  if (first !== undefined) return readMonth(name, text, first);
  return known === undefined ? text : readKnown(name, text, known);
}

/**
 * Checks that a request for an export does not name a page, because an export contains the whole list. Throws a
 * QueryOptionError.
 */
function checkExport(format: QueryOptions['format'], given: GivenValues): void {
  if (format !== 'csv' && given.has(parameterTable.decimal)) {
    throw new QueryOptionError('decimalWithoutCsv', {});
  }
  if (!isExportFormat(format)) return;
  const ofPages = definitions.find((definition) => definition.isOfPages === true && given.has(definition));
  if (ofPages !== undefined) {
    throw new QueryOptionError('parameterOfPages', { parameter: ofPages.name, format });
  }
}

export function isExportFormat(format: QueryOptions['format']): format is ExportFormat {
  return exportFormats.some((name) => name === format);
}

interface GivenValue {
  readonly value: string;
  /** The name as the client wrote it. */
  readonly name: string;
}

function readGiven(
  { name, aliases = {}, read }: ParameterDefinition<unknown>,
  given: GivenValue,
  acceptance: Acceptance,
): unknown {
  const alias = Object.keys(aliases).find((one) => lowerAscii(one) === lowerAscii(given.name));
  const readAlias = alias === undefined ? undefined : aliases[alias];
  return (readAlias ?? read)(given.value, acceptance, readAlias === undefined ? name : (alias ?? name));
}

type GivenValues = ReadonlyMap<ParameterDefinition<unknown>, GivenValue>;

/**
 * Checks the names, the repetition and the length of parameters, in the order of the query. Throws a QueryOptionError.
 */
function collectParameters(
  parameters: readonly QueryParameter[],
  acceptance: Acceptance,
  own: readonly OwnDefinition[],
): GivenValues {
  const given = new Map<ParameterDefinition<unknown>, GivenValue>();
  for (const { name, value } of parameters) {
    const definition =
      own.find((one) => lowerAscii(one.name) === lowerAscii(name)) ?? findTakenParameter(name, acceptance);
    if (definition !== undefined) {
      if (given.has(definition)) {
        throw new QueryOptionError('repeatedParameter', { parameter: definition.name });
      }
      checkLength(definition, value);
      given.set(definition, { value, name });
    }
  }
  return given;
}

/**
 * Own parameters of some resources, in lower case, that change which rows an answer is about. Other resources refuse them,
 * because an answer without them would look right. Other unknown names without `$` are ignored, as clients expect.
 */
const CHANGING_ROWS: ReadonlySet<string> = new Set(['from', 'to', 'comparefrom', 'compareto', 'kind', 'ids']);

/** The definition of a parameter; undefined if the resource ignores the parameter. */
function findTakenParameter(name: string, acceptance: Acceptance): ParameterDefinition<unknown> | undefined {
  const definition = findParameter(name);
  if (definition === undefined) {
    if (name.startsWith('$')) {
      const known = listKnownParameters(acceptance);
      throw new QueryOptionError('unknownParameter', { parameter: excerpt(name), known });
    }
    const right = findParameter(`$${name}`)?.name;
    if (right !== undefined) {
      throw new QueryOptionError('parameterWithoutDollar', { parameter: excerpt(name), right });
    }
    if (CHANGING_ROWS.has(lowerAscii(name))) {
      throw new QueryOptionError('parameterOfOthers', { parameter: excerpt(name) });
    }
    // An & that is not encoded splits the value that contains it: `$filter=a eq 1 & b eq 2`. So an unknown name that
    // contains white space is probably the rest of a value. It is an error: if the rest were ignored, only half of the
    // filter would apply.
    const found = name.trim();
    if (found !== '' && /\s/u.test(name)) {
      throw new QueryOptionError('brokenParameter', { found: excerpt(found) });
    }
    return undefined;
  }
  if (isTaken(definition, acceptance)) return definition;
  if (definition.scope === 'lists') {
    throw new QueryOptionError('parameterNotAccepted', { parameter: definition.name });
  }
  return undefined;
}

function checkLength(
  { name, characterLimit = limits.valueCharacters }: ParameterDefinition<unknown>,
  value: string,
): void {
  const length = countCharacters(value);
  if (length > characterLimit) {
    throw new QueryOptionError('parameterTooLong', {
      parameter: name,
      length: String(length),
      limit: String(characterLimit),
    });
  }
}

function listKnownParameters(acceptance: Acceptance): string {
  return definitions
    .filter((definition) => isTaken(definition, acceptance))
    .map(({ name }) => name)
    .join(', ');
}

function isTaken({ scope }: ParameterDefinition<unknown>, acceptance: Acceptance): boolean {
  switch (scope) {
    case 'lists':
      return acceptance.kind === 'list';
    case 'search':
      return acceptance.takesSearch;
    default:
      return true;
  }
}

/** A parameter after decoding. The name is spelled as the client wrote it. */
export interface QueryParameter {
  readonly name: string;
  readonly value: string;
}

export interface ParsedQueryString {
  /** All parameters in the order of the text, including those that occur several times. */
  readonly parameters: readonly QueryParameter[];
  /** The first problem in the query string; undefined if there is none. */
  readonly problem: QueryOptionError | undefined;
}

interface Piece {
  readonly text: string;
  readonly index: number;
}

/**
 * Makes the error for a parameter that cannot be read. Only the first error is made, because making an error searches
 * the text from its start to find the position.
 */
type Unreadable = () => QueryOptionError;

/**
 * Parses the query string of a URL, with or without the `?` at its start. Positions do not count the `?`. An empty
 * parameter is ignored, a parameter without `=` has the value '', and `+` stands for a space.
 * This function never throws, because identity and language are read before the parameters are checked. A parameter
 * that cannot be read is left out, and `problem` is the error for the first such parameter. For the same reason, a
 * query string is read even if it is too long or has too many parameters: its token may be at the end.
 */
export function parseQueryString(text: string): ParsedQueryString {
  const query = text.startsWith('?') ? text.slice(1) : text;
  const pieces = splitAtAmpersands(query);
  const parameters: QueryParameter[] = [];
  let problem = findOversize(query, pieces);
  for (const piece of pieces) {
    const parameter = readParameter(query, piece);
    if (typeof parameter === 'function') {
      problem ??= parameter();
    } else {
      parameters.push(parameter);
    }
  }
  return { parameters, problem };
}

function splitAtAmpersands(query: string): readonly Piece[] {
  return Array.from(query.matchAll(/[^&]+/g), ({ 0: text, index }) => ({ text, index }));
}

function findOversize(query: string, pieces: readonly Piece[]): QueryOptionError | undefined {
  if (countCharacters(query) > limits.queryStringCharacters) {
    return new QueryOptionError('queryTooLong', { limit: String(limits.queryStringCharacters) });
  }
  if (pieces.length > limits.parameters) {
    return new QueryOptionError('tooManyParameters', { limit: String(limits.parameters) });
  }
  return undefined;
}

function readParameter(query: string, { text, index }: Piece): QueryParameter | Unreadable {
  const equals = text.indexOf('=');
  const nameEnd = equals === -1 ? text.length : equals;
  const name = decodeComponent(text.slice(0, nameEnd));
  if (!name.ok) {
    return () => malformedEncoding(query, index + name.index, name.found);
  }
  const value = decodeComponent(text.slice(nameEnd + 1));
  if (!value.ok) {
    return () => malformedEncoding(query, index + nameEnd + 1 + value.index, value.found);
  }
  // A tab counts as a blank. Replacing a tab by a blank does not change positions, because both are one character long.
  const parts = [name.text, value.text.replaceAll('\t', ' ')];
  const faulty = parts.find((part) => indexOfControlCharacter(part) !== -1);
  return faulty === undefined
    ? { name: name.text, value: value.text }
    : () => controlCharacter(name.text, faulty);
}

function malformedEncoding(query: string, index: number, found: string): QueryOptionError {
  const position = String(positionAt(query, index));
  return new QueryOptionError('malformedEncoding', { position, found: excerpt(found) });
}

/**
 * Makes the error for a control character. `faulty` is the name or the value that contains the control character; the
 * position is a position in `faulty`.
 */
function controlCharacter(name: string, faulty: string): QueryOptionError {
  const position = String(positionAt(faulty, indexOfControlCharacter(faulty)));
  return new QueryOptionError('controlCharacter', { parameter: excerpt(name), position });
}

type Decoded =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly index: number; readonly found: string };

/** Matches a continuation byte of a UTF-8 sequence, percent-encoded: a byte from 80 to BF. */
const NEXT = '%[89AB][0-9A-F]';

/** Matches the well-formed UTF-8 sequences, percent-encoded (The Unicode Standard, table 3-7). */
const WELL_FORMED = new RegExp(
  [
    '%[0-7][0-9A-F]',
    `%(?:C[2-9A-F]|D[0-9A-F])${NEXT}`,
    `%E0%[AB][0-9A-F]${NEXT}`,
    `%E[1-9A-CEF]${NEXT}${NEXT}`,
    `%ED%[89][0-9A-F]${NEXT}`,
    `%F0%[9AB][0-9A-F]${NEXT}${NEXT}`,
    `%F[1-3]${NEXT}${NEXT}${NEXT}`,
    `%F4%8[0-9A-F]${NEXT}${NEXT}`,
  ].join('|'),
  'gi',
);

/**
 * Decodes a name or a value of a query string, in which UTF-8 is percent-encoded and `+` stands for a space. If the
 * text contains an invalid sequence or a lone surrogate, returns the index of that place. The text is checked before it
 * is decoded: decodeURIComponent does not tell the position of an error, and thousands of exceptions for thousands of
 * bad values would be slow.
 */
function decodeComponent(raw: string): Decoded {
  const unread = raw.replace(WELL_FORMED, (sequence) => '_'.repeat(sequence.length));
  const index = unread.search(/[%\p{Cs}]/u);
  return index === -1
    ? { ok: true, text: decodeURIComponent(raw.replaceAll('+', ' ')) }
    : { ok: false, index, found: malformedRun(raw.slice(index)) };
}

/** The invalid sequence at the start of the text: percent signs, each followed by up to two characters. */
function malformedRun(raw: string): string {
  return /^(?:%[^%+]{0,2})+/u.exec(raw)?.[0] ?? raw.slice(0, 1);
}
