import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { JSX } from 'hono/jsx/jsx-runtime';

/** The result of a component. Text in elements and attributes is escaped. */
export type Markup = JSX.Element;

/** The children of a component. */
export interface WithChildren {
  readonly children?: Child;
}

/** Markup from HTML text that is already escaped, such as the rows of a long table. */
export function ready(html: string): Markup {
  return raw(html);
}

/**
 * A fast search for CR, which browsers read as LF, and for characters that HTML forbids. It also finds paired
 * surrogates, which are allowed.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const SPECIAL = /[\0-\x08\x0B-\x1F\x7F-\x9F\uD800-\uDFFF\uFFFE\uFFFF]/;
/** The same characters, but without paired surrogates. */
const EACH_SPECIAL = /[\uFFFE\uFFFF\p{Surrogate}]|[^\P{Cc}\t\n]/gu;

/** Renders markup as text and replaces characters that HTML forbids by U+FFFD. Components must be synchronous. */
export function render(markup: Markup): string {
  const html = String(markup);
  return SPECIAL.test(html)
    ? html.replace(EACH_SPECIAL, (found) => (found === '\r' ? '&#13;' : '\uFFFD'))
    : html;
}
