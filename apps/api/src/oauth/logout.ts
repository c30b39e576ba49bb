import { forgetSession, isOwnPost, readSession, revokeToken } from '@takt/access';
import type { ApiAnswer, FormRequest } from '@takt/http';
import { callDatabase } from '../query/run-statement.js';
import { redirect } from '../service/lead-to.js';
import { readRequest } from '../service/read-request.js';
import { queryTextOf } from '../service/writing-context.js';
import { namesClient, readClient } from './authenticate-client.js';
import { OAuthError, toOAuthError } from './oauth-error.js';
import { readParameters } from './parameters.js';
import { type SignInPageOptions, takeSignIn } from './sign-in-page.js';
import { answerJson, answerOAuthError } from './token-answers.js';

/**
 * POST /oauth2/logout: ends a token, an access or a refresh one, with all of the same sign-in (RFC 7009). Who has a token
 * may end it, so no client is asked for; but one that shows a secret is checked, and ends tokens of its own. The token is
 * the one in the form, in the Authorization header, or of the page's session, which then is forgotten; a token that was
 * pasted into it stays valid, since it may be in use elsewhere.
 */
export async function answerLogout(request: FormRequest, options: SignInPageOptions): Promise<ApiAnswer> {
  const { authorization } = request.headers;
  try {
    const form = readParameters(request.formText ?? '');
    if (form.problem !== undefined) throw new OAuthError('invalid_request', form.problem);
    const token = form.get('token') ?? bearerOf(authorization);
    const showsSecret = form.get('client_secret') !== undefined || namesClient(authorization);
    const client = showsSecret ? readClient(authorization, form) : undefined;
    if (token === undefined) return await endSession(request, options);
    if (client?.secret === undefined) {
      await callDatabase(revokeToken(options.pool, token));
    } else {
      const refusal = await options.signIns.end(client, token, request.address);
      if (refusal !== undefined) throw toOAuthError(refusal);
    }
    return answerJson(200, {});
  } catch (error) {
    if (error instanceof OAuthError) return answerOAuthError(error, authorization);
    throw error;
  }
}

async function endSession(request: FormRequest, options: SignInPageOptions): Promise<ApiAnswer> {
  const { pool, baseUrl } = options;
  const session = readSession(request.headers, baseUrl);
  const { format, early } = readRequest(request);
  if (session === undefined && format !== 'html') {
    const message = 'Send the token to be ended as token in the form, or as Authorization: Bearer.';
    throw new OAuthError('invalid_request', message);
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
