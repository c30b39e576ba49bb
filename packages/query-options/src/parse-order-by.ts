import { TokenReader } from './filter/token-reader.js';
import { limits } from './limits.js';
import { parseCommaList } from './parse-comma-list.js';
import { QueryOptionError } from './query-option-error.js';

export interface OrderItem {
  /** As written, dots included; whether there is such a field is for the caller to say. */
  readonly field: string;
  readonly direction: 'asc' | 'desc';
  /** Where the field starts: 1-based, in code points. */
  readonly position: number;
}

/** Reads a $orderby: field [ "asc" | "desc" ], comma separated. Throws a QueryOptionError. */
export function parseOrderBy(text: string): readonly OrderItem[] {
  const items = parseCommaList(new TokenReader('$orderby', text, 'dotted'), parseOrderItem);
  if (items.length > limits.orderFields) {
    throw new QueryOptionError('tooManyOrderFields', { limit: String(limits.orderFields) });
  }
  return items;
}

function parseOrderItem(reader: TokenReader): OrderItem {
  const field = reader.accept('word', 'field');
  if (field === undefined) {
    throw reader.unexpected();
  }
  const direction = reader.acceptKeyword(['asc', 'desc']) ?? 'asc';
  return Object.freeze({ field: field.text, direction, position: field.position });
}
