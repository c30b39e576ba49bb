/** Tells the many texts that need nothing from the few that do. The last class is Cc without tab and line feed. */
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

/** Text of an element, or of an attribute in double quotes. Characters that no HTML document may hold become U+FFFD. */
export function escapeHtml(text: string): string {
  return SPECIAL.test(text) ? text.replace(EACH_SPECIAL, (found) => NOTATIONS[found] ?? '\uFFFD') : text;
}
