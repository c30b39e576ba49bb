import { styleHash } from './pages/frame.js';

/** The Content-Security-Policy of the dashboard's own pages: its one style, its one script, nothing of others. */
function pagePolicy(styleHash: string): string {
  return [
    "default-src 'none'",
    `style-src '${styleHash}'`,
    "script-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join(';');
}

/**
 * The policy of Bull Board's pages, looser than ours where its user interface needs it: styles in attributes and elements
 * of its own making ('unsafe-inline' of styles alone), its base element, and translations, which it fetches. Its scripts
 * are files of ours; the fonts that it would load from another host are left out.
 */
export const boardPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'self'",
  "frame-ancestors 'none'",
].join(';');

/** Headers that keep a browser from doing anything with an answer but show it, and everybody from keeping it. */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': pagePolicy(styleHash),
  'Cache-Control': 'no-store',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-DNS-Prefetch-Control': 'off',
  'X-Download-Options': 'noopen',
  'X-Frame-Options': 'DENY',
  'X-Permitted-Cross-Domain-Policies': 'none',
  'X-Robots-Tag': 'noindex',
};
