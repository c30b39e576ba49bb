import {
  type AccessGrant,
  type ClientPermission,
  type Duty,
  type FindToken,
  type GrantedCompany,
  holds,
  type Rights,
} from '@takt/access';
import { ServiceError } from '@takt/error-catalogue';

/** Who asks, and for which company. */
export interface Identity {
  readonly tokenId: number;
  /** All that the token knows; the first is its default. */
  readonly companies: readonly GrantedCompany[];
  /** The one that this request runs against. */
  readonly company: GrantedCompany;
  /** They decide which fields there are. */
  readonly duties: Rights<Duty>;
  /** The person; null: the token is nobody's. */
  readonly pid: number | null;
  readonly personName: string;
}

/** What a resource asks of whoever reads it. */
export interface NeededRights {
  readonly clientPermission: ClientPermission;
  readonly duty: Duty;
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
    companies: grant.companies,
    company: companyOf(grant, credentials.database),
    duties: grant.duties,
    pid: grant.pid,
    personName: grant.personName,
  };
}

function expectRights({ permissions, duties }: AccessGrant, { clientPermission, duty }: NeededRights): void {
  if (!holds(permissions, clientPermission)) {
    throw new ServiceError('permissionMissing', { permission: clientPermission });
  }
  if (!holds(duties, duty)) throw new ServiceError('dutyMissing', { duty });
}

/** The token of the session, where it is the session that tells who asks. */
export function sessionTokenOf({ authorization, accessToken, session }: Credentials): string | undefined {
  return authorization === undefined && accessToken === undefined ? session : undefined;
}

function tokenOf({ authorization, accessToken, session }: Credentials): string | undefined {
  if (authorization === undefined) return accessToken ?? session;
  return /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
}

function companyOf({ companies }: AccessGrant, database: string | undefined): GrantedCompany {
  const company =
    database === undefined
      ? companies[0]
      : companies.find(({ code }) => code.toLowerCase() === database.toLowerCase());
  if (company !== undefined) return company;
  throw new ServiceError('companyNotPermitted', { database: database ?? '' });
}
