import { liveScript, type Markup, Message, OPENING_VIEW, placesFor, writeFrame } from '@takt/pages';
import type { Person } from '../visit.js';
import type { Words } from '../words.js';

/** The addresses with which links begin. */
export interface Site {
  /** Path of the base URL of these pages. */
  readonly base: string;
  /** Base URL of the API, to whose pages the navigation leads too. */
  readonly apiUrl: string;
}

export interface DashboardPage {
  readonly title: string;
  readonly words: Words;
  readonly site: Site;
  /** The person who is signed in. If undefined, nobody is signed in and the page has no navigation. */
  readonly person: Person | undefined;
  /** Path of the page, which the navigation marks. */
  readonly path?: string;
  /** True if a script updates the page. */
  readonly isLive?: boolean;
  readonly content: Markup;
}

export function writePage(page: DashboardPage): string {
  const { title, words, site, person, path, isLive = false, content } = page;
  const { base, apiUrl } = site;
  return writeFrame({
    language: words.language,
    title,
    base,
    home: `${apiUrl}/`,
    places:
      person === undefined
        ? []
        : placesFor(
            person.duties,
            words.language,
            (place) => place.app === 'dashboard' && place.path === path,
            ({ app, path: to }) => (app === 'api' ? `${apiUrl}${to}?view=${OPENING_VIEW}` : base + to),
          ),
    inLanguage: (language) => `${base}/language?to=${language}`,
    developers: `${apiUrl}/?view=resources`,
    children: content,
    ...(person !== undefined && { account: <Account person={person} base={base} words={words} /> }),
    ...(isLive && { script: liveScript }),
  });
}

function Account({
  person,
  base,
  words: { say },
}: Pick<Site, 'base'> & Pick<DashboardPage, 'words'> & { readonly person: Person }): Markup {
  return (
    <>
      <p title={say('signedInAs', person.name)}>{person.name}</p>
      <form method="post" action={`${base}/sign-out`}>
        <button type="submit">{say('signOut')}</button>
      </form>
    </>
  );
}

/** Writes a page with a single message and the remedy for it. */
export function writeMessagePage(
  page: Omit<DashboardPage, 'content'>,
  message: string,
  remedy?: Markup,
  back = { href: `${page.site.base}/`, text: page.words.say('operations') },
): string {
  const content = (
    <Message status={page.title} heading={message}>
      {remedy}
      <p>
        <a href={back.href}>{back.text}</a>
      </p>
    </Message>
  );
  return writePage({ ...page, content });
}
