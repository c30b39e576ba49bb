import {
  type AccessGrant,
  bearerTokenOf,
  type ClientPermission,
  type Duty,
  type FindToken,
  type GrantedCompany,
  type Rights,
} from '@takt/access';
import { ServiceError } from '@takt/catalogue/errors';
import {
  type MissingRight,
  missingRight,
  type NeededRights,
  type ReaderRights,
} from '@takt/catalogue/rights';

/** The reader who sends a request, as the token identifies them, and the company of the request. */
export interface Identity {
  readonly tokenId: number;
  /** The API client to which the token belongs; null if it belongs to no client. */
  readonly clientId: number | null;
  /** All companies that the token covers. The first of them is the default company. */
  readonly companies: readonly GrantedCompany[];
  readonly company: GrantedCompany;
  readonly permissions: Rights<ClientPermission>;
  /** The duties of the reader, which determine the fields that the reader may see. */
  readonly duties: Rights<Duty>;
  /** The personal number (pid) of the token's person; null if the token belongs to no person. */
  readonly pid: number | null;
  readonly personName: string;
}

export interface Credentials {
  readonly authorization: string | undefined;
  /** The parameter $access_token. It is used if there is no Authorization header. */
  readonly accessToken: string | undefined;
  /**
   * The access token in the session of a browser. It is used if there is neither an Authorization header nor a
   * parameter with a token.
   */
  readonly session?: string | undefined;
  /** The parameter $db, which names the company; undefined stands for the default company of the token. */
  readonly database: string | undefined;
}

/**
 * Establishes the identity of a request. No other code does this. It checks in this order, and throws:
 * - invalidAccessToken, the same error for every kind of invalid token;
 * - permissionMissing or dutyMissing, which name the missing right;
 * - companyNotPermitted, the same error for an unknown company and for a company that the token does not cover.
 */
export async function establishIdentity(
  credentials: Credentials,
  needed: NeededRights,
  findToken: FindToken,
): Promise<Identity> {
  const token = tokenOf(credentials);
  const grant = token === undefined ? undefined : await findToken(token);
  if (grant === undefined) throw new ServiceError('invalidAccessToken', {});
  expectRights(grant, needed);
  return {
    tokenId: grant.tokenId,
    clientId: grant.clientId,
    companies: grant.companies,
    permissions: grant.permissions,
    company: companyOf(grant, credentials.database),
    duties: grant.duties,
    pid: grant.pid,
    personName: grant.personName,
  };
}

function expectRights(held: ReaderRights, needed: NeededRights): void {
  const missing = missingRight(held, needed);
  if (missing !== undefined) throw refusalOf(missing);
}

export function refusalOf(missing: MissingRight): ServiceError {
  return missing.kind === 'permission'
    ? new ServiceError('permissionMissing', { permission: missing.name })
    : new ServiceError('dutyMissing', { duty: missing.name });
}

/**
 * The token of the browser's session, if this session identifies the reader. If the request has a header or a parameter
 * with a token, the session is ignored and the result is undefined.
 */
export function sessionTokenOf({ authorization, accessToken, session }: Credentials): string | undefined {
  return authorization === undefined && accessToken === undefined ? session : undefined;
}

export function tokenOf({ authorization, accessToken, session }: Credentials): string | undefined {
  if (authorization === undefined) return accessToken ?? session;
  return bearerTokenOf(authorization);
}

function companyOf({ companies }: AccessGrant, database: string | undefined): GrantedCompany {
  const company =
    database === undefined
      ? companies[0]
      : companies.find(({ code }) => code.toLowerCase() === database.toLowerCase());
  if (company !== undefined) return company;
  throw new ServiceError('companyNotPermitted', { database: database ?? '' });
}
