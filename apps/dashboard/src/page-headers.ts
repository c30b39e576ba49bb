import { styleHash } from './pages/frame.js';

/**
 * Returns the Content-Security-Policy of the dashboard's pages. It allows only the style and the script of these pages.
 */
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

/** Headers that allow browsers to show an answer and nothing else, and that forbid all caches to store the answer. */
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
