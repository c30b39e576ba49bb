import type { Database } from '@takt/database';
import { type ClientCredentials, idOf, proofOf } from './api-clients.js';
import { hashOfCode } from './opening-codes.js';
import {
  generateToken,
  hashToken,
  isWellFormedGrant,
  proveSecret,
  type ScryptParameters,
} from './secrets.js';

type Pool = Database['pool'];

export interface PersonCredentials {
  readonly pid: number;
  readonly password: string;
}

export interface IssuedTokens {
  readonly accessToken: string;
  readonly expiresInS: number;
  readonly refreshToken: string | undefined;
}

/** Error codes of OAuth 2. */
export type GrantError = 'invalid_client' | 'invalid_grant' | 'unauthorized_client' | 'invalid_request';
export type GrantResult = { readonly issued: IssuedTokens } | { readonly refused: GrantError };

/*
 * The grants of OAuth 2, for the role takt_api. Each call checks and stores in the database, so this process receives
 * no stored hashes and does not make the decision. A client proves itself by the SHA-256 of its secret (see
 * checkClient). For a password, the database returns the salt and this process runs scrypt: call these functions behind
 * a sign-in guard. An unknown person and a wrong password get the same response after the same work.
 */

/**
 * Issues a token for a client that acts for itself, with the client's own companies and duties. A public client is
 * refused.
 */
export async function grantClientCredentials(pool: Pool, client: ClientCredentials): Promise<GrantResult> {
  const tokens = makeTokens();
  return issue(pool, { ...tokens, refreshToken: undefined }, 'grant_client_credentials($1, $2, $3)', [
    idOf(client.clientId),
    proofOf(client),
    hashToken(tokens.accessToken),
  ]);
}

/** Issues tokens for a client that acts for a person, by the person's password, including a refresh token. */
export async function grantPassword(
  pool: Pool,
  client: ClientCredentials,
  person: PersonCredentials,
): Promise<GrantResult> {
  const tokens = makeTokens();
  const personProof = await prove(pool, person);
  return issue(pool, tokens, 'grant_password($1, $2, $3, $4, $5, $6)', [
    idOf(client.clientId),
    proofOf(client),
    idOf(person.pid),
    personProof,
    hashToken(tokens.accessToken),
    hashToken(tokens.refreshToken),
  ]);
}

/**
 * Issues new tokens for a refresh token, which can be used only once. A second use, even a concurrent one, revokes all
 * tokens of the same sign-in.
 */
export async function grantRefreshToken(
  pool: Pool,
  client: ClientCredentials,
  refreshToken: string,
): Promise<GrantResult> {
  const tokens = makeTokens();
  return issue(pool, tokens, 'grant_refresh_token($1, $2, $3, $4, $5)', [
    idOf(client.clientId),
    proofOf(client),
    hashToken(refreshToken),
    hashToken(tokens.accessToken),
    hashToken(tokens.refreshToken),
  ]);
}

/**
 * Starts the session of a page: issues a token of a person without a client, valid for 8 h, without a refresh token.
 */
export async function signIn(pool: Pool, person: PersonCredentials): Promise<GrantResult> {
  const tokens = makeTokens();
  const proof = await prove(pool, person);
  return issue(pool, { ...tokens, refreshToken: undefined }, 'sign_in($1, $2, $3)', [
    idOf(person.pid),
    proof,
    hashToken(tokens.accessToken),
  ]);
}

/** Starts a session with a code of createOpeningCode, which can be used only once. */
export async function signInByCode(pool: Pool, code: string): Promise<GrantResult> {
  const codeSha256 = hashOfCode(code);
  if (codeSha256 === undefined) return { refused: 'invalid_grant' };
  const tokens = makeTokens();
  return issue(pool, { ...tokens, refreshToken: undefined }, 'sign_in_by_code($1, $2)', [
    codeSha256,
    hashToken(tokens.accessToken),
  ]);
}

export interface CodeRequest {
  /** The token of the session in which the person agreed. */
  readonly sessionToken: string;
  readonly clientId: number;
  /** Must equal one of the client's redirect addresses, character by character. */
  readonly redirectUri: string;
  /** The PKCE challenge, by the method S256. */
  readonly codeChallenge: string;
}

/**
 * Issues an authorization code for the session's person, which can be used once within 60 s. Undefined if session,
 * client, redirect URI or challenge is wrong.
 */
export async function issueAuthorizationCode(
  pool: Pool,
  { sessionToken, clientId, redirectUri, codeChallenge }: CodeRequest,
): Promise<string | undefined> {
  const code = generateToken('code');
  const { rows } = await pool.query<{ issued: boolean }>({
    name: 'issue_authorization_code',
    text: 'SELECT takt.issue_authorization_code($1, $2, $3, $4, $5) AS issued',
    values: [
      hashToken(sessionToken),
      idOf(clientId),
      printable(redirectUri),
      printable(codeChallenge),
      hashToken(code),
    ],
  });
  return rows[0]?.issued === true ? code : undefined;
}

