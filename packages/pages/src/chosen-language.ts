import type { IncomingHttpHeaders } from 'node:http';
import { findLanguage, type Language, languages, negotiateLanguage } from '@takt/texts';

const COOKIE = 'takt_language';
const YEAR_S = 31_536_000;
const CHOSEN = new RegExp(`(?:^|; *)${COOKIE}=(${languages.join('|')})(?:;|$)`);

/** Returns the language that was chosen in this browser, otherwise the language that the browser prefers. */
export function chosenLanguage(headers: IncomingHttpHeaders): Language {
  const [, chosen] = CHOSEN.exec(headers.cookie ?? '') ?? [];
  return chosen === undefined ? negotiateLanguage(headers['accept-language']) : findLanguage(chosen);
}

/**
 * Returns the Set-Cookie header that stores a chosen language for all pages.
 * @param baseUrl base URL of the session
 */
export function languageCookie(language: Language, baseUrl: string): string {
  return `${COOKIE}=${language}; Path=${new URL(baseUrl).pathname}; Max-Age=${YEAR_S}; HttpOnly; SameSite=Lax`;
}
