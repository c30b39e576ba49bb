import { Document, hashOfStyle, type Markup, pageStyle, readStyle, writeDocument } from '@takt/pages';
import type { Person } from '../visit.js';

const style = pageStyle + readStyle(new URL(import.meta.resolve('#assets/dashboard.css')));

/** What the Content-Security-Policy allows the style of the pages by. */
export const styleHash = hashOfStyle(style);

export interface DashboardPage {
  readonly title: string;
  /** Of the base URL: begins every link. */
  readonly base: string;
  /** Undefined: nobody is signed in, and there is nowhere to go. */
  readonly person: Person | undefined;
  /** Path of the page, which the navigation marks. */
  readonly path?: string;
  /** Whether its script keeps it up to date. */
  readonly isLive?: boolean;
  readonly content: Markup;
}

const PLACES = [
  { path: '/', title: 'Operations' },
  { path: '/rejected', title: 'Rejected events' },
  { path: '/queues/', title: 'Queues' },
] as const;

export function writePage(page: DashboardPage): string {
  const { title, base, isLive = false, content } = page;
  return writeDocument(
    <Document
      language="en"
      title={title}
      style={style}
      skipToContent="Skip to the content"
      header={<Header {...page} />}
      {...(isLive && { head: <script src={`${base}${LIVE_SCRIPT}`} defer /> })}
    >
      {content}
    </Document>,
  );
}

function Header({ base, person, path }: DashboardPage): Markup {
  const brand = (
    <a class="brand" href={`${base}/`}>
      Takt
    </a>
  );
  if (person === undefined) return <header>{brand}</header>;
  return (
    <header>
      {brand}
      <nav aria-label="Places">
        <ul>
          {PLACES.map((place) => (
            <li>
              <a href={`${base}${place.path}`} aria-current={place.path === path ? 'page' : undefined}>
                {place.title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="who">
        <p>Signed in as {person.name}</p>
        <form method="post" action={`${base}/sign-out`}>
          <button type="submit">Sign out</button>
        </form>
      </div>
    </header>
  );
}

/** A page that says one thing, and what to do. */
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
        <a href={`${page.base}/`}>Operations</a>
      </p>
    </div>
  );
  return writePage({ ...page, content });
}

/** Path of the one script of the pages; see assets/live.js. */
export const LIVE_SCRIPT = '/live.js';
