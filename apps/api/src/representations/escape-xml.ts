/**
 * What XML has a notation for: its own signs, and the carriage return, which a parser would take for a line end. And
 * what no XML document may hold: control characters but tab and line feed (those above U+007E are allowed), the two
 * non-characters of the basic plane, halves of surrogate pairs.
 */
const SPECIAL = /[&<>\r]|[^\P{Cc}\t\n\u007F-\u009F]|[\uFFFE\uFFFF]|\p{Surrogate}/u;
const EACH_SPECIAL = new RegExp(SPECIAL, 'gu');

const NOTATIONS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\r': '&#13;',
};

/** Text content of an XML element. What no XML document may hold becomes U+FFFD. */
export function escapeXml(text: string): string {
  return SPECIAL.test(text) ? text.replace(EACH_SPECIAL, (found) => NOTATIONS[found] ?? '\uFFFD') : text;
}
