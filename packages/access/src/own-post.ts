import type { IncomingHttpHeaders } from 'node:http';

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
