const root = new Intl.Collator('und');

/** Text without regard to case, code point by code point. */
export function foldCase(text: string): string {
  return Array.from(text, (character) => character.toUpperCase().toLowerCase()).join('');
}

/** Order of two texts by the root collation, equal only where they are the same but for case. */
export function compareFolded(one: string, other: string): number {
  return compareText(foldCase(one), foldCase(other));
}

/** Order by the root collation, which puts case last; texts that it holds for equal are ordered by their bytes. */
export function compareText(one: string, other: string): number {
  return root.compare(one, other) || Buffer.compare(Buffer.from(one), Buffer.from(other));
}
