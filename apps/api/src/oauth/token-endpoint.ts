import {
  bearerTokenOf,
  type ClientCredentials,
  forgetSession,
  type GrantResult,
  isOwnPost,
  type PutOff,
  readSession,
  revokeToken,
} from '@takt/access';
import type { ApiAnswer, BodyRequest } from '@takt/http';
import { callDatabase } from '../query/run-statement.js';
import { redirect } from '../service/lead-to.js';
import { readRequest } from '../service/read-request.js';
import { queryTextOf } from '../service/writing-context.js';
import {
  answerIssued,
  answerJson,
  answerOAuthError,
  namesClient,
  OAuthError,
  toOAuthError,
} from './oauth-error.js';
import { formTextOf, type Parameters, readClient, readForm, readParameters } from './parameters.js';
import { type SignInPageOptions, takeSignIn } from './sign-in-page.js';
import type { SignIns } from './sign-ins.js';

/**
 * POST /oauth2/access_token (RFC 6749, RFC 7636): an access token for what a client shows. What is wrong with the request
 * or the credentials is an OAuth 2 error; anything else is thrown.
 */
export async function answerTokenRequest(request: BodyRequest, signIns: SignIns): Promise<ApiAnswer> {
  try {
    const form = readForm(request);
    const grant = readGrant(form);
    const client = readClient(request.headers.authorization, form);
    return answerResult(await grant(client, form, { signIns, address: request.address }));
  } catch (error) {
    if (error instanceof OAuthError) return answerOAuthError(error, request.headers.authorization);
    throw error;
  }
}

interface Asking {
  readonly signIns: SignIns;
  readonly address: string;
}

type Grant = (client: ClientCredentials, form: Parameters, asking: Asking) => Promise<GrantResult | PutOff>;

const GRANTS: ReadonlyMap<string, Grant> = new Map<string, Grant>([
  ['client_credentials', (client, _form, { signIns, address }) => signIns.byClient(client, address)],
  [
    'password',
    (client, form, { signIns, address }) => {
      const pid = demand(form, 'username');
      const person = { pid: /^\d{1,9}$/.test(pid) ? Number(pid) : 0, password: demand(form, 'password') };
      return signIns.byPassword(client, person, address);
    },
  ],
  [
    'refresh_token',
    (client, form, { signIns, address }) =>
      signIns.byRefreshToken(client, demand(form, 'refresh_token'), address),
  ],
  [
    'authorization_code',
    (client, form, { signIns, address }) => {
      const [code, redirectUri] = [demand(form, 'code'), demand(form, 'redirect_uri')];
      return signIns.byCode(
        client,
        { code, redirectUri, codeVerifier: demand(form, 'code_verifier') },
        address,
      );
    },
  ],
]);

export const grantTypes: readonly string[] = [...GRANTS.keys()];

function readGrant(form: Parameters): Grant {
  const type = demand(form, 'grant_type');
  const grant = GRANTS.get(type);
  if (grant !== undefined) return grant;
  throw new OAuthError('unsupported_grant_type', `grant_type is one of ${grantTypes.join(', ')}.`);
}

function demand(form: Parameters, name: string): string {
  const value = form.get(name);
  if (value !== undefined) return value;
  throw new OAuthError('invalid_request', `The parameter ${name} is missing.`);
}

function answerResult(result: GrantResult | PutOff): ApiAnswer {
  if ('issued' in result) return answerIssued(result.issued);
  throw toOAuthError(result);
}

/**
 * POST /oauth2/logout: ends a token, an access or a refresh one, with all of the same sign-in (RFC 7009). Who has a token
 * may end it, so no client is asked for; but one that shows a secret is checked, and ends tokens of its own. The token is
 * the one in the form, in the Authorization header, or of the page's session, which then is forgotten; a token that was
 * pasted into it stays valid, since it may be in use elsewhere.
 */
export async function answerLogout(request: BodyRequest, options: SignInPageOptions): Promise<ApiAnswer> {
  const { authorization } = request.headers;
  try {
    const form = readParameters(formTextOf(request) ?? '');
    if (form.problem !== undefined) throw new OAuthError('invalid_request', form.problem);
    const token = form.get('token') ?? bearerTokenOf(authorization ?? '');
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

async function endSession(request: BodyRequest, options: SignInPageOptions): Promise<ApiAnswer> {
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
