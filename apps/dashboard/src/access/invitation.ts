import {
  acceptInvitation,
  findInvited,
  isLongEnough,
  MIN_PASSWORD_CHARACTERS,
  type SessionPlace,
  signIn,
  writeSession,
} from '@takt/access';
import type { Database } from '@takt/database';
import type { ApiAnswer } from '@takt/http';
import { type Site, writeMessagePage, writePage } from '../pages/frame.js';
import { answerHtml, answerRedirect, type PageRoute, type People, type Visit } from '../visit.js';
import { passwordPage } from './invitation-pages.js';

interface InvitationDependencies {
  readonly pool: Database['pool'];
  readonly people: People;
  readonly baseUrl: string;
  readonly site: Site;
  /** The cookie of sessions. */
  readonly session: SessionPlace;
}

/**
 * The page on which an invited person sets a password. Opening it uses nothing up, because previews of links open it too;
 * only the form does. Then the person is signed in.
 */
export function invitationRoutes(dependencies: InvitationDependencies): readonly PageRoute[] {
  const { pool, people, baseUrl, site, session } = dependencies;
  const refuse = ({ words }: Visit) => {
    const page = { title: words.say('setPassword'), words, site, person: undefined };
    return answerHtml(writeMessagePage(page, words.say('invitationOver')), 403);
  };
  const answerForm = async (visit: Visit, code: string, problem?: string): Promise<ApiAnswer> => {
    const { words } = visit;
    const name = await findInvited(pool, code);
    if (name === undefined) return refuse(visit);
    const content = passwordPage({ base: site.base, words, name, code, problem });
    const page = { title: words.say('setPassword'), words, site, person: undefined, content };
    return answerHtml(writePage(page), problem === undefined ? 200 : 400);
  };
  return [
    {
      method: 'GET',
      path: '/invitation',
      access: 'everybody',
      answer: (visit) => answerForm(visit, visit.query.get('code') ?? ''),
    },
    {
      method: 'POST',
      path: '/invitation',
      access: 'everybody',
      answer: async (visit) => {
        const [code, password] = [visit.form.get('code') ?? '', visit.form.get('password') ?? ''];
        if (!isLongEnough(password)) {
          return answerForm(visit, code, visit.words.say('shortPassword', String(MIN_PASSWORD_CHARACTERS)));
        }
        const pid = await acceptInvitation(pool, code, password);
        if (pid === undefined) return refuse(visit);
        const begins = await signIn(pool, { pid, password });
        if (!('issued' in begins)) return answerRedirect(`${baseUrl}/sign-in`);
        const token = begins.issued.accessToken;
        const { words } = visit;
        const page = {
          title: words.say('setPassword'),
          words,
          site,
          person: await people.findNow(token),
        };
        const next = { href: `${site.apiUrl}/`, text: words.say('products') };
        // Not a redirect to the API: locally it has another port, to which the policy of the form forbids to redirect.
        return answerHtml(writeMessagePage(page, words.say('passwordIsSet'), undefined, next), 200, {
          'Set-Cookie': writeSession({ token, isGiven: false }, session.baseUrl, session.name),
        });
      },
    },
  ];
}
