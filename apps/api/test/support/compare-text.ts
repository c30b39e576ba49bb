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

/** As a search compares words: without case and marks, and without the letters that have none apart. */
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

/** In what ways a text may be written that a search looks into. */
export function spellings(text: string): readonly string[] {
  const spelledOut = foldCase(text)
    .normalize('NFC')
    .replace(/[äöüøå]/g, (letter) => ({ ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' })[letter] ?? letter);
  return [foldCase(text), plainText(text), plainText(spelledOut)];
}

/** True if each word of a search stands in one of the places, which are given in all their spellings. */
export function holdsWords(places: readonly string[], search: string): boolean {
  const words = search.split(/\s+/u).map(plainText);
  return words.every((word) => places.some((place) => place.includes(word)));
}
