import type { ClientCredentials, GrantError, IssuedTokens, PutOff } from '@takt/access';
import type { ApiAnswer } from '@takt/http';
import type { Parameters } from './authorization-request.js';
import type { Refused } from './sign-ins.js';

const IS_BASIC = /^Basic(?: |$)/i;
const BASIC = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i;
const CLIENT_ID = /^\d{1,9}$/;

/**
 * True if the Authorization header contains the credentials of a client. Only a Basic header does so. A bearer token in
 * the header is ignored, because programs may still send their old token.
 */
export function namesClient(authorization: string | undefined): authorization is string {
  return authorization !== undefined && IS_BASIC.test(authorization);
}

/**
 * Reads the credentials of a client. They are either in an HTTP Basic header, or in client_id and client_secret of the
 * form, but not in both (RFC 6749, 2.3.1). A client that sends no secret is a public client. The secret is not checked
 * here. Throws an OAuthError.
 */
export function readClient(authorization: string | undefined, form: Parameters): ClientCredentials {
  const given = { id: form.get('client_id'), secret: form.get('client_secret') };
  if (!namesClient(authorization)) return credentialsOf(given.id, given.secret);
  const basic = readBasic(authorization);
  if (given.secret !== undefined || (given.id !== undefined && given.id !== basic.id)) {
    throw new OAuthError(
      'invalid_request',
      'Send the client either in the Authorization header or in the form, not in both.',
    );
  }
  return credentialsOf(basic.id, basic.secret);
}

function credentialsOf(id: string | undefined, secret: string | undefined): ClientCredentials {
  if (id === undefined) {
    throw new OAuthError(
      'invalid_client',
      "Send the client's credentials: HTTP Basic, or client_id (and client_secret, if it has one) in the form.",
    );
  }
  if (!CLIENT_ID.test(id)) {
    throw new OAuthError('invalid_client', 'client_id is the number that takt client list shows.');
  }
  return { clientId: Number(id), secret: secret === '' ? undefined : secret };
}

/**
 * Reads a Basic header. It contains the identifier and the secret of the client, each form-encoded, joined by a colon,
 * and then base64-encoded.
 */
function readBasic(authorization: string): { readonly id: string; readonly secret: string } {
  const [, encoded] = BASIC.exec(authorization) ?? [];
  const text = Buffer.from(encoded ?? '', 'base64').toString();
  const colon = text.indexOf(':');
  const id = decode(text.slice(0, colon));
  const secret = decode(text.slice(colon + 1));
  if (colon < 0 || id === undefined || secret === undefined) {
    throw new OAuthError(
      'invalid_client',
      'The Authorization header is not HTTP Basic with form-encoded client_id and client_secret.',
    );
  }
  return { id, secret };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

/**
 * The error codes of the token endpoint (RFC 6749, 5.2). slow_down is added for an attempt that is delayed: no other
 * code registered for token responses has this meaning (RFC 8628, 3.5). temporarily_unavailable cannot be used, because
 * it is registered only for the authorization endpoint.
 */
export const oauthErrorCodes = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'slow_down',
] as const;

type OAuthErrorCode = (typeof oauthErrorCodes)[number];

/**
 * An error of an OAuth endpoint. `message` tells the developer of the client what to do, and contains no value from the
 * request.
 */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly code: OAuthErrorCode;
  readonly retryAfterS: number | undefined;

  constructor(code: OAuthErrorCode, message: string, retryAfterS?: number) {
    super(message);
    this.code = code;
    this.retryAfterS = retryAfterS;
  }
}

/**
 * The sentence for each error that says what to do. If it would help guessing, the sentence does not tell which part of
 * the credentials is wrong.
 */
const REMEDIES: Readonly<Record<GrantError, string>> = {
  invalid_client:
    'The client is unknown or disabled, or its client_secret is wrong or missing. Check both, or make a client with takt client add.',
  invalid_grant:
    'The credentials are wrong, expired, revoked, used before or for another client or redirect_uri. Sign in again.',
  unauthorized_client:
    'The client may not use this grant_type. A public client cannot act for itself; any other needs companies of its own.',
  invalid_request: 'A parameter does not fit this grant_type.',
};

/** Makes the OAuth error for an attempt that was refused or delayed. */
export function toOAuthError(result: Refused | PutOff): OAuthError {
  if ('refused' in result) return new OAuthError(result.refused, REMEDIES[result.refused]);
  const { putOff, retryAfterS } = result;
  const reason =
    putOff === 'failures' ? 'Too many failed sign-ins as this person.' : 'Too many sign-ins at the moment.';
  return new OAuthError('slow_down', `${reason} Try again in ${retryAfterS} s.`, retryAfterS);
}

const KEPT_BY_NOBODY = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

export function answerIssued({ accessToken, expiresInS, refreshToken }: IssuedTokens): ApiAnswer {
  return answerJson(200, {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: expiresInS,
    ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
    is_target_test_system: false,
  });
}

/**
 * Answers with an OAuth 2 error. `message` is included for clients that were written for the followed service.
 * @param authorization the Authorization header of the request
 */
export function answerOAuthError(
  { code, message, retryAfterS }: OAuthError,
  authorization: string | undefined,
): ApiAnswer {
  const answer = answerJson(400, { error: code, error_description: message, message });
  const isChallenged = code === 'invalid_client' && namesClient(authorization);
  const headers = {
    ...answer.headers,
    ...(isChallenged ? { 'WWW-Authenticate': 'Basic realm="takt", charset="UTF-8"' } : {}),
    ...(retryAfterS === undefined ? {} : { 'Retry-After': String(retryAfterS) }),
  };
  return { ...answer, headers };
}

export function answerJson(status: 200 | 400, content: object): ApiAnswer {
  return {
    status,
    headers: { ...KEPT_BY_NOBODY, 'Content-Type': 'application/json; charset=utf-8' },
    body: Buffer.from(JSON.stringify(content)),
    isStreamed: false,
  };
}
