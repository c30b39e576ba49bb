import { duties, readingDuties } from '@takt/catalogue/rights';
import { type Database, inTransaction } from '@takt/database';
import { type ApiClientSummary, listApiClients } from './api-clients.js';
import { assertKnown, assertRoles, failUnknown, findCompanyIds, insertCompanies } from './names.js';
import { generateToken, hashToken, isWellFormedToken } from './secrets.js';
import { listUsers, type UserSummary } from './users.js';

export const MAX_TOKEN_LIFETIME_MS = 365 * 24 * 60 * 60 * 1_000;

export interface AccessTokenRequest {
  /**
   * The codes of the companies that the token covers. There is at least one; the first is the default company. A
   * repeated code counts only once.
   */
  readonly companyCodes: readonly string[];
  /**
   * The lifetime of the token in milliseconds, measured by the clock of the database. It is above 0 and at most
   * MAX_TOKEN_LIFETIME_MS.
   */
  readonly expiresInMs: number;
  /** A description that is shown in lists of tokens. */
  readonly description?: string;
  /** The client to which the token belongs. The token has the permissions of this client. */
  readonly clientId?: number;
  /** The person to whom the token belongs. The token has the duties of this person. */
  readonly pid?: number;
  /** Limits the token to these duties, together with the duties of `roles`. */
  readonly duties?: readonly string[];
  /**
   * Limits the token to the duties that these roles have now, together with `duties`. If the roles change later, the
   * token does not change.
   */
  readonly roles?: readonly string[];
  /**
   * True if the token may publish events. If the token has a client, the client must have the permission to publish.
   * The token then has no duties, unless they are given here.
   */
  readonly mayPublish?: boolean;
}

export interface CreatedAccessToken {
  /** The token itself. It is not stored anywhere, so it can be shown only once. */
  readonly token: string;
  readonly expiresAt: Date;
}

const CREATE = `
  INSERT INTO takt.access_tokens (token_sha256, description, expires_at, api_client_id, pid, duties, may_publish)
  VALUES ($1, $2, now() + make_interval(secs => $3::float8 / 1000), $4, $5, $6, $7)
  RETURNING access_token_id AS id, expires_at AS "expiresAt"`;

/**
 * Creates a token for companies.
 * The token may publish events, or has the given duties, or has the duties of a person, which are looked up whenever
 * the token is used. If none of these is requested, the token may read everything in its companies and change nothing.
 * If a client is given, the token is limited to the permissions of the client. Expired tokens are partly removed on
 * this occasion.
 * Throws an UnknownNamesError for an unknown company, client, person, duty or role; a BeyondLimitsError if the client
 * or the person lacks the requested rights; and a RangeError if there is no company or if the lifetime is out of range.
 * If it throws, no token is stored.
 */
export async function createAccessToken(
  database: Database,
  request: AccessTokenRequest,
): Promise<CreatedAccessToken> {
  const { companyCodes, expiresInMs } = request;
  if (companyCodes.length === 0) throw new RangeError('a token needs at least one company');
  if (!(expiresInMs > 0 && expiresInMs <= MAX_TOKEN_LIFETIME_MS)) {
    throw new RangeError(
      `a token is valid for more than 0 and at most ${MAX_TOKEN_LIFETIME_MS} ms, not ${expiresInMs}`,
    );
  }
  const companyIds = await findCompanyIds(database, companyCodes);
  const duties = await dutiesFor(database, request);
  await assertWithinLimits(database, { ...request, ...(duties !== null && { duties }) });
  await database.pool.query('SELECT takt.sweep_expired_tokens()');
  const token = generateToken();
  const values = [
    hashToken(token),
    request.description ?? null,
    expiresInMs,
    request.clientId ?? null,
    request.pid ?? null,
    duties,
    request.mayPublish ?? false,
  ];
  return inTransaction(database.pool, async (session) => {
    const { rows } = await session.query<{ id: string; expiresAt: Date }>(CREATE, values);
    const [created] = rows;
    if (created === undefined) throw new Error('no token was made');
    await insertCompanies(session, 'access_token_companies', created.id, companyIds);
    return { token, expiresAt: created.expiresAt };
  });
}

/** The duties that are stored with the token. null if the token has all duties of its person. */
async function dutiesFor(
  database: Database,
  { duties: named, roles, pid, mayPublish }: AccessTokenRequest,
): Promise<readonly string[] | null> {
  if (roles !== undefined) {
    const { rows } = await database.pool.query<{ duties: readonly string[] }>(
      'SELECT takt.duties_with_roles($1, $2) AS duties',
      [named ?? [], await assertRoles(database, roles)],
    );
    return rows[0]?.duties ?? [];
  }
  if (named !== undefined) return named;
  if (pid !== undefined) return null;
  return mayPublish === true ? [] : readingDuties;
}

/** A token as it appears in lists. This does not contain the token itself. */
export interface AccessTokenSummary {
  readonly tokenId: number;
  /** The codes of the companies that the token covers. The first is the default company. */
  readonly companyCodes: readonly string[];
  readonly createdAt: Date;
  readonly expiresAt: Date;
  /** The state of the token. disabled: the client or the person of the token is disabled. */
  readonly state: 'valid' | 'expired' | 'revoked' | 'disabled';
  /**
   * The kind of the token. command-line: it was created on the command line. client: a client acts for itself. person:
   * a client acts for a person. page: it is the session of a browser.
   */
  readonly kind: 'command-line' | 'client' | 'person' | 'page';
  readonly clientId: number | null;
  readonly pid: number | null;
  /**
   * The duties to which the token is limited. null if it has all duties of its client or person or, if it has neither,
   * all duties that exist.
   */
  readonly duties: readonly string[] | null;
  readonly mayPublish: boolean;
  /** The time at which the token was last used. This time may be up to half a minute behind. */
  readonly lastUsedAt: Date | null;
  readonly description: string | null;
}

