/**
 * A fast search, because most texts contain none of these characters. The last class is Cc without tab and line feed.
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

/** Escapes text for an element or a double-quoted attribute. Characters that HTML forbids become U+FFFD. */
export function escapeHtml(text: string): string {
  return SPECIAL.test(text) ? text.replace(EACH_SPECIAL, (found) => NOTATIONS[found] ?? '\uFFFD') : text;
}
