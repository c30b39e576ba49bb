import type { ApiClientFacts } from '@takt/access';
import { parseQueryString } from '@takt/query';

/** A client that asks for permission to act for the person who signs in (RFC 6749, 4.1.1; RFC 7636). */
export interface AskingClient {
  readonly clientId: number;
  readonly name: string;
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly codeChallenge: string;
}

type AuthorizationRequest =
  | { readonly kind: 'asking'; readonly client: AskingClient }
  /**
   * The client is unknown, or the redirect address does not belong to the client. Then the browser must not be
   * redirected.
   */
  | { readonly kind: 'unknown-client' }
  | { readonly kind: 'foreign-redirect' }
  /**
   * There is an error in the request. The browser is redirected to this address, which tells the client about the
   * error.
   */
  | { readonly kind: 'faulty'; readonly location: string };

type FindClient = (clientId: number) => Promise<ApiClientFacts | undefined>;

const ITS_PARAMETERS = ['response_type', 'client_id', 'redirect_uri', 'code_challenge'];
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/**
 * Reads the request of a client for authorization. Returns undefined if the query names no client.
 * @param issuer the base URL, which identifies the service to the client (RFC 9207)
 */
export async function readAuthorizationRequest(
  queryText: string,
  findClient: FindClient,
  issuer: string,
): Promise<AuthorizationRequest | undefined> {
  const query = readParameters(queryText);
  if (!ITS_PARAMETERS.some((name) => query.get(name) !== undefined)) return undefined;
  const id = query.get('client_id') ?? '';
  const known = /^\d{1,9}$/.test(id) ? await findClient(Number(id)) : undefined;
  if (known === undefined) return { kind: 'unknown-client' };
  const redirectUri = query.get('redirect_uri');
  if (redirectUri === undefined || !known.redirectUris.includes(redirectUri)) {
    return { kind: 'foreign-redirect' };
  }
  const state = query.get('state');
  const faulty = (error: string, message: string): AuthorizationRequest => ({
    kind: 'faulty',
    location: redirectTo({ redirectUri, state }, issuer, { error, error_description: message }),
  });
  if (query.problem !== undefined) return faulty('invalid_request', query.problem);
  if (query.get('response_type') !== 'code') {
    return faulty('unsupported_response_type', 'response_type must be code.');
  }
  const codeChallenge = query.get('code_challenge') ?? '';
  if (query.get('code_challenge_method') !== 'S256' || !CHALLENGE.test(codeChallenge)) {
    return faulty('invalid_request', 'PKCE is required: code_challenge with code_challenge_method=S256.');
  }
  return {
    kind: 'asking',
    client: { clientId: Number(id), name: known.name, redirectUri, state, codeChallenge },
  };
}

/** The redirect address of the client, with the answer to its authorization request. */
export function redirectTo(
  { redirectUri, state }: Pick<AskingClient, 'redirectUri' | 'state'>,
  issuer: string,
  answer: Readonly<Record<string, string>>,
): string {
  const url = new URL(redirectUri);
  const parameters = { ...answer, ...(state === undefined ? {} : { state }), iss: issuer };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.append(name, value);
  return url.href;
}

export interface Parameters {
  /** The value of a parameter. An empty parameter counts as absent (RFC 6749, 3.1 and 3.2). */
  get(name: string): string | undefined;
  /**
   * The problem with the parameters, as a sentence for the developer of the client. The sentence contains no value of a
   * parameter. undefined if there is no problem.
   */
  readonly problem: string | undefined;
}

/** Parses a text of the type application/x-www-form-urlencoded. The names of parameters are case-sensitive. */
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
        ? repeated.map(({ name }) => `The parameter ${printable(name)} may be sent only once.`)[0]
        : 'The parameters contain a control character or an invalid percent encoding, or are too many.',
  };
}

/**
 * The name of a parameter, if it contains only characters that error_description allows. Other names are replaced,
 * because they are text from a client.
 */
function printable(name: string): string {
  return /^[a-z_$]{1,40}$/i.test(name) ? name : 'that was sent twice';
}
