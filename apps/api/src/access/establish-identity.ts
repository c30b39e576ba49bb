import {
  type AccessGrant,
  bearerTokenOf,
  type ClientPermission,
  type Duty,
  type FindToken,
  type GrantedCompany,
  holds,
  type Rights,
} from '@takt/access';
import { ServiceError } from '@takt/catalogue/errors';

/** The identity of a request, with its company. */
export interface Identity {
  readonly tokenId: number;
  /** The API client that the token belongs to; null: none. */
  readonly clientId: number | null;
  /** All companies that the token covers; the first is the default. */
  readonly companies: readonly GrantedCompany[];
  readonly company: GrantedCompany;
  readonly permissions: Rights<ClientPermission>;
  /** The duties that determine which fields are visible. */
  readonly duties: Rights<Duty>;
  /** The personal number (pid) of the token's person; null: the token has no person. */
  readonly pid: number | null;
  readonly personName: string;
}

/** The rights that a resource requires; undefined: any valid token is enough. */
export interface NeededRights {
  readonly clientPermission: ClientPermission | undefined;
  readonly duty: Duty | undefined;
  readonly furtherDuty?: Duty;
}

export interface Credentials {
  readonly authorization: string | undefined;
  /** The $access_token parameter, used if there is no Authorization header. */
  readonly accessToken: string | undefined;
  /** The access token of a browser's session, used if there is neither a header nor a parameter. */
  readonly session?: string | undefined;
  /** The $db parameter; undefined: the default company of the token. */
  readonly database: string | undefined;
}

/**
 * Establishes the identity of a request; nothing else does. Throws, checked in this order: invalidAccessToken, the same
 * for every kind of invalid token; permissionMissing or dutyMissing, which name the missing right; companyNotPermitted,
 * the same for a company that the token does not cover and for an unknown one.
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

export type ReaderRights = Pick<AccessGrant, 'permissions' | 'duties'>;

/** True if the holder of these rights may read a resource. Pages offer only such resources. */
export function mayRead(held: ReaderRights, needed: NeededRights): boolean {
  return missingRight(held, needed) === undefined;
}

function expectRights(held: ReaderRights, needed: NeededRights): void {
  const missing = missingRight(held, needed);
  if (missing !== undefined) throw refusalOf(missing);
}

/** A right that a resource requires and the reader lacks. */
type MissingRight =
  | { readonly kind: 'permission'; readonly name: ClientPermission }
  | { readonly kind: 'duty'; readonly name: Duty };

export function missingRight(held: ReaderRights, needed: NeededRights): MissingRight | undefined {
  const { clientPermission, duty, furtherDuty } = needed;
  if (clientPermission !== undefined && !holds(held.permissions, clientPermission)) {
    return { kind: 'permission', name: clientPermission };
  }
  const missing = [duty, furtherDuty].find((one) => one !== undefined && !holds(held.duties, one));
  return missing === undefined ? undefined : { kind: 'duty', name: missing };
}

export function refusalOf(missing: MissingRight): ServiceError {
  return missing.kind === 'permission'
    ? new ServiceError('permissionMissing', { permission: missing.name })
    : new ServiceError('dutyMissing', { duty: missing.name });
}

/** The token of the session, if the session identifies the reader. */
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
