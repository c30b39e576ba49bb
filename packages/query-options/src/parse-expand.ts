import { TokenReader } from './filter/token-reader.js';
import { parseCommaList } from './parse-comma-list.js';

export interface ExpandItem {
  readonly name: string;
  /** Where it starts: 1-based, in code points. */
  readonly position: number;
}

/** Reads a $expand: names, comma separated. Throws a QueryOptionError. */
export function parseExpand(text: string): readonly ExpandItem[] {
  return parseCommaList(new TokenReader('$expand', text, 'plain'), parseExpandItem);
}

function parseExpandItem(reader: TokenReader): ExpandItem {
  const token = reader.accept('word', 'name');
  if (token === undefined) {
    throw reader.unexpected();
  }
  return Object.freeze({ name: token.text, position: token.position });
}
