import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { JSX } from 'hono/jsx/jsx-runtime';

/** The result of a component. All text in its elements and attributes is escaped. */
export type Markup = JSX.Element;

export interface WithChildren {
  readonly children?: Child;
}

/** Makes markup of a text that is already escaped HTML, such as the rows of a long table. */
export function ready(html: string): Markup {
  return raw(html);
}

/**
 * Matches CR, which browsers read as LF, and the characters that HTML forbids. It also matches surrogates in pairs,
 * which are allowed, because this makes the search fast.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const SPECIAL = /[\0-\x08\x0B-\x1F\x7F-\x9F\uD800-\uDFFF\uFFFE\uFFFF]/;
/** Matches the same characters, but no surrogates in pairs. */
const EACH_SPECIAL = /[\uFFFE\uFFFF\p{Surrogate}]|[^\P{Cc}\t\n]/gu;

/** Writes markup as text. Characters that HTML forbids are replaced by U+FFFD. Components must be synchronous. */
export function render(markup: Markup): string {
  const html = String(markup);
  return SPECIAL.test(html)
    ? html.replace(EACH_SPECIAL, (found) => (found === '\r' ? '&#13;' : '\uFFFD'))
    : html;
}
