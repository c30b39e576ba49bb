import type { Language } from '@takt/texts';
import { type Markup, ready } from './markup.js';
import { frameTextsIn } from './words.js';

interface PagerProps {
  readonly language: Language;
  /** The position of the shown rows in the list, as HTML. */
  readonly position: string;
  /** Returns the addresses of the other pages; undefined where there is no such page. */
  readonly first: string | undefined;
  readonly previous: string | undefined;
  readonly next: string | undefined;
  readonly last: string | undefined;
}

/** The position of a page in its list, and links to the other pages. A list of a single page has no links. */
export function Pager({ language, position, first, previous, next, last }: PagerProps): Markup {
  const texts = frameTextsIn(language);
  const links = [
    { href: first, text: texts.firstPage },
    { href: previous, text: texts.previousPage, rel: 'prev' },
    { href: next, text: texts.nextPage, rel: 'next' },
    { href: last, text: texts.lastPage },
  ];
  return (
    <>
      <p>{ready(position)}</p>
      {links.some(({ href }) => href !== undefined) && (
        <ul>
          {links.map(({ href, text, rel }) => (
            <li>
              {href === undefined ? (
                <span>{text}</span>
              ) : (
                <a href={href} rel={rel}>
                  {text}
                </a>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
