import type { IncomingHttpHeaders } from 'node:http';

/** The session that a browser keeps between two pages. */
export interface Session {
  readonly token: string;
  /** The person entered an existing token, which others may use too: signing out does not revoke it. */
  readonly isGiven: boolean;
}

/** The API's cookie. Cookies ignore ports, so each app on a host needs its own name. */
const NAME = 'takt_session';
/** Suffix of an entered token. */
const GIVEN = '.given';

/**
 * The session that a browser sends. A cookie that appears twice is ignored, since a neighbour on the same host may have
 * set one; with an https base URL the prefix of the name prevents that.
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

/** Set-Cookie for a session with a well-formed token. The cookie ends with the browser; the token may end before. */
export function writeSession({ token, isGiven }: Session, baseUrl: string, name = NAME): string {
  return cookieOf(name, token + (isGiven ? GIVEN : ''), baseUrl);
}

/** Set-Cookie that removes the session. */
export function forgetSession(baseUrl: string, name = NAME): string {
  return `${cookieOf(name, '', baseUrl)}; Max-Age=0`;
}

function cookieOf(name: string, value: string, baseUrl: string): string {
  const attributes = `Path=${pathOf(baseUrl) || '/'}; HttpOnly; SameSite=Lax`;
  return `${nameOf(name, baseUrl)}=${value}; ${attributes}${isSecure(baseUrl) ? '; Secure' : ''}`;
}

/** Browsers accept __Host- only for a whole host, and either prefix only over https. */
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
 * True if a page of this service posted the request, or no browser did. A post from another site could sign its visitor
 * in as somebody else, or out. Browsers send Sec-Fetch-Site to https and to loopback. Over plain http they send Origin,
 * which our pages enable with the referrer policy same-origin (with no-referrer it would be null). A form that is sent
 * again on reload has neither and counts as own.
 */
export function isOwnPost(headers: IncomingHttpHeaders, baseUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return headers.origin === undefined || headers.origin === new URL(baseUrl).origin;
}

/** Distinguishes a path from a text that browsers take for another host; nothing is requested from it. */
const INSIDE = /^\/(?![/\\])[^\\\p{Cc}]*$/u;

/**
 * The absolute address of a page that a client names by its path below the base URL. Anything else gives the first
 * page, so nobody is redirected to another site.
 */
export function returnAddress(path: string | undefined, baseUrl: string): string {
  const first = `${baseUrl}/`;
  if (path === undefined || !INSIDE.test(path) || !URL.canParse(baseUrl + path)) return first;
  // Checked again after URL has resolved dots in the path.
  const { href } = new URL(baseUrl + path);
  return href.startsWith(new URL(first).href) ? href : first;
}
