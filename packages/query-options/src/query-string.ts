import { countCharacters, excerpt, indexOfControlCharacter, positionAt } from './characters.js';
import { limits } from './limits.js';
import { QueryOptionError } from './query-option-error.js';

/** A parameter, decoded, its name as the client wrote it. */
export interface QueryParameter {
  readonly name: string;
  readonly value: string;
}

export interface ParsedQueryString {
  /** In the order of the text, repeated ones included. */
  readonly parameters: readonly QueryParameter[];
  /** The first thing that is wrong. */
  readonly problem: QueryOptionError | undefined;
}

/** One parameter as it stands in the raw text. */
interface Piece {
  readonly text: string;
  readonly index: number;
}

/** Makes the error of a parameter that cannot be read. Only the first is made: each looks for its position from the start. */
type Unreadable = () => QueryOptionError;

/**
 * Takes the query string of a URL apart, with or without its leading `?` (which positions do not count). Empty
 * parameters are ignored, one without `=` has the value '', `+` is a space.
 *
 * Never throws: what cannot be read is left out and named in `problem`, because identity and language are established
 * before parameters are checked. For the same reason a query that is too long, or has too many parameters, is still
 * read: its token may stand at the end.
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
  // A tab is a blank in a value; of the same length, so that positions stay.
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

/** `faulty` is the name or the value, whichever holds the character; the position is that in it. */
function controlCharacter(name: string, faulty: string): QueryOptionError {
  const position = String(positionAt(faulty, indexOfControlCharacter(faulty)));
  return new QueryOptionError('controlCharacter', { parameter: excerpt(name), position });
}

type Decoded =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly index: number; readonly found: string };

/** A byte 80 to BF, percent encoded: what follows a lead byte in UTF-8. */
const NEXT = '%[89AB][0-9A-F]';

/** The well-formed UTF-8 sequences (The Unicode Standard, table 3-7), percent encoded. */
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
 * Decodes a name or a value of a query string: percent encoded UTF-8, and `+` for a space. What is not UTF-8 is located
 * by its index in the raw text; a half surrogate pair is not either. Looks before it decodes, because
 * decodeURIComponent tells no position and an exception for each of thousands of bad values is slow.
 */
function decodeComponent(raw: string): Decoded {
  const unread = raw.replace(WELL_FORMED, (sequence) => '_'.repeat(sequence.length));
  const index = unread.search(/[%\p{Cs}]/u);
  return index === -1
    ? { ok: true, text: decodeURIComponent(raw.replaceAll('+', ' ')) }
    : { ok: false, index, found: malformedRun(raw.slice(index)) };
}

/** The percent signs that the text starts with, each with the two characters that should be its digits. */
function malformedRun(raw: string): string {
  return /^(?:%[^%+]{0,2})+/u.exec(raw)?.[0] ?? raw.slice(0, 1);
}
