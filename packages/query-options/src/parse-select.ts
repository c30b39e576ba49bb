import { syntaxError } from './filter/syntax-error.js';
import { TokenReader } from './filter/token-reader.js';
import { parseCommaList } from './parse-comma-list.js';

export interface SelectItem {
  /** The names between the dots, as written: at least one, none empty. */
  readonly path: readonly string[];
  /** Where it starts: 1-based, in code points. */
  readonly position: number;
  /** As written: the path with its dots. */
  readonly text: string;
}

/** Reads a $select: dotted names, comma separated. Throws a QueryOptionError. */
export function parseSelect(text: string): readonly SelectItem[] {
  return parseCommaList(new TokenReader('$select', text, 'dotted'), parseSelectItem);
}

function parseSelectItem(reader: TokenReader): SelectItem {
  const token = reader.accept('word', 'field');
  if (token === undefined) {
    throw reader.unexpected();
  }
  const { text, position } = token;
  if (text.endsWith('.')) {
    throw reader.unexpected('field');
  }
  // A dotted word is ASCII, so an index in it counts characters.
  const dot = text.search(/\.(?![A-Za-z_])/);
  if (dot !== -1) {
    throw syntaxError('$select', { text: text.slice(dot + 1), position: position + dot + 1 }, ['field']);
  }
  return Object.freeze({ path: Object.freeze(text.split('.')), position, text });
}
