import type { PutOff, Refusal } from '@takt/access';
import type { Refused } from './sign-ins.js';

/**
 * Errors of the token endpoint (RFC 6749, 5.2), and one for who has to wait: slow_down is the only such code that is
 * registered for its answers (RFC 8628, 3.5); temporarily_unavailable is one of the authorization endpoint.
 */
export const oauthErrorCodes = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'slow_down',
] as const;

export type OAuthErrorCode = (typeof oauthErrorCodes)[number];

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

/** What to do about a refusal. None tells which of several things is wrong where that would help who guesses. */
const REMEDIES: Readonly<Record<Refusal, string>> = {
  invalid_client:
    'The client is unknown or disabled, or its client_secret is wrong or missing. Check both, or make a client with takt client add.',
  invalid_grant:
    'What was shown is wrong, expired, revoked, used before or for another client or redirect_uri. Sign in again.',
  unauthorized_client:
    'The client may not use this grant_type. A public client cannot act for itself; any other needs companies of its own.',
  invalid_request: 'A parameter is not as this grant_type needs it.',
};

/** What is told to who was refused, or put off. */
export function toOAuthError(result: Refused | PutOff): OAuthError {
  if ('refused' in result) return new OAuthError(result.refused, REMEDIES[result.refused]);
  const { putOff, retryAfterS } = result;
  const reason =
    putOff === 'failures'
      ? 'Signing in as this person failed too often.'
      : 'Too many are signing in at this moment.';
  return new OAuthError('slow_down', `${reason} Try again in ${retryAfterS} s.`, retryAfterS);
}
