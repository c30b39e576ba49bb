const EXCERPT_CHARACTERS = 40;

/**
 * Matches the control characters U+0000 to U+001F and U+007F. The class Cc also contains U+0080 to U+009F, which are
 * allowed.
 */
const CONTROL_CHARACTER = /[^\P{Cc}\u0080-\u009f]/u;

/**
 * Reads the identifier of an object: an integer from 1 to 2^53-1 in decimal digits, without a sign or leading zeros.
 * Returns undefined for any other text.
 */
export function readIdentifier(text: string): number | undefined {
  const number = /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

export function countCharacters(text: string): number {
  return text.length - (text.match(/[\u{10000}-\u{10ffff}]/gu)?.length ?? 0);
}

/** The position of an index in a text, counted in code points from 1. */
export function positionAt(text: string, index: number): number {
  return countCharacters(text.slice(0, index)) + 1;
}

/** The index of the first control character in a text; -1 if there is none. */
export function indexOfControlCharacter(text: string): number {
  return text.search(CONTROL_CHARACTER);
}

/**
 * An excerpt of a text for a message. It has at most 40 code points of the text, and then `…` if the text is longer. It
 * contains no control characters.
 */
export function excerpt(text: string): string {
  // So many code units contain at least one code point more than an excerpt shows.
  const characters = Array.from(text.slice(0, 2 * EXCERPT_CHARACTERS + 2));
  const shown = characters.slice(0, EXCERPT_CHARACTERS).join('');
  const readable = shown.replace(/[\p{Cc}\p{Cs}]/gu, '\ufffd');
  return characters.length > EXCERPT_CHARACTERS ? `${readable}…` : readable;
}

/**
 * Changes only A to Z to lower case. toLowerCase would also change the Kelvin sign to k, which would make different
 * names equal.
 */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}
