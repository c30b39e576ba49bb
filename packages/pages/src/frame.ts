/** A browser asks for an icon of its own accord; this one costs no request. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%230b5cad'/%3E%3Cpath d='M3 8h10M8 4v8' stroke='%23fff' stroke-width='2'/%3E%3C/svg%3E";

/** All parts are HTML already. */
export interface Frame {
  /** BCP 47. */
  readonly language: string;
  readonly title: string;
  /** Of the one style element. */
  readonly style: string;
  /** Of the link past the header, the first that the keyboard meets. */
  readonly skipToContent: string;
  /** Before the content, such as a header element. */
  readonly header: string;
  /** More elements of the head. */
  readonly head?: string;
}

/** Everything of a page before its own content; `</main>` and what follows are its own to write. */
export function startOfFrame({ language, title, style, skipToContent, header, head = '' }: Frame): string {
  return (
    `<!DOCTYPE html>\n<html lang="${language}"><head><meta charset="utf-8"><title>${title} &ndash; Takt</title>` +
    '<meta name="viewport" content="width=device-width, initial-scale=1">' +
    // No other site is to see an address. With no-referrer this one could not see either that a form is its own.
    '<meta name="referrer" content="same-origin"><meta name="color-scheme" content="light dark">' +
    `<link rel="icon" href="${ICON}"><style>${style}</style>${head}</head>\n` +
    `<body><a class="skip" href="#main">${skipToContent}</a>${header}<main id="main" tabindex="-1">\n`
  );
}