export interface CodeExchange {
  readonly code: string;
  /** Must be the redirect address for which the code was issued. */
  readonly redirectUri: string;
  /** The PKCE verifier: the text whose SHA-256 is the challenge. */
  readonly codeVerifier: string;
}

/**
 * Issues tokens for an authorization code, including a refresh token. A second use of the code revokes the tokens of
 * the first use.
 */
export async function grantAuthorizationCode(
  pool: Pool,
  client: ClientCredentials,
  { code, redirectUri, codeVerifier }: CodeExchange,
): Promise<GrantResult> {
  const tokens = makeTokens();
  return issue(pool, tokens, 'grant_authorization_code($1, $2, $3, $4, $5, $6, $7)', [
    idOf(client.clientId),
    proofOf(client),
    hashToken(code),
    printable(redirectUri),
    printable(codeVerifier),
    hashToken(tokens.accessToken),
    hashToken(tokens.refreshToken),
  ]);
}

export interface ApiClientFacts {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly isPublic: boolean;
}

/** The client as the sign-in page shows and checks it; undefined if the client does not exist or is disabled. */
export async function findApiClient(pool: Pool, clientId: number): Promise<ApiClientFacts | undefined> {
  const { rows } = await pool.query<ApiClientFacts>({
    name: 'find_api_client',
    text: 'SELECT name, redirect_uris AS "redirectUris", is_public AS "isPublic" FROM takt.find_api_client($1)',
    values: [idOf(clientId)],
  });
  return rows[0];
}

/**
 * Revokes an access or refresh token and all tokens of the same sign-in, which takes effect everywhere within 5 s. An
 * unknown token is not an error.
 */
export async function revokeToken(pool: Pool, token: string): Promise<void> {
  if (!isWellFormedGrant(token)) return;
  await pool.query({
    name: 'revoke_token',
    text: 'SELECT takt.revoke_token($1)',
    values: [hashToken(token)],
  });
}

/**
 * Revokes a token for a client that authenticates itself. Refused if the client's secret is wrong or the token belongs
 * to another client.
 */
export async function revokeClientToken(
  pool: Pool,
  client: ClientCredentials,
  token: string,
): Promise<GrantError | undefined> {
  const { rows } = await pool.query<{ refused: GrantError | null }>({
    name: 'revoke_client_token',
    text: 'SELECT takt.revoke_client_token($1, $2, $3) AS refused',
    values: [idOf(client.clientId), proofOf(client), hashToken(token)],
  });
  return rows[0]?.refused ?? undefined;
}

/** Stores the present time as the last use of these tokens. */
export async function noteTokenUse(pool: Pool, tokenIds: readonly number[]): Promise<void> {
  if (tokenIds.length === 0) return;
  await pool.query({ name: 'note_token_use', text: 'SELECT takt.note_token_use($1)', values: [tokenIds] });
}

function makeTokens() {
  return { accessToken: generateToken(), refreshToken: generateToken('refresh') };
}

interface GrantRow {
  readonly refused: GrantError | null;
  readonly expires_in_s: number;
}

/**
 * Calls a database function that issues tokens. `call`: the function with its parameters; also used as the name of the
 * prepared statement.
 */
async function issue(
  pool: Pool,
  tokens: Pick<IssuedTokens, 'accessToken' | 'refreshToken'>,
  call: string,
  values: readonly unknown[],
): Promise<GrantResult> {
  const { rows } = await pool.query<GrantRow>({
    name: call,
    text: `SELECT refused, expires_in_s FROM takt.${call}`,
    values: [...values],
  });
  const [row] = rows;
  if (row === undefined) throw new Error(`${call} returned no row`);
  if (row.refused !== null) return { refused: row.refused };
  return { issued: { ...tokens, expiresInS: row.expires_in_s } };
}

async function prove(pool: Pool, { pid, password }: PersonCredentials): Promise<Buffer> {
  const { rows } = await pool.query<ScryptParameters>({
    name: 'find_scrypt_parameters',
    text: `SELECT salt, cost, block_size AS "blockSize", parallelization
      FROM takt.find_scrypt_parameters('person', $1)`,
    values: [idOf(pid)],
  });
  const [parameters] = rows;
  if (parameters === undefined) throw new Error('find_scrypt_parameters returned no row');
  return proveSecret(password, parameters);
}

/** Replaces NUL, which PostgreSQL's text cannot contain and no valid value contains. */
function printable(text: string): string {
  return text.replaceAll('\0', '\ufffd');
}
