import type { IncomingHttpHeaders } from 'node:http';
import { returnAddress } from '@takt/access';
import { findLanguage, type Language, languages, negotiateLanguage } from '@takt/texts';
import { answerRedirect, type PageRoute } from './visit.js';

const COOKIE = 'takt_dashboard_language';
const YEAR_S = 31_536_000;
const CHOSEN = new RegExp(`(?:^|; *)${COOKIE}=(${languages.join('|')})(?:;|$)`);

/** Returns the language that was chosen in this browser, otherwise the language that the browser prefers. */
export function languageOf(headers: IncomingHttpHeaders): Language {
  const [, chosen] = CHOSEN.exec(headers.cookie ?? '') ?? [];
  return chosen === undefined ? negotiateLanguage(headers['accept-language']) : findLanguage(chosen);
}

/** Makes the route that stores the chosen language and redirects to the previous page. */
export function languageRoute(baseUrl: string): PageRoute {
  return {
    method: 'GET',
    path: '/language',
    access: 'everybody',
    answer: async ({ query, headers }) => {
      const { referer = '' } = headers;
      const path = referer.startsWith(`${baseUrl}/`) ? referer.slice(baseUrl.length) : undefined;
      const cookie = `${COOKIE}=${findLanguage(query.get('to') ?? undefined)}`;
      return answerRedirect(returnAddress(path, baseUrl), {
        'Set-Cookie': `${cookie}; Path=${new URL(baseUrl).pathname}; Max-Age=${YEAR_S}; HttpOnly; SameSite=Lax`,
      });
    },
  };
}
