import { returnAddress, type SessionPlace } from '@takt/access';
import { languageChoice } from '@takt/pages';
import { findLanguage } from '@takt/texts';
import { answerRedirect, type PageRoute } from './visit.js';

/** Makes the route that stores the chosen language and redirects to the previous page. */
export function languageRoute(baseUrl: string, session: SessionPlace): PageRoute {
  return {
    method: 'GET',
    path: '/language',
    access: 'everybody',
    answer: async ({ query, headers }) => {
      const { referer = '' } = headers;
      const path = referer.startsWith(`${baseUrl}/`) ? referer.slice(baseUrl.length) : undefined;
      const language = findLanguage(query.get('to') ?? undefined);
      return answerRedirect(returnAddress(path, baseUrl), {
        'Set-Cookie': languageChoice.keep(language, session.baseUrl),
      });
    },
  };
}