/** Lists all tokens by their ids. Revoked and expired tokens are included as long as they have not been removed. */
export async function listAccessTokens({
  pool,
}: Pick<Database, 'pool'>): Promise<readonly AccessTokenSummary[]> {
  const { rows } = await pool.query<AccessTokenSummary>(`
    SELECT token.access_token_id::float8 AS "tokenId", listed.codes AS "companyCodes",
      token.created_at AS "createdAt", token.expires_at AS "expiresAt",
      CASE
        WHEN token.revoked_at IS NOT NULL OR family.revoked_at IS NOT NULL THEN 'revoked'
        WHEN token.expires_at <= now() THEN 'expired'
        WHEN client.disabled_at IS NOT NULL OR person.disabled_at IS NOT NULL THEN 'disabled'
        ELSE 'valid'
      END AS state,
      token.kind, token.api_client_id AS "clientId", token.pid, token.duties,
      CASE WHEN client.api_client_id IS NULL THEN token.may_publish
        ELSE 'publish-events' = ANY (client.permissions) END AS "mayPublish",
      token.last_used_at AS "lastUsedAt", token.description
    FROM takt.access_tokens token
    JOIN LATERAL (
      SELECT array_agg(company.code ORDER BY granted.ordinal) AS codes
      FROM takt.access_token_companies granted JOIN takt.companies company USING (company_id)
      WHERE granted.access_token_id = token.access_token_id
    ) listed ON listed.codes IS NOT NULL
    LEFT JOIN takt.token_families family USING (token_family_id)
    LEFT JOIN takt.api_clients client ON client.api_client_id = token.api_client_id
    LEFT JOIN takt.users person ON person.pid = token.pid
    ORDER BY token.access_token_id`);
  return rows;
}

/**
 * Revokes a token and all tokens of the same sign-in. The token is given by its text or its id. Caches of tokens forget
 * it within 5 s. Revoking a token again is allowed and does not change the time at which it was revoked. Returns false
 * if the token does not exist, or if it had expired and was removed.
 */
export async function revokeAccessToken(database: Database, token: string | number): Promise<boolean> {
  if (typeof token === 'string' && !isWellFormedToken(token)) return false;
  const byId = typeof token === 'number';
  const { rows } = await database.pool.query<{ isThere: boolean }>(
    'SELECT takt.end_token($1, $2) AS "isThere"',
    [byId ? token : null, byId ? null : hashToken(token)],
  );
  return rows[0]?.isThere === true;
}

/** Thrown if a requested token would have more rights than its client or its person. */
export class BeyondLimitsError extends Error {
  override readonly name = 'BeyondLimitsError';
}

interface TokenLimits {
  readonly companyCodes: readonly string[];
  readonly clientId?: number;
  readonly pid?: number;
  readonly duties?: readonly string[];
  readonly mayPublish?: boolean;
}

/**
 * Throws a BeyondLimitsError if the client or the person lacks the requested rights. Without this check, the token
 * would be created but would lack these rights, and nobody would notice. Throws an UnknownNamesError for an unknown
 * client, person or duty.
 */
async function assertWithinLimits(database: Database, wanted: TokenLimits): Promise<void> {
  assertKnown('duty', wanted.duties ?? [], duties);
  if (wanted.clientId !== undefined) assertOfClient(await findClient(database, wanted.clientId), wanted);
  if (wanted.pid !== undefined) assertOfPerson(await findPerson(database, wanted.pid), wanted);
}

async function findClient(database: Database, id: number): Promise<ApiClientSummary> {
  const clients = await listApiClients(database);
  return clients.find(({ clientId }) => clientId === id) ?? failUnknown(database, 'client', id);
}

async function findPerson(database: Database, id: number): Promise<UserSummary> {
  const people = await listUsers(database);
  return people.find(({ pid }) => pid === id) ?? failUnknown(database, 'person', id);
}

function assertOfClient(client: ApiClientSummary, { companyCodes, mayPublish }: TokenLimits): void {
  const who = `client ${client.clientId} (${client.name})`;
  if (client.disabledAt !== null) throw new BeyondLimitsError(`${who} is disabled`);
  // A client without companies has no limit here: it may be used for the companies of any person who signs in.
  if (client.companyCodes.length > 0) assertSubset(`${who} is not for`, companyCodes, client.companyCodes);
  if (mayPublish === true) assertSubset(`${who} is not permitted to`, ['publish-events'], client.permissions);
}

function assertOfPerson(person: UserSummary, { companyCodes, duties: wanted = [] }: TokenLimits): void {
  const who = `person ${person.pid} (${person.name})`;
  if (person.disabledAt !== null) throw new BeyondLimitsError(`${who} is disabled`);
  assertSubset(`${who} does not work for`, companyCodes, person.companyCodes);
  assertSubset(`${who} is not trusted with`, wanted, person.heldDuties);
}

function assertSubset(lack: string, wanted: readonly string[], held: readonly string[]): void {
  const missing = wanted.filter((name) => !held.includes(name));
  if (missing.length === 0) return;
  const has = held.length === 0 ? 'nothing' : held.join(', ');
  throw new BeyondLimitsError(`${lack} ${missing.join(', ')}, only: ${has}`);
}
