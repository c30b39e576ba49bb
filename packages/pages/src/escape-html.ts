/**
 * Matches the characters that must be escaped or replaced. The check is fast, because most texts contain none of them.
 * The last class is Cc without tab and line feed.
 */
const SPECIAL = /[&<>"'\uFFFE\uFFFF\p{Surrogate}]|[^\P{Cc}\t\n]/u;
const EACH_SPECIAL = new RegExp(SPECIAL, 'gu');

const NOTATIONS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\r': '&#13;',
};

/**
 * Escapes a text for the content of an element, or for an attribute in double quotes. Characters that HTML forbids
 * become U+FFFD.
 */
export function escapeHtml(text: string): string {
  return SPECIAL.test(text) ? text.replace(EACH_SPECIAL, (found) => NOTATIONS[found] ?? '\uFFFD') : text;
}
