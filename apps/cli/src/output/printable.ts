/** Control characters (line breaks too), and those that change the direction of text or hide in it. */
const UNPRINTABLE = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/gu;

/**
 * Text from outside as one line that does nothing to a terminal: what cannot be printed is shown as \uXXXX, which
 * in JSON text means the same as before.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, toEscape);
}

/** The same for JSON text that was indented: line breaks between its values stay. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n');
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
