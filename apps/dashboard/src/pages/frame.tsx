import { Document, hashOfStyle, type Markup, pageStyle, readStyle, writeDocument } from '@takt/pages';
import { type Language, languageSettings, languages, languageTag } from '@takt/texts';
import { MAY_IMPORT } from '../import-duties.js';
import { missingDuty, type Person } from '../visit.js';
import type { Words } from '../words.js';

const style = pageStyle + readStyle(new URL(import.meta.resolve('#assets/dashboard.css')));

/** Hash of the pages' style, by which the Content-Security-Policy allows the style. */
export const styleHash = hashOfStyle(style);

export interface DashboardPage {
  readonly title: string;
  readonly words: Words;
  /** Path of the base URL. All links start with it. */
  readonly base: string;
  /** The person who is signed in. If undefined, nobody is signed in and the page has no navigation. */
  readonly person: Person | undefined;
  /** Path of the page, which the navigation marks. */
  readonly path?: string;
  /** True if a script updates the page. */
  readonly isLive?: boolean;
  readonly content: Markup;
}

const PLACES = [
  { path: '/', title: 'operations', access: 'signed-in' },
  { path: '/rejected', title: 'rejectedEvents', access: ['read-production-times'] },
  { path: '/import', title: 'import', access: MAY_IMPORT },
  { path: '/queues', title: 'queues', access: 'signed-in' },
  { path: '/access', title: 'access', access: ['manage-access'] },
] as const;

export function writePage(page: DashboardPage): string {
  const { title, words, base, isLive = false, content } = page;
  return writeDocument(
    <Document
      language={languageTag(words.language)}
      title={title}
      style={style}
      skipToContent={words.say('skipToContent')}
      header={<Header {...page} />}
      footer={<Footer {...page} />}
      {...(isLive && { head: <script src={`${base}${LIVE_SCRIPT}`} defer /> })}
    >
      {content}
    </Document>,
  );
}

function Header({ base, person, path, words: { say } }: DashboardPage): Markup {
  const brand = (
    <a class="brand" href={`${base}/`}>
      Takt
    </a>
  );
  if (person === undefined) return <header>{brand}</header>;
  return (
    <header>
      {brand}
      <nav aria-label={say('places')}>
        <ul>
          {PLACES.filter(({ access }) => missingDuty(person, access) === undefined).map((place) => (
            <li>
              <a href={`${base}${place.path}`} aria-current={place.path === path ? 'page' : undefined}>
                {say(place.title)}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="who">
        <p>{say('signedInAs', person.name)}</p>
        <form method="post" action={`${base}/sign-out`}>
          <button type="submit">{say('signOut')}</button>
        </form>
      </div>
    </header>
  );
}

/** The footer with links to the languages. The chosen language is stored in a cookie. */
function Footer({ base, words }: DashboardPage): Markup {
  return (
    <footer>
      <nav aria-label={words.say('language')}>
        <ul>
          {languages.map((language) => (
            <LanguageLink language={language} base={base} isCurrent={language === words.language} />
          ))}
        </ul>
      </nav>
    </footer>
  );
}

interface LanguageLinkProps {
  readonly language: Language;
  readonly base: string;
  readonly isCurrent: boolean;
}

function LanguageLink({ language, base, isCurrent }: LanguageLinkProps): Markup {
  return (
    <li>
      <a
        href={`${base}/language?to=${language}`}
        lang={languageTag(language)}
        hreflang={languageTag(language)}
        aria-current={isCurrent ? 'true' : undefined}
      >
        {languageSettings[language].ownName}
      </a>
    </li>
  );
}

/** Writes a page with a single message and the remedy for it. */
export function writeMessagePage(
  page: Omit<DashboardPage, 'content'>,
  message: string,
  remedy?: Markup,
  back = { href: `${page.base}/`, text: page.words.say('operations') },
): string {
  const content = (
    <div class="error">
      <p class="status">{page.title}</p>
      <h1>{message}</h1>
      {remedy}
      <p>
        <a href={back.href}>{back.text}</a>
      </p>
    </div>
  );
  return writePage({ ...page, content });
}

/** Path of assets/live.js, the only script of the pages. */
export const LIVE_SCRIPT = '/live.js';
