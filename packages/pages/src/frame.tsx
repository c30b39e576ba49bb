import { type Language, languageSettings, languages, languageTag } from '@takt/texts';
import { Document, writeDocument } from './document.js';
import type { Markup, WithChildren } from './markup.js';
import { frameTextsIn } from './words.js';

/** An entry of the navigation. */
export interface Place {
  readonly title: string;
  readonly href: string;
  readonly isCurrent: boolean;
}

export interface FrameProps extends WithChildren {
  readonly language: Language;
  readonly title: string;
  /** Path of the app's base URL, without a slash at its end. */
  readonly base: string;
  /** The script of the page, which is one of the assets. */
  readonly script?: { readonly path: string };
  /** The address of the first page. */
  readonly home: string;
  /** The places that the reader may open. Without any, there is no navigation. */
  readonly places: readonly Place[];
  /** The company and the person. */
  readonly account?: Markup;
  /** Returns the address of the same page in a language. */
  readonly inLanguage: (language: Language) => string;
  /** The page about the service for people who write programs. */
  readonly developers: string;
  /** Further paragraphs of the footer. */
  readonly footer?: Markup;
}

/** Writes a page of any app as a complete HTML document: navigation, content, and a footer with the languages. */
export function writeFrame(props: FrameProps): string {
  const { language, title, base, script, children } = props;
  return writeDocument(
    <Document
      language={languageTag(language)}
      title={title}
      base={base}
      skipToContent={frameTextsIn(language).skipToContent}
      header={<Header {...props} />}
      footer={<Footer {...props} />}
      {...(script !== undefined && { head: <script src={base + script.path} defer /> })}
    >
      {children}
    </Document>,
  );
}

function Header({ home, places, account, language }: FrameProps): Markup {
  return (
    <header>
      <a class="brand" href={home}>
        Takt
      </a>
      {places.length > 0 && (
        <nav aria-label={frameTextsIn(language).places}>
          <ul>
            {places.map(({ title, href, isCurrent }) => (
              <li>
                <a class="place" href={href} aria-current={isCurrent ? 'page' : undefined}>
                  {title}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {account !== undefined && <div class="who">{account}</div>}
    </header>
  );
}

function Footer({ language, inLanguage, developers, footer }: FrameProps): Markup {
  const texts = frameTextsIn(language);
  return (
    <footer>
      <nav aria-label={texts.language}>
        <ul>
          {languages.map((other) => (
            <li>
              <a
                lang={languageTag(other)}
                hreflang={languageTag(other)}
                href={inLanguage(other)}
                aria-current={other === language ? 'true' : undefined}
              >
                {languageSettings[other].ownName}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <p>
        <a href={developers}>{texts.developers}</a>
      </p>
      {footer}
    </footer>
  );
}
