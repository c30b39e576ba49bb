import { limits } from './limits.js';
import { phrase, QueryOptionError } from './query-option-error.js';
import { syntaxError, TokenReader } from './tokens.js';

export interface SelectItem {
  /** The names between the dots, as the client wrote them. There is at least one, and none is empty. */
  readonly path: readonly string[];
  /** The place where the item starts, counted in code points from 1. */
  readonly position: number;
  /** The item as the client wrote it, including dots. */
  readonly text: string;
}

/**
 * Parses a $select, which contains dotted names separated by commas. Returns undefined for `*`, which selects all
 * fields. Throws a QueryOptionError.
 */
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
  // A dotted word contains only ASCII characters, so an index in it is also a number of code points.
  const dot = text.search(/\.(?![A-Za-z_])/);
  if (dot !== -1) {
    throw syntaxError('$select', { text: text.slice(dot + 1), position: position + dot + 1 }, [
      phrase('field'),
    ]);
  }
  return Object.freeze({ path: Object.freeze(text.split('.')), position, text });
}

export interface OrderItem {
  /** The name as the client wrote it, including dots. The caller checks that the field exists. */
  readonly field: string;
  readonly direction: 'asc' | 'desc';
  /** The place where the item starts, counted in code points from 1. */
  readonly position: number;
}

/**
 * Parses a $orderby, which contains items of the form: field [ "asc" | "desc" ]. The items are separated by commas.
 * Throws a QueryOptionError.
 */
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
  /** The place where the item starts, counted in code points from 1. */
  readonly position: number;
}

/** Parses a $expand, which contains names separated by commas. Throws a QueryOptionError. */
export function parseExpand(text: string): readonly ExpandItem[] {
  return parseCommaList(new TokenReader('$expand', text, 'plain'), parseExpandItem);
}

function parseExpandItem(reader: TokenReader): ExpandItem {
  const token = reader.accept('word', phrase('name'));
  if (token === undefined) throw reader.unexpected();
  return Object.freeze({ name: token.text, position: token.position });
}

/** Parses items separated by commas, up to the end of the text: item *( "," item ). Throws a syntaxError. */
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
