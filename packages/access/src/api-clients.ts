import { clientPermissions, duties } from '@takt/catalogue/rights';
import { type Database, inTransaction } from '@takt/database';
import {
  assertKnown,
  assertRoles,
  changedNames,
  failUnknown,
  findCompanyIds,
  insertCompanies,
  type NameChanges,
} from './names.js';
import {
  fieldsOf,
  generateToken,
  hashSlowly,
  hashToken,
  proveSecret,
  type ScryptParameters,
  slowHashRow,
} from './secrets.js';

export interface NewApiClient {
  readonly name: string;
  /**
   * The codes of the client's companies. The first is the default company. If there are none, the client may be used
   * for the companies of any person who signs in, but cannot act for itself.
   */
  readonly companyCodes?: readonly string[];
  readonly redirectUris?: readonly string[];
  /** True for a program that cannot keep a secret, for example because it runs in a browser. */
  readonly isPublic?: boolean;
  readonly permissions?: readonly string[];
  /** The roles that determine the duties of the client when it sends requests in its own name. */
  readonly roles?: readonly string[];
}

export interface CreatedApiClient {
  readonly clientId: number;
  /**
   * The secret of the client. It is not stored anywhere, so it can be shown only once. undefined for a public client.
   */
  readonly secret: string | undefined;
}

/**
 * Creates a client. Throws an UnknownNamesError for an unknown company, permission or role, and a RedirectUriError for
 * an invalid redirect address.
 */
export async function createApiClient(database: Database, wanted: NewApiClient): Promise<CreatedApiClient> {
  const permissions = assertKnown('permission', wanted.permissions ?? [], clientPermissions);
  const redirectUris = wanted.redirectUris ?? [];
  for (const uri of redirectUris) assertRedirectUri(uri);
  const companyIds = await findCompanyIds(database, wanted.companyCodes ?? []);
  const roles = await assertRoles(database, wanted.roles ?? []);
  const secret = wanted.isPublic === true ? undefined : generateToken('secret');
  // The slow hash marks a client that is not public. It is needed to check the secret of clients from before 1.0.0.
  const hash = secret === undefined ? undefined : await hashSlowly(secret);
  return inTransaction(database.pool, async (session) => {
    const { rows } = await session.query<{ id: number }>(
      `INSERT INTO takt.api_clients (name, redirect_uris, permissions, roles, secret, secret_sha256)
       VALUES ($1, $2, $3, $4, ${slowHashRow(5)}, sha256($10)) RETURNING api_client_id AS id`,
      [wanted.name, redirectUris, permissions, roles, ...fieldsOf(hash), proofOf({ secret })],
    );
    const [made] = rows;
    if (made === undefined) throw new Error('no client was made');
    await insertCompanies(session, 'api_client_companies', made.id, companyIds);
    return { clientId: made.id, secret };
  });
}

export interface ApiClientSummary {
  readonly clientId: number;
  readonly name: string;
  readonly isPublic: boolean;
  readonly companyCodes: readonly string[];
  readonly redirectUris: readonly string[];
  readonly permissions: readonly string[];
  readonly roles: readonly string[];
  /** The duties that the client has itself, in addition to the duties of its roles. */
  readonly duties: readonly string[];
  readonly createdAt: Date;
  readonly disabledAt: Date | null;
}

/** Lists all clients by their ids. */
export async function listApiClients({ pool }: Pick<Database, 'pool'>): Promise<readonly ApiClientSummary[]> {
  const { rows } = await pool.query<ApiClientSummary>(`
    SELECT api_client_id AS "clientId", name, is_public AS "isPublic",
      ARRAY(SELECT company.code FROM takt.api_client_companies own JOIN takt.companies company USING (company_id)
        WHERE own.api_client_id = client.api_client_id ORDER BY own.ordinal) AS "companyCodes",
      redirect_uris AS "redirectUris", permissions, roles, duties, created_at AS "createdAt", disabled_at AS "disabledAt"
    FROM takt.api_clients client ORDER BY api_client_id`);
  return rows;
}

/**
 * Changes the permissions of the client, and returns the permissions after the change. Throws an UnknownNamesError for
 * an unknown permission or client.
 */
export async function changeClientPermissions(
  database: Database,
  clientId: number,
  { add = [], remove = [] }: NameChanges,
): Promise<readonly string[]> {
  assertKnown('permission', [...add, ...remove], clientPermissions);
  return changeNames(database, clientId, 'permissions', { add, remove });
}

/**
 * Changes the duties that the client has itself, and returns them after the change. Throws an UnknownNamesError for an
 * unknown duty or client.
 */
export async function changeClientDuties(
  database: Database,
  clientId: number,
  { add = [], remove = [] }: NameChanges,
): Promise<readonly string[]> {
  assertKnown('duty', [...add, ...remove], duties);
  return changeNames(database, clientId, 'duties', { add, remove });
}

async function changeNames(
  database: Database,
  clientId: number,
  column: 'permissions' | 'duties',
  { add, remove }: Required<NameChanges>,
): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ names: readonly string[] }>(
    `UPDATE takt.api_clients SET ${column} = ${changedNames(column, '$2', '$3')} WHERE api_client_id = $1
     RETURNING ${column} AS names`,
    [clientId, add, remove],
  );
  return rows[0]?.names ?? failUnknown(database, 'client', clientId);
}

