import type { IncomingHttpHeaders } from 'node:http';

/** The session that a browser keeps from one page to the next. */
export interface Session {
  readonly token: string;
  /** True if the person entered an existing token. Others may use that token too, so signing out does not revoke it. */
  readonly isGiven: boolean;
}

/**
 * The name of the API's cookie. Cookies are shared by all ports of a host, so each app on a host needs its own name.
 */
const NAME = 'takt_session';
/** Suffix in the cookie that marks an entered token. */
const GIVEN = '.given';

/**
 * Reads the session that a browser sends. If the cookie appears twice it is ignored, since another app on the same host
 * may have set one of them. With an https base URL the prefix of the name prevents that.
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

/**
 * Returns the Set-Cookie header for a session with a well-formed token. The cookie ends when the browser is closed; the
 * token may end earlier.
 */
export function writeSession({ token, isGiven }: Session, baseUrl: string, name = NAME): string {
  return cookieOf(name, token + (isGiven ? GIVEN : ''), baseUrl);
}

/** Returns the Set-Cookie header that removes the session. */
export function forgetSession(baseUrl: string, name = NAME): string {
  return `${cookieOf(name, '', baseUrl)}; Max-Age=0`;
}

function cookieOf(name: string, value: string, baseUrl: string): string {
  const attributes = `Path=${pathOf(baseUrl) || '/'}; HttpOnly; SameSite=Lax`;
  return `${nameOf(name, baseUrl)}=${value}; ${attributes}${isSecure(baseUrl) ? '; Secure' : ''}`;
}

/**
 * The name of the cookie with its prefix. Browsers accept __Host- only for a cookie of a whole host, and either prefix
 * only over https.
 */
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
 * True if a page of this service posted the request, or if no browser did. A POST from another site could sign the user
 * out, or in as somebody else. Browsers send Sec-Fetch-Site over https and to loopback addresses. Over plain http they
 * send Origin, but only because our pages set the referrer policy same-origin (with no-referrer, Origin would be null).
 * A form that is sent again on reload has neither header and counts as own.
 */
export function isOwnPost(headers: IncomingHttpHeaders, baseUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return headers.origin === undefined || headers.origin === new URL(baseUrl).origin;
}

/**
 * Matches a path, but not a text that browsers would take for another host. It is only matched; nothing is requested
 * from that host.
 */
const INSIDE = /^\/(?![/\\])[^\\\p{Cc}]*$/u;

/**
 * The absolute address of a page that the client names by a path below the base URL. Anything else results in the start
 * page, so nobody is redirected to another site.
 */
export function returnAddress(path: string | undefined, baseUrl: string): string {
  const first = `${baseUrl}/`;
  if (path === undefined || !INSIDE.test(path) || !URL.canParse(baseUrl + path)) return first;
  // Checks the address again, because URL has resolved dots in the path.
  const { href } = new URL(baseUrl + path);
  return href.startsWith(new URL(first).href) ? href : first;
}
