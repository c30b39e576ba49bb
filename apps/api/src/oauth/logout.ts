import { forgetSession, isOwnPost, readSession, revokeToken } from '@takt/access';
import type { ApiAnswer, FormRequest } from '@takt/http';
import { callDatabase } from '../query/run-statement.js';
import { redirect } from '../service/lead-to.js';
import { readRequest } from '../service/read-request.js';
import { queryTextOf } from '../service/writing-context.js';
import { readParameters } from './parameters.js';
import { type SignInPageOptions, takeSignIn } from './sign-in-page.js';
import { answerJson, answerOAuthError, OAuthError } from './token-answers.js';

/**
 * POST /oauth2/logout: ends a token, an access or a refresh one, with all of the same sign-in (RFC 7009). Who has a token
 * may end it, so no client is asked for. It is the one in the form, in the Authorization header, or of the page's session,
 * which then is forgotten; a token that was pasted into it stays valid, since it may be in use elsewhere.
 */
export async function answerLogout(request: FormRequest, options: SignInPageOptions): Promise<ApiAnswer> {
  const form = readParameters(request.formText ?? '');
  if (form.problem !== undefined) return answerOAuthError(new OAuthError('invalid_request', form.problem));
  const token = form.get('token') ?? bearerOf(request.headers.authorization);
  if (token === undefined) return endSession(request, options);
  await callDatabase(revokeToken(options.pool, token));
  return answerJson(200, {});
}

async function endSession(request: FormRequest, options: SignInPageOptions): Promise<ApiAnswer> {
  const { pool, baseUrl } = options;
  const session = readSession(request.headers, baseUrl);
  const { format, early } = readRequest(request);
  if (session === undefined && format !== 'html') {
    const message = 'Send the token to be ended as token in the form, or as Authorization: Bearer.';
    return answerOAuthError(new OAuthError('invalid_request', message));
  }
  // Says that nothing was done, and why.
  if (!isOwnPost(request.headers, baseUrl)) return takeSignIn(request, options);
  if (session?.isGiven === false) await callDatabase(revokeToken(pool, session.token));
  const headers = { 'Set-Cookie': forgetSession(baseUrl) };
  const kept = [
    ...(early.language === undefined ? [] : [{ name: '$lang', value: early.language }]),
    ...(early.database === undefined ? [] : [{ name: '$db', value: early.database }]),
  ];
  if (format === 'html') return redirect(`${baseUrl}/oauth2${queryTextOf(kept)}`, headers);
  const answer = answerJson(200, {});
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

function bearerOf(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
}
