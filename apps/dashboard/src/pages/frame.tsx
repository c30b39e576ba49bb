import { Document, hashOfStyle, type Markup, pageStyle, readStyle, writeDocument } from '@takt/pages';
import { type Language, languageSettings, languages, languageTag } from '@takt/texts';
import type { Person } from '../visit.js';
import type { Words } from '../words.js';

const style = pageStyle + readStyle(new URL(import.meta.resolve('#assets/dashboard.css')));

/** The hash that allows the pages' style in the Content-Security-Policy. */
export const styleHash = hashOfStyle(style);

export interface DashboardPage {
  readonly title: string;
  readonly words: Words;
  /** Path of the base URL, with which all links start. */
  readonly base: string;
  /** Undefined if nobody is signed in; the page then has no navigation. */
  readonly person: Person | undefined;
  /** Path of the page, marked in the navigation. */
  readonly path?: string;
  /** True if the page has a script that updates it. */
  readonly isLive?: boolean;
  readonly content: Markup;
}

const PLACES = [
  { path: '/', title: 'operations', isForManagers: false },
  { path: '/rejected', title: 'rejectedEvents', isForManagers: false },
  { path: '/queues', title: 'queues', isForManagers: false },
  { path: '/access', title: 'access', isForManagers: true },
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
          {PLACES.filter(({ isForManagers }) => !isForManagers || person.mayManage).map((place) => (
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

/** Links to the languages; the choice is stored in a cookie. */
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

/** A page with a single message and its remedy. */
export function writeMessagePage(
  page: Omit<DashboardPage, 'content'>,
  message: string,
  remedy?: Markup,
): string {
  const content = (
    <div class="error">
      <p class="status">{page.title}</p>
      <h1>{message}</h1>
      {remedy}
      <p>
        <a href={`${page.base}/`}>{page.words.say('operations')}</a>
      </p>
    </div>
  );
  return writePage({ ...page, content });
}

/** Path of the pages' only script, assets/live.js. */
export const LIVE_SCRIPT = '/live.js';
