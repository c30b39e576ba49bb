import { styleSheet } from './assets.js';
import { type Markup, ready, render, type WithChildren } from './markup.js';

/**
 * The icon of all pages. Browsers always request an icon; because this icon is a data URL, they need no request for it.
 */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%230b5cad'/%3E%3Cpath d='M3 8h10M8 4v8' stroke='%23fff' stroke-width='2'/%3E%3C/svg%3E";

interface DocumentProps extends WithChildren {
  /** The language of the page, as a BCP 47 tag. */
  readonly language: string;
  readonly title: string;
  /** Path of the app's base URL, below which the style sheet is. */
  readonly base: string;
  /** The text of the link that skips the header. This link is the first that the Tab key reaches. */
  readonly skipToContent: string;
  /** The content that precedes the main content, such as a header element. */
  readonly header: Markup;
  readonly footer?: Markup;
  readonly head?: Markup;
}

/** A complete page. Its children are the main content. */
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

function Head({ title, base, head }: DocumentProps): Markup {
  return (
    <head>
      <meta charset="utf-8" />
      <title>
        {title} {ready('&ndash;')} Takt
      </title>
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      {/*
       * Other sites must not learn the addresses of pages. The policy is same-origin rather than no-referrer, because
       * with no-referrer this service could not recognise its own forms.
       */}
      <meta name="referrer" content="same-origin" />
      <meta name="color-scheme" content="light dark" />
      <link rel="icon" href={ICON} />
      <link rel="stylesheet" href={base + styleSheet.path} />
      {head}
    </head>
  );
}

export function writeDocument(document: Markup): string {
  return `<!DOCTYPE html>\n${render(document)}\n`;
}
