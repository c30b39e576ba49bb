import {
  createSignInGuard,
  forgetSession,
  knownNetworksOf,
  readSession,
  returnAddress,
  revokeToken,
  type SessionPlace,
  signInPerson,
  writeSession,
} from '@takt/access';
import type { Database } from '@takt/database';
import type { ApiAnswer } from '@takt/http';
import { frameTextsIn, Message, SignInForm } from '@takt/pages';
import { type Site, writePage } from './pages/frame.js';
import { answerHtml, answerRedirect, type PageRoute, type Visit } from './visit.js';

interface SignInDependencies {
  readonly pool: Database['pool'];
  /** Base URL of the dashboard. It is absolute and has no trailing slash. */
  readonly baseUrl: string;
  readonly site: Site;
  /** The cookie of sessions. */
  readonly session: SessionPlace;
}

/** Returns the token in the cookie of the session. */
export function tokenOf({ headers }: Pick<Visit, 'headers'>, place: SessionPlace): string | undefined {
  return sessionOf(headers, place)?.token;
}

const sessionOf = (headers: Visit['headers'], { baseUrl, name }: SessionPlace) =>
  readSession(headers, baseUrl, name);

interface SignInPageOptions {
  readonly status?: ApiAnswer['status'];
  readonly problem?: string;
  /** The name that the person entered before. */
  readonly login?: string;
}

/** Answers with the sign-in page, which is shown instead of any page if there is no session. */
export function answerSignIn(
  visit: Visit,
  { site, session }: Pick<SignInDependencies, 'site' | 'session'>,
  { status = 403, problem, login }: SignInPageOptions = {},
): ApiAnswer {
  const { words } = visit;
  const { say } = words;
  const isPage = visit.method === 'GET' && visit.path !== '/sign-in';
  const returnPath = isPage
    ? visit.path + (visit.query.size > 0 ? `?${visit.query}` : '')
    : visit.query.get('return');
  const query =
    returnPath === null || returnPath === '/' ? '' : `?${new URLSearchParams({ return: returnPath })}`;
  const hasEnded = isPage && tokenOf(visit, session) !== undefined;
  const content = (
    <Message heading={say(hasEnded ? 'sessionEnded' : 'signIn')} problem={problem}>
      <p>{say('signInHelp')}</p>
      <SignInForm
        action={`${site.base}/sign-in${query}`}
        login={login}
        texts={frameTextsIn(words.language)}
      />
    </Message>
  );
  return answerHtml(writePage({ title: say('signIn'), words, site, person: undefined, content }), status);
}

/** Makes the routes to sign in and out. Posts from other sites are refused before they reach these routes. */
export function createSignInRoutes(dependencies: SignInDependencies): readonly PageRoute[] {
  const { session } = dependencies;
  const guard = createSignInGuard(knownNetworksOf(dependencies.pool));
  const takeSignIn = async (visit: Visit): Promise<ApiAnswer> => {
    const { say } = visit.words;
    const [login, password] = [visit.form.get('login')?.trim() ?? '', visit.form.get('password') ?? ''];
    const { address } = visit;
    const outcome = await signInPerson(dependencies.pool, guard, { login, password, address });
    if ('problem' in outcome) {
      const minutes = Math.max(1, Math.ceil((outcome.retryAfterS ?? 0) / 60));
      const status = outcome.problem === 'signInsBusy' ? 503 : 403;
      return answerSignIn(visit, dependencies, {
        status,
        problem: say(outcome.problem, String(minutes)),
        login,
      });
    }
    const begun = { token: outcome.accessToken, isGiven: false };
    return answerRedirect(returnAddress(visit.query.get('return') ?? undefined, dependencies.baseUrl), {
      'Set-Cookie': writeSession(begun, session.baseUrl, session.name),
    });
  };
  return [
    {
      method: 'GET',
      path: '/sign-in',
      access: 'everybody',
      answer: async (visit) => answerSignIn(visit, dependencies, { status: 200 }),
    },
    { method: 'POST', path: '/sign-in', access: 'everybody', answer: takeSignIn },
    {
      method: 'POST',
      path: '/sign-out',
      access: 'everybody',
      answer: async (visit) => {
        const ended = sessionOf(visit.headers, session);
        // A token that was pasted into the session may be in use elsewhere.
        if (ended?.isGiven === false) await revokeToken(dependencies.pool, ended.token);
        return answerRedirect(`${dependencies.baseUrl}/sign-in`, {
          'Set-Cookie': forgetSession(session.baseUrl, session.name),
        });
      },
    },
  ];
}
