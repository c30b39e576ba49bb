/** The pieces of a filter that matter for where it can be taken apart: texts, parentheses, words, all else. */
const PIECES = /'(?:[^']|'')*'?|[()]|[A-Za-z_][\w./]*|[^'()A-Za-z_]+/gs;

interface Junction {
  readonly word: 'and' | 'or';
  readonly index: number;
}

/** Where a filter is joined outside of parentheses and texts. */
function junctionsOf(filter: string): readonly Junction[] {
  const junctions: Junction[] = [];
  let depth = 0;
  for (const { 0: piece, index } of filter.matchAll(PIECES)) {
    if (piece === '(') depth += 1;
    if (piece === ')') depth -= 1;
    const word = piece.toLowerCase();
    if (depth === 0 && (word === 'and' || word === 'or')) junctions.push({ word, index });
  }
  return junctions;
}

/** The conditions that a filter joins by `and`, as they were written; all of it where it also joins by `or`. */
export function conditionsOf(filter: string): readonly string[] {
  const junctions = junctionsOf(filter);
  if (junctions.some(({ word }) => word === 'or')) return [filter.trim()];
  const starts = [0, ...junctions.map(({ index }) => index + 'and'.length)];
  const ends = [...junctions.map(({ index }) => index), filter.length];
  return starts.map((start, place) => filter.slice(start, ends[place]).trim()).filter((text) => text !== '');
}

/** The filter that all of the conditions are. */
export function joinConditions(conditions: readonly string[]): string {
  if (conditions.length < 2) return conditions.join('');
  return conditions.map((one) => (junctionsOf(one).length > 0 ? `(${one})` : one)).join(' and ');
}

/** A number as `$filter` takes it, of what people write; undefined: it is none. */
export function readNumber(text: string): string | undefined {
  const [number] = /^-?\d+(?:[.,]\d+)?$/.exec(text.trim()) ?? [];
  return number?.replace(',', '.');
}

/**
 * A filter with points for the decimal commas between its digits. A comma in a text is one, and one in a list
 * parts its values: `in (1,2)`, `substring(Name,1,2)`.
 */
export function withDecimalPoints(filter: string): string {
  const isList: boolean[] = [];
  let before = '';
  return filter.replace(PIECES, (piece) => {
    if (piece === '(') isList.push(/^[A-Za-z_]/.test(before) && !/^(?:and|or|not)$/i.test(before));
    if (piece === ')') isList.pop();
    if (piece.trim() !== '') before = piece;
    return piece.startsWith("'") || isList.at(-1) === true ? piece : piece.replace(/(?<=\d),(?=\d)/g, '.');
  });
}
