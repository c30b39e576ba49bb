import type { IssuedTokens } from '@takt/access';
import type { ApiAnswer } from '@takt/http';
import { namesClient } from './authenticate-client.js';
import type { OAuthError } from './oauth-error.js';

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

/** Clients of the service that Takt follows read `message`. `authorization`: the header of the request. */
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
