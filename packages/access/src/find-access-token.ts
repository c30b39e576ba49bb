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
  /** What $db calls it, e.g. TEM-NO. */
  readonly code: string;
  readonly name: string;
  /** IANA name. */
  readonly timeZone: string;
  /** A secret: with it a session sees the rows of the company. */
  readonly key: string;
}

/** What a valid token allows. */
export interface AccessGrant {
  /** Says in a log which token it was; not the token. */
  readonly tokenId: number;
  /** The first instant at which the token is no longer valid. */
  readonly expiresAt: Date;
  /** Never empty; the first is the default. */
  readonly companies: readonly GrantedCompany[];
  /** The API client that the token was given to; null: it was made at the command line for nobody in particular. */
  readonly clientId: number | null;
  /** The person who signed in; null: a client acts for itself. */
  readonly pid: number | null;
  /** First name and name of the person; empty: there is none. */
  readonly personName: string;
  /** What the client is permitted. */
  readonly permissions: Rights<ClientPermission>;
  /** What the person, or else the client, is trusted with. */
  readonly duties: Rights<Duty>;
}

interface GrantRow {
  /** bigint arrives as text. */
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
  /** Null: there is no client. */
  readonly permissions: readonly string[] | null;
  readonly may_publish: boolean;
  /** Null: all. */
  readonly duties: readonly string[] | null;
}

/**
 * What a token grants, undefined where it is malformed, unknown, expired or revoked; of something that cannot be a
 * token the database is not asked. The role takt_api is enough.
 *
 * The database finds the token by its SHA-256 and nobody compares tokens: the time it takes depends on the hash,
 * which whoever guesses cannot steer, so it tells nothing about how much of a token was right.
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

/** Without a client every resource is permitted; to publish is given to nobody who did not ask for it. */
function permissionsOf({ permissions, may_publish }: GrantRow): Rights<ClientPermission> {
  if (permissions !== null) return knownOf(clientPermissions, permissions);
  return may_publish ? 'all' : clientPermissions.filter((permission) => permission !== 'publish-events');
}
