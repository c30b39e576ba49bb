import { createHash } from 'node:crypto';
import { type Database, openDatabase } from '@takt/database';
import { createTestDatabase } from '@takt/database/testing';
import { addCompany } from '@takt/figures/master-data';
import { waitUntil } from '@takt/test-support';
import {
  type ClientCredentials,
  type CodeExchange,
  createApiClient,
  createUser,
  type GrantResult,
  grantAuthorizationCode,
  type IssuedTokens,
  issueAuthorizationCode,
  type NewApiClient,
  type NewUser,
} from '../../src/index.js';

/** The database of one suite. It is migrated, and has the companies TEM-DK, TEM-NO and TEM-SE. */
export interface AccessPlace {
  /** The URL of the database for the log-in of the owner. */
  readonly url: string;
  readonly database: Database;
  /** The same database, opened with the log-in of the API. */
  readonly api: Database;
  close(): Promise<void>;
}

export async function openAccessPlace(): Promise<AccessPlace> {
  const { url, appUrl, database, close } = await createTestDatabase();
  await addCompany(database, 'TEM-SE', 'Tempus Sverige');
  await addCompany(database, 'TEM-NO', 'Tempus Norge');
  await addCompany(database, 'TEM-DK', 'Tempus Danmark');
  const api = openDatabase({ url: appUrl('api'), applicationName: 'takt access test' });
  return {
    url,
    database,
    api,
    close: async () => {
      await api.close();
      await close();
    },
  };
}

/** Moves the times of all tokens back, so that the tokens expired `endedMs` ago. */
export async function expireTokens({ database }: AccessPlace, endedMs: number): Promise<void> {
  await database.pool.query(
    `UPDATE access_tokens
     SET created_at = now() - interval '1 day', expires_at = now() - make_interval(secs => $1::float8 / 1000)`,
    [endedMs],
  );
}

export const PASSWORD = 'correct horse battery';

/** Creates a client. By default it belongs to TEM-NO and TEM-SE and may read production times. */
export async function addClient(
  { database }: AccessPlace,
  wanted: Partial<NewApiClient> = {},
): Promise<ClientCredentials> {
  const { clientId, secret } = await createApiClient(database, {
    name: 'line display',
    companyCodes: ['TEM-NO', 'TEM-SE'],
    permissions: ['production-times'],
    redirectUris: [REDIRECT_URI],
    ...wanted,
  });
  return { clientId, secret };
}

/** Creates a person. By default it is a planner of TEM-NO with the password PASSWORD. */
export async function addPerson({ database }: AccessPlace, wanted: Partial<NewUser> = {}) {
  const person = {
    name: 'Larsen',
    companyCodes: ['TEM-NO'],
    roles: ['planner'],
    password: PASSWORD,
    ...wanted,
  };
  return { pid: await createUser(database, person), password: person.password };
}

/** The redirect URI of all clients that the helpers create. */
export const REDIRECT_URI = 'https://client.example/signed-in';
export const VERIFIER = 'a-verifier.of_at~least-43-characters-as-RFC-7636-asks';

export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

type CodeRequest = Parameters<typeof issueAuthorizationCode>[1];

/**
 * Issues a code to the person of a session. By default, its challenge is that of VERIFIER. Returns undefined if the
 * code is refused.
 */
export function issueCode(
  { api }: AccessPlace,
  request: Pick<CodeRequest, 'sessionToken' | 'clientId'> & Partial<CodeRequest>,
): Promise<string | undefined> {
  const codeChallenge = challengeOf(VERIFIER);
  return issueAuthorizationCode(api.pool, { redirectUri: REDIRECT_URI, codeChallenge, ...request });
}

export function exchangeCode(
  { api }: AccessPlace,
  client: ClientCredentials,
  code = '',
  changes: Partial<CodeExchange> = {},
): Promise<GrantResult> {
  const exchange = { code, redirectUri: REDIRECT_URI, codeVerifier: VERIFIER, ...changes };
  return grantAuthorizationCode(api.pool, client, exchange);
}

/** Returns the tokens of a grant; throws if the grant was refused. */
export function issuedBy(result: GrantResult): IssuedTokens & { readonly refreshToken: string } {
  if ('refused' in result) throw new Error(`refused: ${result.refused}`);
  return { ...result.issued, refreshToken: result.issued.refreshToken ?? '' };
}

/** The number of connections in the pool of the API. */
const AT_ONCE = 4;

/**
 * Holds the lock of the statement `lock` until four calls of the API wait for it. So all four start before one of them
 * ends.
 */
export async function allAtOnce<Result>(
  { database }: AccessPlace,
  lock: string,
  call: () => Promise<Result>,
): Promise<readonly Result[]> {
  const holder = await database.pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query(lock);
    const results = Promise.all(Array.from({ length: AT_ONCE }, call));
    await waitUntil('all of them wait for the lock', async () => {
      const { rowCount } = await database.pool.query(
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
      );
      return rowCount === AT_ONCE;
    });
    await holder.query('COMMIT');
    return await results;
  } finally {
    holder.release(true);
  }
}
