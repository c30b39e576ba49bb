import type { IssuedTokens } from '@takt/access';
import type { ApiAnswer } from '@takt/http';

/** Errors of the token endpoint (RFC 6749, 5.2), and one for who has to wait. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'temporarily_unavailable';

/** A refusal of an OAuth endpoint; `message` says to whoever wrote the client what to do, and never holds a value. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError';
  readonly code: OAuthErrorCode;
  /** When it is worth to ask again, in seconds. */
  readonly retryAfterS: number | undefined;

  constructor(code: OAuthErrorCode, message: string, retryAfterS?: number) {
    super(message);
    this.code = code;
    this.retryAfterS = retryAfterS;
  }
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

export function answerOAuthError({ code, message, retryAfterS }: OAuthError): ApiAnswer {
  const answer = answerJson(400, { error: code, error_description: message });
  if (retryAfterS === undefined) return answer;
  return { ...answer, headers: { ...answer.headers, 'Retry-After': String(retryAfterS) } };
}

export function answerJson(status: 200 | 400, content: object): ApiAnswer {
  return {
    status,
    headers: { ...KEPT_BY_NOBODY, 'Content-Type': 'application/json; charset=utf-8' },
    body: Buffer.from(JSON.stringify(content)),
    isStreamed: false,
  };
}
