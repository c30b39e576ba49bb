import type { IncomingHttpHeaders } from 'node:http';

/** What the browser of a person keeps between two pages. */
export interface Session {
  /** An access token. */
  readonly token: string;
  /** The person brought the token along, and others may use it too: signing out does not revoke it. */
  readonly isGiven: boolean;
}

/** Of the API. Cookies do not know ports, so each app of a host needs a name of its own. */
const NAME = 'takt_session';
/** Stands behind a token that was given. */
const GIVEN = '.given';

/**
 * The session that a browser sends. A cookie that was set twice, by this service and by a neighbour of its host, is
 * none: where the base URL is https, the prefix of the name keeps neighbours from setting one at all.
 */
export function readSession(
  { cookie }: IncomingHttpHeaders,
  baseUrl: string,
  name = NAME,
): Session | undefined {
  if (cookie === undefined) return undefined;
  const begin = `${nameOf(name, baseUrl)}=`;
  const [value, ...others] = cookie
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(begin))
    .map((pair) => pair.slice(begin.length));
  if (value === undefined || value === '' || others.length > 0) return undefined;
  const isGiven = value.endsWith(GIVEN);
  return { token: isGiven ? value.slice(0, -GIVEN.length) : value, isGiven };
}

/** Set-Cookie for a session, whose token is well-formed. It ends with the browser; its token may end before. */
export function writeSession({ token, isGiven }: Session, baseUrl: string, name = NAME): string {
  return cookieOf(name, token + (isGiven ? GIVEN : ''), baseUrl);
}

/** Set-Cookie that makes a browser forget its session. */
export function forgetSession(baseUrl: string, name = NAME): string {
  return `${cookieOf(name, '', baseUrl)}; Max-Age=0`;
}

function cookieOf(name: string, value: string, baseUrl: string): string {
  const attributes = `Path=${pathOf(baseUrl) || '/'}; HttpOnly; SameSite=Lax`;
  return `${nameOf(name, baseUrl)}=${value}; ${attributes}${isSecure(baseUrl) ? '; Secure' : ''}`;
}

/** A browser takes __Host- for the whole of a host only, and either prefix over https only. */
function nameOf(name: string, baseUrl: string): string {
  if (!isSecure(baseUrl)) return name;
  return `${pathOf(baseUrl) === '' ? '__Host-' : '__Secure-'}${name}`;
}

function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith('https:');
}

function pathOf(baseUrl: string): string {
  return baseUrl.replace(/^https?:\/\/[^/]*/i, '');
}

/**
 * Was this posted by a page of this service, or by no browser? What another site posts would sign its visitor in as
 * somebody else, or out. Sec-Fetch-Site is sent by every browser to https and to loopback; to plain http there is the
 * Origin, for which our pages have the referrer policy same-origin: with no-referrer it would be null. A form that the
 * person has a browser send again comes from none.
 */
export function isOwnPost(headers: IncomingHttpHeaders, baseUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return headers.origin === undefined || headers.origin === new URL(baseUrl).origin;
}

/** Only to tell a path from what a browser could take for another host; nothing is asked of it. */
const INSIDE = /^\/(?![/\\])[^\\\p{Cc}]*$/u;

/**
 * The absolute address of a page of this service that a client names by its path below the base URL, or of the first page
 * where it names none or anything else: nobody is led to another site.
 */
export function returnAddress(path: string | undefined, baseUrl: string): string {
  const first = `${baseUrl}/`;
  if (path === undefined || !INSIDE.test(path) || !URL.canParse(baseUrl + path)) return first;
  // After dots in the path have been resolved.
  const { href } = new URL(baseUrl + path);
  return href.startsWith(new URL(first).href) ? href : first;
}
