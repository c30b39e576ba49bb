const root = new Intl.Collator('und');

/** Folds case, code point by code point, and composes characters. */
export function foldCase(text: string): string {
  return Array.from(text, (character) => character.toUpperCase().toLowerCase())
    .join('')
    .normalize('NFC');
}

/**
 * Compares two texts by the root collation without regard to case. Returns 0 only for texts that differ at most in
 * case.
 */
export function compareFolded(one: string, other: string): number {
  return compareText(foldCase(one), foldCase(other));
}

/**
 * Compares two texts by the root collation. Case is the last criterion. If the collation finds no difference, compares
 * the bytes.
 */
export function compareText(one: string, other: string): number {
  return root.compare(one, other) || Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/**
 * Returns the form of a word that a search compares: without case and marks. Letters without such a form, such as ø,
 * are replaced by plain letters.
 */
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

/** Returns the forms of a text in which a search looks for its words. */
export function spellings(text: string): readonly string[] {
  const spelledOut = foldCase(text)
    .normalize('NFC')
    .replace(/[äöüøå]/g, (letter) => ({ ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' })[letter] ?? letter);
  return [foldCase(text), plainText(text), plainText(spelledOut)];
}

/** True if each word of a search occurs in one of the texts. The caller passes each text in all its spellings. */
export function holdsWords(places: readonly string[], search: string): boolean {
  const words = search.split(/\s+/u).map(plainText);
  return words.every((word) => places.some((place) => place.includes(word)));
}
