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

/** Who asks, and for which company. */
export interface Identity {
  readonly tokenId: number;
  /** The API client that the token was given to; null: none in particular. */
  readonly clientId: number | null;
  /** All that the token knows; the first is its default. */
  readonly companies: readonly GrantedCompany[];
  /** The one that this request runs against. */
  readonly company: GrantedCompany;
  readonly permissions: Rights<ClientPermission>;
  /** They decide which fields there are. */
  readonly duties: Rights<Duty>;
  /** The person; null: the token is nobody's. */
  readonly pid: number | null;
  readonly personName: string;
}

/** What a resource asks of whoever reads it; undefined: nothing beyond a valid token. */
export interface NeededRights {
  readonly clientPermission: ClientPermission | undefined;
  readonly duty: Duty | undefined;
  readonly furtherDuty?: Duty;
}

export interface Credentials {
  /** The Authorization header. */
  readonly authorization: string | undefined;
  /** The $access_token parameter, which counts where there is no header. */
  readonly accessToken: string | undefined;
  /** The access token of a browser's session, which counts where there is neither. */
  readonly session?: string | undefined;
  /** The $db parameter; undefined: the default company of the token. */
  readonly database: string | undefined;
}

/**
 * The one place where the identity of a request is established. Throws, in this order, invalidAccessToken, the same
 * whatever is wrong with the token; permissionMissing or dutyMissing, which name what the resource needs; or
 * companyNotPermitted, the same whether the company is foreign or does not exist.
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

export type HeldRights = Pick<AccessGrant, 'permissions' | 'duties'>;

/** Whether a resource would be refused for want of a right: what is, is offered to nobody. */
export function mayRead(held: HeldRights, needed: NeededRights): boolean {
  return missingRight(held, needed) === undefined;
}

function expectRights(held: HeldRights, needed: NeededRights): void {
  const missing = missingRight(held, needed);
  if (missing !== undefined) throw refusalOf(missing);
}

/** The first right that a resource needs and who asks lacks; undefined: none. */
type MissingRight =
  | { readonly kind: 'permission'; readonly name: ClientPermission }
  | { readonly kind: 'duty'; readonly name: Duty };

export function missingRight(held: HeldRights, needed: NeededRights): MissingRight | undefined {
  const { clientPermission, duty, furtherDuty } = needed;
  if (clientPermission !== undefined && !holds(held.permissions, clientPermission)) {
    return { kind: 'permission', name: clientPermission };
  }
  const missing = [duty, furtherDuty].find((one) => one !== undefined && !holds(held.duties, one));
  return missing === undefined ? undefined : { kind: 'duty', name: missing };
}

/** What a request is refused with that lacks a right. */
export function refusalOf(missing: MissingRight): ServiceError {
  return missing.kind === 'permission'
    ? new ServiceError('permissionMissing', { permission: missing.name })
    : new ServiceError('dutyMissing', { duty: missing.name });
}

/** The token of the session, where it is the session that tells who asks. */
export function sessionTokenOf({ authorization, accessToken, session }: Credentials): string | undefined {
  return authorization === undefined && accessToken === undefined ? session : undefined;
}

/** The token that a request asks with. */
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
