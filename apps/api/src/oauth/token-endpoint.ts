import type { ClientCredentials, GrantResult, PutOff } from '@takt/access';
import type { ApiAnswer } from '@takt/http';
import type { FormRequest } from '../service/form-route.js';
import {
  answerIssued,
  answerOAuthError,
  OAuthError,
  readClient,
  toOAuthError,
} from './authenticate-client.js';
import { type Parameters, readParameters } from './authorization-request.js';
import type { SignIns } from './sign-ins.js';

/**
 * POST /oauth2/access_token (RFC 6749, RFC 7636): issues an access token for the credentials of a client. A problem
 * with the request or the credentials is answered with an OAuth 2 error; any other error is thrown.
 */
export async function answerTokenRequest(request: FormRequest, signIns: SignIns): Promise<ApiAnswer> {
  try {
    const form = readForm(request.formText);
    const grant = readGrant(form);
    const client = readClient(request.headers.authorization, form);
    return answerResult(await grant(client, form, { signIns, address: request.address }));
  } catch (error) {
    if (error instanceof OAuthError) return answerOAuthError(error, request.headers.authorization);
    throw error;
  }
}

/** Reads the parameters of a form that was sent. Throws an OAuthError. */
function readForm(text: string | undefined): Parameters {
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
