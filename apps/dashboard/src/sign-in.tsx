import {
  createSignInGuard,
  forgetSession,
  type GrantError,
  knownNetworksOf,
  readSession,
  returnAddress,
  revokeToken,
  signIn,
  writeSession,
} from '@takt/access';
import type { Database } from '@takt/database';
import type { ApiAnswer } from '@takt/http';
import { PasswordForm } from '@takt/pages';
import { writePage } from './pages/frame.js';
import { answerHtml, answerRedirect, type PageRoute, type Visit } from './visit.js';
import type { DashboardText } from './words.js';

/**
 * Name of the cookie with the session. The API uses another name, because cookies ignore ports and the API may be on
 * the same host.
 */
export const SESSION_COOKIE = 'takt_dashboard_session';

interface SignInDependencies {
  readonly pool: Database['pool'];
  /** Base URL of the dashboard. It is absolute and has no trailing slash. */
  readonly baseUrl: string;
  /** Path of the base URL. */
  readonly base: string;
}

/** Returns the token in the cookie of the session. */
export function tokenOf({ headers }: Pick<Visit, 'headers'>, baseUrl: string): string | undefined {
  return readSession(headers, baseUrl, SESSION_COOKIE)?.token;
}

/** Answers with the sign-in page, which is shown instead of any page if there is no session. */
export function answerSignIn(
  visit: Visit,
  { base, baseUrl }: Pick<SignInDependencies, 'base' | 'baseUrl'>,
  { status = 403, problem }: { readonly status?: ApiAnswer['status']; readonly problem?: string } = {},
): ApiAnswer {
  const { words } = visit;
  const { say } = words;
  const isPage = visit.method === 'GET' && visit.path !== '/sign-in';
  const returnPath = isPage
    ? visit.path + (visit.query.size > 0 ? `?${visit.query}` : '')
    : visit.query.get('return');
  const query =
    returnPath === null || returnPath === '/' ? '' : `?${new URLSearchParams({ return: returnPath })}`;
  const hasEnded = isPage && tokenOf(visit, baseUrl) !== undefined;
  const texts = { pid: say('pid'), password: say('password'), signIn: say('signIn') };
  const content = (
    <div class="error">
      <h1>{say(hasEnded ? 'sessionEnded' : 'signIn')}</h1>
      {problem !== undefined && (
        <p class="status" role="alert">
          {problem}
        </p>
      )}
      <p>{say('signInIntro')}</p>
      <PasswordForm action={`${base}/sign-in${query}`} texts={texts} />
    </div>
  );
  return answerHtml(writePage({ title: say('signIn'), words, base, person: undefined, content }), status);
}

/** The messages for refusals. Any refusal that is not listed means a wrong number or password. */
const REFUSALS: Readonly<Partial<Record<GrantError, DashboardText>>> = {
  unauthorized_client: 'noCompanyYet',
};

/** Makes the routes to sign in and out. Posts from other sites are refused before they reach these routes. */
export function createSignInRoutes(dependencies: SignInDependencies): readonly PageRoute[] {
  const guard = createSignInGuard(knownNetworksOf(dependencies.pool));
  const takeSignIn = async (visit: Visit): Promise<ApiAnswer> => {
    const { say } = visit.words;
    const [pid, password] = [visit.form.get('pid')?.trim() ?? '', visit.form.get('password') ?? ''];
    const refuse = (problem: string, status: ApiAnswer['status'] = 403) =>
      answerSignIn(visit, dependencies, { status, problem });
    if (!/^\d{1,9}$/.test(pid) || password === '') return refuse(say('wrongPassword'));
    const person = { pid: Number(pid), password };
    const who = { pid: person.pid, address: visit.address };
    const outcome = await guard.attempt(who, () => signIn(dependencies.pool, person));
    if ('refused' in outcome) return refuse(say(REFUSALS[outcome.refused] ?? 'wrongPassword'));
    if ('putOff' in outcome) {
      return outcome.putOff === 'busy'
        ? refuse(say('manySignIns'), 503)
        : refuse(say('signInPutOff', String(Math.ceil(outcome.retryAfterS / 60))));
    }
    const session = { token: outcome.issued.accessToken, isGiven: false };
    return answerRedirect(returnAddress(visit.query.get('return') ?? undefined, dependencies.baseUrl), {
      'Set-Cookie': writeSession(session, dependencies.baseUrl, SESSION_COOKIE),
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
        const token = tokenOf(visit, dependencies.baseUrl);
        if (token !== undefined) await revokeToken(dependencies.pool, token);
        return answerRedirect(`${dependencies.baseUrl}/sign-in`, {
          'Set-Cookie': forgetSession(dependencies.baseUrl, SESSION_COOKIE),
        });
      },
    },
  ];
}