/**
 * Disables a client and revokes its tokens. This takes effect everywhere within 5 s. It may be called again for the
 * same client.
 */
export async function disableApiClient(database: Database, clientId: number): Promise<void> {
  const { rows } = await database.pool.query<{ isThere: boolean }>(
    'SELECT takt.disable_client($1) AS "isThere"',
    [clientId],
  );
  if (rows[0]?.isThere !== true) await failUnknown(database, 'client', clientId);
}

/** Enables a client that was disabled. Tokens from before stay revoked. It may be called again for the same client. */
export async function enableApiClient(database: Database, clientId: number): Promise<void> {
  const { rows } = await database.pool.query<{ isThere: boolean }>(
    'SELECT takt.enable_client($1) AS "isThere"',
    [clientId],
  );
  if (rows[0]?.isThere !== true) await failUnknown(database, 'client', clientId);
}

/**
 * Replaces the secret of a client, and returns the new secret. The old secret stops working at once. If the client was
 * public, it now has a secret and is no longer public.
 */
export async function renewClientSecret(database: Database, clientId: number): Promise<string> {
  const secret = generateToken('secret');
  const { rowCount } = await database.pool.query(
    `WITH renewed AS (
       UPDATE takt.api_clients SET secret = ${slowHashRow(2)}, secret_sha256 = sha256($7) WHERE api_client_id = $1
       RETURNING api_client_id)
     SELECT takt.end_grants(NULL, api_client_id) FROM renewed`,
    [clientId, ...fieldsOf(await hashSlowly(secret)), proofOf({ secret })],
  );
  if (rowCount === 0) await failUnknown(database, 'client', clientId);
  return secret;
}

export class RedirectUriError extends Error {
  override readonly name = 'RedirectUriError';
}

/**
 * Throws unless the redirect address is allowed. It must have the scheme https, the scheme http if it is on this
 * machine, or the scheme of an app (RFC 8252). It must have neither a fragment nor a user or password.
 */
function assertRedirectUri(uri: string): void {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  const isLocal = url?.protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
  const isOfApp = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(url?.protocol ?? '');
  const isPlain = url?.username === '' && url.password === '' && !uri.includes('#');
  if (isPlain && (url.protocol === 'https:' || isLocal || isOfApp)) return;
  throw new RedirectUriError(
    'a redirect URI is https://..., http://127.0.0.1... or of an app, as in com.example.app:/signed-in, without #, a ' +
      `user or a password, not ${JSON.stringify(uri.replace(/\/\/.*@/, '//***@'))}`,
  );
}

type Pool = Database['pool'];

/** The credentials with which a client authenticates itself. */
export interface ClientCredentials {
  readonly clientId: number;
  /** The secret of the client; undefined for a public client. */
  readonly secret: string | undefined;
}

/**
 * The result of checking a client. `slow` means that only a slow hash of the secret is stored, so the secret must be
 * checked with scrypt (see quickenSecret).
 */
export type ClientCheck = 'right' | 'wrong' | { readonly slow: ScryptParameters };

type CheckRow = { readonly is_right: boolean } & (ScryptParameters | { readonly salt: null });

/**
 * Checks that the client is enabled and that its secret is right. A secret has 256 random bits and cannot be guessed.
 * So a quick hash is enough, and failed attempts need not be counted.
 */
export async function checkClient(pool: Pool, client: ClientCredentials): Promise<ClientCheck> {
  const { rows } = await pool.query<CheckRow>({
    name: 'check_client',
    text: `SELECT is_right, salt, cost, block_size AS "blockSize", parallelization FROM takt.check_client($1, $2)`,
    values: [idOf(client.clientId), proofOf(client)],
  });
  const [row] = rows;
  if (row?.is_right === true) return 'right';
  return row === undefined || row.salt === null ? 'wrong' : { slow: row };
}

/**
 * Checks a secret against its slow hash, and then stores a quick hash. This is needed for secrets that were stored by
 * early versions before 1.0.0, which stored only the slow hash. Returns false if the secret is wrong. Call this function only
 * behind a sign-in guard, because it runs scrypt.
 */
export async function quickenSecret(
  pool: Pool,
  { clientId, secret = '' }: ClientCredentials,
  parameters: ScryptParameters,
): Promise<boolean> {
  const { rows } = await pool.query<{ isRight: boolean }>({
    name: 'quicken_secret',
    text: 'SELECT takt.quicken_secret($1, $2, $3) AS "isRight"',
    values: [idOf(clientId), await proveSecret(secret, parameters), hashToken(secret)],
  });
  return rows[0]?.isRight === true;
}

/** The proof that the client knows its secret. The database checks this proof. null for a public client. */
export function proofOf({ secret }: Pick<ClientCredentials, 'secret'>): Buffer | null {
  return secret === undefined ? null : hashToken(secret);
}

const MAX_ID = 2 ** 31 - 1;
/**
 * An id that no client has. It is used in place of a number that cannot be an id, so that the answer is the same as for
 * an unknown client.
 */
const NOBODY = 0;

export function idOf(id: number): number {
  return Number.isInteger(id) && id >= 1 && id <= MAX_ID ? id : NOBODY;
}
