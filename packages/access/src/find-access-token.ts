import {
  type ClientPermission,
  clientPermissions,
  type Duty,
  duties,
  knownOf,
  type Rights,
} from '@takt/catalogue/rights';
import type { Database } from '@takt/database';
import { hashToken, isWellFormedToken } from './secrets.js';

export interface GrantedCompany {
  readonly companyId: number;
  /** The company's code, used as the value of `$db`, e.g. TEM-NO. */
  readonly code: string;
  readonly name: string;
  readonly timeZone: string;
  /** A secret. A session that has set it sees the rows of the company. */
  readonly key: string;
}

/** The rights of a valid token. */
export interface AccessGrant {
  /** Identifies the token in logs. It is not the token itself. */
  readonly tokenId: number;
  /** The token is invalid from this instant on. */
  readonly expiresAt: Date;
  /** The token's companies; never empty. The first is the default. */
  readonly companies: readonly GrantedCompany[];
  /** The API client of the token; null: it was created at the command line without one. */
  readonly clientId: number | null;
  /** The person who signed in; null if there is none. */
  readonly pid: number | null;
  /** First name and name; empty if there is no person. */
  readonly personName: string;
  readonly permissions: Rights<ClientPermission>;
  /** The duties of the person; if there is none, the duties of the client. */
  readonly duties: Rights<Duty>;
}

interface GrantRow {
  /** PostgreSQL's bigint arrives as text. */
  readonly access_token_id: string;
  readonly expires_at: Date;
  readonly companies: readonly {
    readonly company_id: number;
    readonly code: string;
    readonly name: string;
    readonly time_zone: string;
    readonly key: string;
  }[];
  readonly api_client_id: number | null;
  readonly pid: number | null;
  readonly person_name: string;
  /** Null if the token has no client. */
  readonly permissions: readonly string[] | null;
  readonly may_publish: boolean;
  /** Null: all duties. */
  readonly duties: readonly string[] | null;
}

/**
 * Returns the rights of a token; undefined if the token is malformed, unknown, expired or revoked. A malformed token
 * causes no query. The role takt_api is enough. The database looks up the SHA-256 of the token and does not compare
 * tokens themselves. So the response time depends on a hash that an attacker cannot control, and reveals nothing about
 * a partly right token.
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
    companies: row.companies.map(({ company_id, time_zone, ...company }) => ({
      companyId: company_id,
      timeZone: time_zone,
      ...company,
    })),
    clientId: row.api_client_id,
    pid: row.pid,
    personName: row.person_name,
    permissions: permissionsOf(row),
    duties: row.duties === null ? 'all' : knownOf(duties, row.duties),
  };
}

/** A token without a client may use all resources. Publishing always requires an explicit grant. */
function permissionsOf({ permissions, may_publish }: GrantRow): Rights<ClientPermission> {
  if (permissions !== null) return knownOf(clientPermissions, permissions);
  return may_publish ? 'all' : clientPermissions.filter((permission) => permission !== 'publish-events');
}
