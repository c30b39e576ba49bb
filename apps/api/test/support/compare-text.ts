const root = new Intl.Collator('und');

/** Folds case, code point by code point. */
export function foldCase(text: string): string {
  return Array.from(text, (character) => character.toUpperCase().toLowerCase()).join('');
}

/** Compares two texts by the root collation; equal only if they differ at most in case. */
export function compareFolded(one: string, other: string): number {
  return compareText(foldCase(one), foldCase(other));
}

/** Compares by the root collation, which ranks case last; texts it deems equal are compared by their bytes. */
export function compareText(one: string, other: string): number {
  return root.compare(one, other) || Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/** The form in which a search compares words: without case and marks, with plain letters for those that have none. */
export function plainText(text: string): string {
  return foldCase(text)
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/[øłđðıħŧŋæœþ]/g, (letter) => PLAIN[letter] ?? letter);
}

const PLAIN: Readonly<Record<string, string>> = {
  ...{ ø: 'o', ł: 'l', đ: 'd', ð: 'd', ı: 'i', ħ: 'h', ŧ: 't', ŋ: 'n' },
  ...{ æ: 'ae', œ: 'oe', þ: 'th' },
};

/** The spellings under which a search finds a text. */
export function spellings(text: string): readonly string[] {
  const spelledOut = foldCase(text)
    .normalize('NFC')
    .replace(/[äöüøå]/g, (letter) => ({ ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' })[letter] ?? letter);
  return [foldCase(text), plainText(text), plainText(spelledOut)];
}

/** True if each word of a search is in one of the texts, which are given in all their spellings. */
export function holdsWords(places: readonly string[], search: string): boolean {
  const words = search.split(/\s+/u).map(plainText);
  return words.every((word) => places.some((place) => place.includes(word)));
}
