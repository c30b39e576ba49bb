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

/** The error codes of OAuth 2 that a grant can result in. */
export type GrantError = 'invalid_client' | 'invalid_grant' | 'unauthorized_client' | 'invalid_request';
export type GrantResult = { readonly issued: IssuedTokens } | { readonly refused: GrantError };

/*
 * These functions implement the grants of OAuth 2, for the database role takt_api. Each function calls the database,
 * which checks the credentials and stores the tokens. So this process receives no stored hashes and does not decide who
 * gets a token.
 * A client proves its identity by the SHA-256 of its secret (see checkClient). For a password, the database returns the
 * salt, and this process runs scrypt; therefore call these functions behind a sign-in guard. An unknown person and a
 * wrong password get the same response, after the same amount of work.
 */

/**
 * Issues a token for a client that acts for itself. The token has the client's own companies and duties. A public
 * client is refused.
 */
export async function grantClientCredentials(pool: Pool, client: ClientCredentials): Promise<GrantResult> {
  const tokens = makeTokens();
  return issue(pool, { ...tokens, refreshToken: undefined }, 'grant_client_credentials($1, $2, $3)', [
    idOf(client.clientId),
    proofOf(client),
    hashToken(tokens.accessToken),
  ]);
}

/**
 * Issues tokens for a client that acts for a person. The client sends the password of the person. A refresh token is
 * included.
 */
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
 * Issues new tokens for a refresh token. A refresh token can be used only once: a second use, even at the same time,
 * revokes all tokens of the same sign-in.
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
 * Starts the session of a page. It issues a token of the person, without a client and without a refresh token, which is
 * valid for 8 h.
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

/**
 * Returns the PID of the person who signs in with a text; see takt.find_login. A negative number stands for a text that
 * nobody can sign in with.
 */
export async function findLogin(pool: Pool, login: string): Promise<number> {
  const { rows } = await pool.query<{ pid: number }>({
    name: 'find_login',
    text: 'SELECT takt.find_login($1) AS pid',
    values: [printable(login)],
  });
  return rows[0]?.pid ?? -1;
}

/** Starts a session with a code that createOpeningCode has created. A code can be used only once. */
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
  /** The token of the session in which the person gave permission to the client. */
  readonly sessionToken: string;
  readonly clientId: number;
  /** The redirect address. It must equal one of the client's redirect addresses, character by character. */
  readonly redirectUri: string;
  /** The challenge of PKCE, made by the method S256. */
  readonly codeChallenge: string;
}

/**
 * Issues an authorization code for the person of the session. The code can be used once, within 60 s. Returns undefined
 * if the session, the client, the redirect address or the challenge is wrong.
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
  /** The redirect address. It must be the one for which the code was issued. */
  readonly redirectUri: string;
  /** The verifier of PKCE: the text whose SHA-256 is the challenge. */
  readonly codeVerifier: string;
}

/**
 * Issues tokens for an authorization code. A refresh token is included. A second use of the same code revokes the
 * tokens of the first use.
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

/**
 * Finds the data of a client that the sign-in page shows and checks. Returns undefined if the client does not exist or
 * is disabled.
 */
export async function findApiClient(pool: Pool, clientId: number): Promise<ApiClientFacts | undefined> {
  const { rows } = await pool.query<ApiClientFacts>({
    name: 'find_api_client',
    text: 'SELECT name, redirect_uris AS "redirectUris", is_public AS "isPublic" FROM takt.find_api_client($1)',
    values: [idOf(clientId)],
  });
  return rows[0];
}

/**
 * Revokes an access token or a refresh token, and all tokens of the same sign-in. This takes effect everywhere within 5
 * s. An unknown token is not an error.
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
 * Revokes a token for a client that authenticates itself. The request is refused if the client's secret is wrong, or if
 * the token belongs to another client.
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

/** Stores the present time as the time at which these tokens were last used. */
export async function noteTokenUse(pool: Pool, tokenSha256s: readonly Buffer[]): Promise<void> {
  if (tokenSha256s.length === 0) return;
  await pool.query({
    name: 'note_use_of_tokens',
    text: 'SELECT takt.note_use_of_tokens($1)',
    values: [tokenSha256s],
  });
}

function makeTokens() {
  return { accessToken: generateToken(), refreshToken: generateToken('refresh') };
}

interface GrantRow {
  readonly refused: GrantError | null;
  readonly expires_in_s: number;
}

/**
 * Calls a function of the database that issues tokens. `call` is the SQL of the function with its parameters; it is
 * also the name of the prepared statement.
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
      FROM takt.find_scrypt_parameters($1)`,
    values: [idOf(pid)],
  });
  const [parameters] = rows;
  if (parameters === undefined) throw new Error('find_scrypt_parameters returned no row');
  return proveSecret(password, parameters);
}

/**
 * Replaces NUL characters in a text, because a text in PostgreSQL cannot contain them. No valid value contains them
 * either.
 */
function printable(text: string): string {
  return text.replaceAll('\0', '\ufffd');
}
