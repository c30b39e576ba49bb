import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { JSX } from 'hono/jsx/jsx-runtime';

/** The result of a component. Text in it is escaped, be it of an element or of an attribute. */
export type Markup = JSX.Element;

/** The content between the tags of a component. */
export interface WithChildren {
  readonly children?: Child;
}

/** HTML that was put together as text, such as the rows of a long table. It must be escaped already. */
export function ready(html: string): Markup {
  return raw(html);
}

/** CR, which a browser would read as LF, and what no HTML document may hold, found fast. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const SPECIAL = /[\0-\x08\x0B-\x1F\x7F-\x9F\uD800-\uDFFF\uFFFE\uFFFF]/;
/** The same without the surrogates that stand for a character in pairs. */
const EACH_SPECIAL = /[\uFFFE\uFFFF\p{Surrogate}]|[^\P{Cc}\t\n]/gu;

/** Markup as text, in which what no HTML document may hold is U+FFFD. Its components must not wait for anything. */
export function render(markup: Markup): string {
  const html = String(markup);
  return SPECIAL.test(html)
    ? html.replace(EACH_SPECIAL, (found) => (found === '\r' ? '&#13;' : '\uFFFD'))
    : html;
}
