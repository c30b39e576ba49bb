import type { Database } from '@takt/database';
import { findLogin, type GrantResult, type IssuedTokens, signIn } from './grants.js';
import type { PutOff, SignInGuard } from './sign-in-guard.js';

/** The values that a person enters to sign in. */
export interface SignInAttempt {
  /** A PID, an e-mail address, or a name with or without the first name. */
  readonly login: string;
  readonly password: string;
  /** The remote address of the request. */
  readonly address: string;
}

/** The reason why a person was not signed in, as pages name it. */
export interface SignInFailure {
  readonly problem: 'wrongPassword' | 'noCompanyYet' | 'tooManyFailures' | 'signInsBusy';
  /** The time in seconds until the next attempt is allowed. undefined if an attempt is allowed at once. */
  readonly retryAfterS?: number;
}

/** No name or address is longer. */
const MAX_LOGIN_CHARACTERS = 300;

/** Starts the session of a page for a person. A name that several people have fails as a wrong password does. */
export async function signInPerson(
  pool: Database['pool'],
  guard: SignInGuard,
  { login, password, address }: SignInAttempt,
): Promise<IssuedTokens | SignInFailure> {
  const isComplete = login !== '' && login.length <= MAX_LOGIN_CHARACTERS && password !== '';
  if (!isComplete) return { problem: 'wrongPassword' };
  const pid = await findLogin(pool, login);
  const outcome = await guard.attempt({ pid, address }, () => signIn(pool, { pid, password }));
  return 'issued' in outcome ? outcome.issued : failureOf(outcome);
}

function failureOf(outcome: Exclude<GrantResult, { readonly issued: unknown }> | PutOff): SignInFailure {
  if ('refused' in outcome) {
    return { problem: outcome.refused === 'unauthorized_client' ? 'noCompanyYet' : 'wrongPassword' };
  }
  const { putOff, retryAfterS } = outcome;
  return { problem: putOff === 'busy' ? 'signInsBusy' : 'tooManyFailures', retryAfterS };
}
