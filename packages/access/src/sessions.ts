import type { IncomingHttpHeaders } from 'node:http';

/** The session of a browser. The browser keeps it in a cookie from one page to the next. */
export interface Session {
  readonly token: string;
  /**
   * True if the person has entered an existing token. Others may be using the same token, so signing out does not
   * revoke it.
   */
  readonly isGiven: boolean;
}

/** The name of the cookie of a session. */
export const SESSION_COOKIE = 'takt_session';
/** The suffix in the cookie that marks a token which the person has entered. */
const GIVEN = '.given';

/**
 * Reads the session that a browser sends. If the cookie appears twice, both are ignored, because another app on the
 * same host may have set one of them. If the base URL has https, the prefix of the cookie's name prevents this.
 */
export function readSession(
  { cookie }: IncomingHttpHeaders,
  baseUrl: string,
  name = SESSION_COOKIE,
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

/** The cookie in which an app keeps sessions: its name, and the base URL that determines where the browser sends it. */
export interface SessionPlace {
  readonly name: string;
  readonly baseUrl: string;
}

/**
 * Returns the cookie of the operator's pages. It is the cookie of the API if the browser sends that one here too, so that
 * a person signs in once: both are on one host, whose ports share their cookies, and these pages are below the API.
 */
export function operatorSession(dashboardUrl: string, apiUrl: string): SessionPlace {
  const [own, api] = [new URL(`${dashboardUrl}/`), new URL(`${apiUrl}/`)];
  const isSent =
    own.protocol === api.protocol && own.hostname === api.hostname && own.pathname.startsWith(api.pathname);
  return isSent
    ? { name: SESSION_COOKIE, baseUrl: apiUrl }
    : { name: 'takt_dashboard_session', baseUrl: dashboardUrl };
}

/**
 * Returns the Set-Cookie header that stores a session. The token must be well-formed. The cookie disappears when the
 * browser is closed; the token may expire earlier.
 */
export function writeSession({ token, isGiven }: Session, baseUrl: string, name = SESSION_COOKIE): string {
  return cookieOf(name, token + (isGiven ? GIVEN : ''), baseUrl);
}

/** Returns the Set-Cookie header that removes the session from the browser. */
export function forgetSession(baseUrl: string, name = SESSION_COOKIE): string {
  return `${cookieOf(name, '', baseUrl)}; Max-Age=0`;
}

function cookieOf(name: string, value: string, baseUrl: string): string {
  const attributes = `Path=${pathOf(baseUrl) || '/'}; HttpOnly; SameSite=Lax`;
  return `${nameOf(name, baseUrl)}=${value}; ${attributes}${isSecure(baseUrl) ? '; Secure' : ''}`;
}

/**
 * The name of the cookie with a prefix. Browsers accept the prefix __Host- only for a cookie of a whole host, and
 * accept either prefix only over https.
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
 * True if a page of this service has sent the form, or if the request does not come from a browser. A form from another
 * site could sign the person out, or sign them in as somebody else.
 * Over https and for loopback addresses, browsers send Sec-Fetch-Site. Over plain http they send Origin, but only
 * because the pages of this service set the referrer policy same-origin; with no-referrer, Origin would be null. When a
 * person reloads a page and thereby sends a form again, the request has neither header, and the form counts as one of
 * this service.
 */
export function isOwnPost(headers: IncomingHttpHeaders, baseUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return headers.origin === undefined || headers.origin === new URL(baseUrl).origin;
}

const OWN_SITES: readonly unknown[] = ['none', 'same-origin'];

/**
 * True if the person opened the address in the browser, or a page of this service did. An address that was opened from
 * another site must not start a session, because that site could sign people in as somebody else.
 */
export function isOpened(headers: IncomingHttpHeaders): boolean {
  return headers['sec-fetch-mode'] === 'navigate' && OWN_SITES.includes(headers['sec-fetch-site']);
}

/**
 * True if a person opened the address to see it now, so that a code in it may be used up. False for HEAD requests, previews of
 * links, prefetching, links on other sites, and browsers that send no Sec-Fetch headers, for example over plain http to
 * another machine.
 */
export function mayUseCode({
  headers,
  isHead = false,
}: {
  readonly headers: IncomingHttpHeaders;
  readonly isHead?: boolean | undefined;
}): boolean {
  const isAhead = headers['sec-purpose'] !== undefined || headers['purpose'] !== undefined;
  return !isHead && !isAhead && isOpened(headers);
}

/**
 * Matches a path, but not a text that browsers would take for the address of another host. The text is only compared
 * with this pattern; nothing is requested from such a host.
 */
const INSIDE = /^\/(?![/\\])[^\\\p{Cc}]*$/u;

/**
 * The absolute address of a page to which a person returns. The client names the page by a path below the base URL. For
 * any other text, the address is that of the start page, so nobody is redirected to another site.
 */
export function returnAddress(path: string | undefined, baseUrl: string): string {
  const first = `${baseUrl}/`;
  if (path === undefined || !INSIDE.test(path) || !URL.canParse(baseUrl + path)) return first;
  // The complete address is checked again, because URL has resolved the dots in the path.
  const { href } = new URL(baseUrl + path);
  return href.startsWith(new URL(first).href) ? href : first;
}
