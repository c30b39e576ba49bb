import type { ApiClientFacts } from '@takt/access';
import { parseQueryString } from '@takt/query';

/** A client that requests to act for the person who signs in (RFC 6749, 4.1.1; RFC 7636). */
export interface AskingClient {
  readonly clientId: number;
  readonly name: string;
  readonly redirectUri: string;
  readonly state: string | undefined;
  readonly codeChallenge: string;
}

type AuthorizationRequest =
  | { readonly kind: 'asking'; readonly client: AskingClient }
  /** The client is unknown, or the redirect address is not the client's: the browser is not redirected. */
  | { readonly kind: 'unknown-client' }
  | { readonly kind: 'foreign-redirect' }
  /** The request has an error, which the client receives when the browser is redirected to this address. */
  | { readonly kind: 'faulty'; readonly location: string };

type FindClient = (clientId: number) => Promise<ApiClientFacts | undefined>;

const ITS_PARAMETERS = ['response_type', 'client_id', 'redirect_uri', 'code_challenge'];
const CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

/**
 * Reads the authorization request of a client; undefined if the query names no client. `issuer`: the base URL, which
 * identifies the service to the client (RFC 9207).
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

/** The redirect address with the answer of the authorization code grant. */
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
  /** The value of a parameter; an empty one counts as absent (RFC 6749, 3.1 and 3.2). */
  get(name: string): string | undefined;
  /** The problem as a sentence for the client's developer, without any value. */
  readonly problem: string | undefined;
}

/** Parses application/x-www-form-urlencoded text. Names are case-sensitive. */
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

/** The name of a parameter if it is safe in error_description; other text from a client is replaced. */
function printable(name: string): string {
  return /^[a-z_$]{1,40}$/i.test(name) ? name : 'that was sent twice';
}
