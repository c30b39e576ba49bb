import type { ClientCredentials } from '@takt/access';
import { OAuthError } from './oauth-error.js';
import type { Parameters } from './parameters.js';

const IS_BASIC = /^Basic(?: |$)/i;
const BASIC = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i;
const CLIENT_ID = /^\d{1,9}$/;

/** Programs send their old bearer token along wherever they ask: a header of another scheme is no client. */
export function namesClient(authorization: string | undefined): authorization is string {
  return authorization !== undefined && IS_BASIC.test(authorization);
}

/**
 * Who asks, by HTTP Basic or by client_id and client_secret in the form, and not by both (RFC 6749, 2.3.1). A client
 * without a secret is a public one. Whether the secret is right is not looked at here. Throws an OAuthError.
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
      'Say which client asks: HTTP Basic, or client_id (and client_secret where it has one) in the form.',
    );
  }
  if (!CLIENT_ID.test(id)) {
    throw new OAuthError('invalid_client', 'client_id is the number that takt client list shows.');
  }
  return { clientId: Number(id), secret: secret === '' ? undefined : secret };
}

/** Both parts are form-encoded before they are joined by a colon and encoded again. */
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
