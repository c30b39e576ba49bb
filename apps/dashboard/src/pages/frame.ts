import { escapeHtml, hashOfStyle, pageStyle, readStyle, startOfFrame } from '@takt/pages';
import type { Person } from '../person.js';

const style = pageStyle + readStyle(new URL(import.meta.resolve('#assets/dashboard.css')));

/** What the Content-Security-Policy allows the style of the pages by. */
export const styleHash = hashOfStyle(style);

/** A page of the dashboard; everything is HTML but the path. */
export interface DashboardPage {
  readonly title: string;
  /** Of the base URL: begins every link. */
  readonly base: string;
  /** Undefined: nobody is signed in, and there is nowhere to go. */
  readonly person: Person | undefined;
  /** Path of the page, which the navigation marks. */
  readonly path?: string;
  /** More elements of the head. */
  readonly head?: string;
  readonly content: string;
}

const PLACES = [
  { path: '/', title: 'Operations' },
  { path: '/rejected', title: 'Rejected events' },
  { path: '/queues/', title: 'Queues' },
] as const;

export function writePage(page: DashboardPage): string {
  const start = startOfFrame({
    language: 'en',
    title: page.title,
    style,
    skipToContent: 'Skip to the content',
    header: header(page),
    head: page.head ?? '',
  });
  return `${start}${page.content}</main></body></html>\n`;
}

function header({ base, person, path }: DashboardPage): string {
  const brand = `<a class="brand" href="${base}/">Takt</a>`;
  if (person === undefined) return `<header>${brand}</header>`;
  const links = PLACES.map((place) => {
    const current = place.path === path ? ' aria-current="page"' : '';
    return `<li><a href="${base}${place.path}"${current}>${place.title}</a></li>`;
  });
  return (
    `<header>${brand}<nav aria-label="Places"><ul>${links.join('')}</ul></nav>` +
    `<p>Signed in as ${escapeHtml(person.name)}</p>` +
    `<form method="post" action="${base}/sign-out"><button type="submit">Sign out</button></form></header>`
  );
}

/** A page that says one thing and what to do. `message` is text. */
export function writeMessagePage(page: Omit<DashboardPage, 'content'>, message: string, more = ''): string {
  const content =
    `<div class="error"><p class="status">${page.title}</p><h1>${escapeHtml(message)}</h1>${more}` +
    `<p><a href="${page.base}/">Operations</a></p></div>`;
  return writePage({ ...page, content });
}
