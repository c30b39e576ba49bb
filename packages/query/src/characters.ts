const EXCERPT_CHARACTERS = 40;

/** U+0000 to U+001F and U+007F: the class Cc without U+0080 to U+009F. */
const CONTROL_CHARACTER = /[^\P{Cc}\u0080-\u009f]/u;

/** The number of code points in a text. Clients count these, while `length` counts an emoji as two. */
export function countCharacters(text: string): number {
  return text.length - (text.match(/[\u{10000}-\u{10ffff}]/gu)?.length ?? 0);
}

/** The 1-based position, in code points, of an index in a text. */
export function positionAt(text: string, index: number): number {
  return countCharacters(text.slice(0, index)) + 1;
}

/** The index of the first control character, or -1. */
export function indexOfControlCharacter(text: string): number {
  return text.search(CONTROL_CHARACTER);
}

/** At most 40 code points of a text for a message, then `…` if the text is longer; never a control character. */
export function excerpt(text: string): string {
  // This many code units contain at least one code point more than an excerpt shows.
  const characters = Array.from(text.slice(0, 2 * EXCERPT_CHARACTERS + 2));
  const shown = characters.slice(0, EXCERPT_CHARACTERS).join('');
  const readable = shown.replace(/[\p{Cc}\p{Cs}]/gu, '\ufffd');
  return characters.length > EXCERPT_CHARACTERS ? `${readable}…` : readable;
}

/** Lowers A to Z only. toLowerCase also turns the Kelvin sign into k, and so makes different names equal. */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
