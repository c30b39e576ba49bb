import { ICON } from './icon.js';
import { type Markup, ready, render, type WithChildren } from './markup.js';

export interface DocumentProps extends WithChildren {
  /** BCP 47. */
  readonly language: string;
  readonly title: string;
  /** Text of the one style element. */
  readonly style: string;
  /** Text of the link past the header, the first that the keyboard meets. */
  readonly skipToContent: string;
  /** Before the content, such as a header element. */
  readonly header: Markup;
  readonly footer?: Markup;
  /** More elements of the head. */
  readonly head?: Markup;
}

/** A page; what is its own are its children. */
export function Document(props: DocumentProps): Markup {
  const { language, header, footer, skipToContent, children } = props;
  return (
    <html lang={language}>
      <Head {...props} />
      <body>
        <a class="skip" href="#main">
          {skipToContent}
        </a>
        {header}
        <main id="main" tabindex={-1}>
          {children}
        </main>
        {footer}
      </body>
    </html>
  );
}

function Head({ title, style, head }: DocumentProps): Markup {
  return (
    <head>
      <meta charset="utf-8" />
      <title>
        {title} {ready('&ndash;')} Takt
      </title>
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      {/* No other site is to see an address. With no-referrer this one could not see either that a form is its own. */}
      <meta name="referrer" content="same-origin" />
      <meta name="color-scheme" content="light dark" />
      <link rel="icon" href={ICON} />
      <style>{ready(style)}</style>
      {head}
    </head>
  );
}

/** The text of a whole document. */
export function writeDocument(document: Markup): string {
  return `<!DOCTYPE html>\n${render(document)}\n`;
}
