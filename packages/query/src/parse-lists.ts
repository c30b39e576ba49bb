import { limits } from './limits.js';
import { phrase, QueryOptionError } from './query-option-error.js';
import { syntaxError, TokenReader } from './tokens.js';

export interface SelectItem {
  /** The names between the dots, as written: at least one, none empty. */
  readonly path: readonly string[];
  /** Start of the item: 1-based, in code points. */
  readonly position: number;
  /** The item as written, with its dots. */
  readonly text: string;
}

/** Parses a $select: dotted names separated by commas; undefined for `*`: all fields. Throws a QueryOptionError. */
export function parseSelect(text: string): readonly SelectItem[] | undefined {
  const items = parseCommaList(new TokenReader('$select', text, 'dotted'), parseSelectItem);
  const named = items.filter((item) => item !== EVERYTHING);
  return named.length < items.length ? undefined : Object.freeze(named);
}

const EVERYTHING = '*';

function parseSelectItem(reader: TokenReader): SelectItem | typeof EVERYTHING {
  const token = reader.accept('word', phrase('field'));
  if (token === undefined) {
    if (reader.acceptMark(EVERYTHING) === undefined) throw reader.unexpected();
    return EVERYTHING;
  }
  const { text, position } = token;
  if (text.endsWith('.')) throw reader.unexpected(phrase('field'));
  // A dotted word is ASCII, so an index counts code points too.
  const dot = text.search(/\.(?![A-Za-z_])/);
  if (dot !== -1) {
    throw syntaxError('$select', { text: text.slice(dot + 1), position: position + dot + 1 }, [
      phrase('field'),
    ]);
  }
  return Object.freeze({ path: Object.freeze(text.split('.')), position, text });
}

export interface OrderItem {
  /** The name as written, with its dots. The caller checks that the field exists. */
  readonly field: string;
  readonly direction: 'asc' | 'desc';
  /** Start of the item: 1-based, in code points. */
  readonly position: number;
}

/** Parses a $orderby: field [ "asc" | "desc" ], separated by commas. Throws a QueryOptionError. */
export function parseOrderBy(text: string): readonly OrderItem[] {
  const items = parseCommaList(new TokenReader('$orderby', text, 'dotted'), parseOrderItem);
  if (items.length > limits.orderFields) {
    throw new QueryOptionError('tooManyOrderFields', { limit: String(limits.orderFields) });
  }
  return items;
}

function parseOrderItem(reader: TokenReader): OrderItem {
  const field = reader.accept('word', phrase('field'));
  if (field === undefined) throw reader.unexpected();
  const direction = reader.acceptKeyword(['asc', 'desc']) ?? 'asc';
  return Object.freeze({ field: field.text, direction, position: field.position });
}

export interface ExpandItem {
  readonly name: string;
  /** Start of the item: 1-based, in code points. */
  readonly position: number;
}

/** Parses a $expand: names separated by commas. Throws a QueryOptionError. */
export function parseExpand(text: string): readonly ExpandItem[] {
  return parseCommaList(new TokenReader('$expand', text, 'plain'), parseExpandItem);
}

function parseExpandItem(reader: TokenReader): ExpandItem {
  const token = reader.accept('word', phrase('name'));
  if (token === undefined) throw reader.unexpected();
  return Object.freeze({ name: token.text, position: token.position });
}

/** item *( "," item ) up to the end; throws a syntaxError. */
function parseCommaList<Item>(
  reader: TokenReader,
  parseItem: (reader: TokenReader) => Item,
): readonly Item[] {
  const items = [parseItem(reader)];
  while (reader.acceptMark(',') !== undefined) {
    items.push(parseItem(reader));
  }
  reader.expectEnd();
  return Object.freeze(items);
}
