import {
  type ClientPermission,
  clientPermissions,
  type Duty,
  duties,
  knownOf,
  type Rights,
} from '@takt/catalogue/rights';
import type { Database } from '@takt/database';
import type { TimeUnit } from '@takt/texts';
import { hashToken, isWellFormedToken } from './secrets.js';

export interface GrantedCompany {
  readonly companyId: number;
  /** The code of the company, which is also the value of `$db`, e.g. TEM-NO. */
  readonly code: string;
  readonly name: string;
  readonly timeZone: string;
  readonly timeUnit: TimeUnit;
  /** A secret of the company. A session that has set this key can see the rows of the company. */
  readonly key: string;
}

/** A valid token with its rights. */
export interface AccessGrant {
  /** The id of the token, by which logs identify it. This is not the token itself. */
  readonly tokenId: number;
  /** The instant from which on the token is no longer valid. */
  readonly expiresAt: Date;
  /** The companies that the token covers. There is at least one; the first is the default company. */
  readonly companies: readonly GrantedCompany[];
  /** The API client of the token; null if the token was created on the command line without a client. */
  readonly clientId: number | null;
  /** The person who signed in; null if the token belongs to no person. */
  readonly pid: number | null;
  /** First name and last name of the person; empty if the token belongs to no person. */
  readonly personName: string;
  readonly permissions: Rights<ClientPermission>;
  /** The duties of the person. If the token belongs to no person, these are the duties of its client. */
  readonly duties: Rights<Duty>;
}

interface GrantRow {
  /** The id of the token. It is a text, because the driver returns a bigint as text. */
  readonly access_token_id: string;
  readonly expires_at: Date;
  readonly companies: readonly {
    readonly company_id: number;
    readonly code: string;
    readonly name: string;
    readonly time_zone: string;
    readonly time_unit: TimeUnit;
    readonly key: string;
  }[];
  readonly api_client_id: number | null;
  readonly pid: number | null;
  readonly person_name: string;
  /** The permissions of the client; null if the token has no client. */
  readonly permissions: readonly string[] | null;
  readonly may_publish: boolean;
  /** The duties; null if the token has all duties. */
  readonly duties: readonly string[] | null;
}

/**
 * Finds the rights of a token. Returns undefined if the token is malformed, unknown, expired or revoked. A malformed
 * token causes no query. The database role takt_api is sufficient.
 * The database looks up the SHA-256 of the token, and does not compare tokens themselves. So the response time depends
 * on a hash that an attacker cannot control, and does not reveal whether a token is partly right.
 */
export async function findAccessToken(
  pool: Database['pool'],
  token: string,
): Promise<AccessGrant | undefined> {
  if (!isWellFormedToken(token)) return undefined;
  const { rows } = await pool.query<GrantRow>({
    name: 'find_access_token',
    text: `SELECT access_token_id, expires_at, companies, api_client_id, pid, person_name, permissions, may_publish,
        duties
      FROM takt.find_access_token($1)`,
    values: [hashToken(token)],
  });
  return rows.map(toGrant)[0];
}

function toGrant(row: GrantRow): AccessGrant {
  return {
    tokenId: Number(row.access_token_id),
    expiresAt: row.expires_at,
    companies: row.companies.map(({ company_id, time_zone, time_unit, ...company }) => ({
      companyId: company_id,
      timeZone: time_zone,
      timeUnit: time_unit,
      ...company,
    })),
    clientId: row.api_client_id,
    pid: row.pid,
    personName: row.person_name,
    permissions: permissionsOf(row),
    duties: row.duties === null ? 'all' : knownOf(duties, row.duties),
  };
}

/**
 * The permissions of a token. A token without a client may use all resources. But no token may publish events unless
 * this was granted explicitly.
 */
function permissionsOf({ permissions, may_publish }: GrantRow): Rights<ClientPermission> {
  if (permissions !== null) return knownOf(clientPermissions, permissions);
  return may_publish ? 'all' : clientPermissions.filter((permission) => permission !== 'publish-events');
}
