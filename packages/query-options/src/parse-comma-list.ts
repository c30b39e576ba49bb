import type { TokenReader } from './filter/token-reader.js';

/** item *( "," item ), and nothing behind it; throws a syntaxError. */
export function parseCommaList<Item>(
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
