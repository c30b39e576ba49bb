import type { ClientCredentials } from '@takt/access';
import type { BodyRequest } from '@takt/http';
import { parseQueryString } from '@takt/query-options';
import { namesClient, OAuthError } from './oauth-error.js';

/** Parameters of a form or a query. */
export interface Parameters {
  /** The value of what was sent once; one without a value counts as absent (RFC 6749, 3.1 and 3.2). */
  get(name: string): string | undefined;
  /** What is wrong with them, as a sentence for whoever wrote the client; it holds no value. */
  readonly problem: string | undefined;
}

/** Reads application/x-www-form-urlencoded text. Names are taken as they are, in this case. */
export function readParameters(text: string): Parameters {
  const { parameters, problem } = parseQueryString(text);
  const values = new Map<string, string | undefined>();
  const repeated = parameters.filter(({ name, value }) => {
    const isKnown = values.has(name);
    values.set(name, isKnown || value === '' ? undefined : value);
    return isKnown;
  });
  return {
    get: (name) => values.get(name),
    problem:
      problem === undefined
        ? repeated.map(({ name }) => `The parameter ${printable(name)} may be sent once only.`)[0]
        : 'The parameters hold a control character or a faulty percent encoding, or are too many.',
  };
}

/** A name as error_description may hold it; what a client wrote in place of one is not shown. */
function printable(name: string): string {
  return /^[a-z_$]{1,40}$/i.test(name) ? name : 'that was sent twice';
}

/** Undefined: there is no form, or it is too large. */
export function formTextOf({ body }: BodyRequest): string | undefined {
  return body.fault === undefined ? body.bytes.toString() : undefined;
}

/** The parameters of a posted form. Throws an OAuthError. */
export function readForm(request: BodyRequest): Parameters {
  const text = formTextOf(request);
  if (text === undefined) {
    throw new OAuthError(
      'invalid_request',
      'Send the parameters as application/x-www-form-urlencoded in a body of at most 16 KB.',
    );
  }
  const form = readParameters(text);
  if (form.problem !== undefined) throw new OAuthError('invalid_request', form.problem);
  return form;
}

const BASIC = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i;
const CLIENT_ID = /^\d{1,9}$/;

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
