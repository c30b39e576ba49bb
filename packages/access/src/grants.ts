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
 * Each grant of OAuth 2, for the role takt_api. One call checks and stores: neither a stored hash nor the choice of who is
 * right comes here. A client is proven by the SHA-256 of its secret, see check-client.ts. For a password the database says
 * with which salt to compute, and this process computes: call that behind a sign-in guard. Person and password are told
 * apart by no answer, and take the same work, also where there are none.
 */

/** A token with which a client acts for itself, for its own companies and duties. Refused to a public client. */
export async function grantClientCredentials(pool: Pool, client: ClientCredentials): Promise<GrantResult> {
  const tokens = makeTokens();
  return issue(pool, { ...tokens, refreshToken: undefined }, 'grant_client_credentials($1, $2, $3)', [
    idOf(client.clientId),
    proofOf(client),
    hashToken(tokens.accessToken),
  ]);
}

/** Tokens with which a client acts for a person, by the password, with a refresh token. */
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
 * New tokens for a refresh token, which works this one time. Used a second time, also at the same time as the first, it
 * revokes everything that came from the same sign-in.
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

/** A page's session: a token of a person without a client, valid for 8 h, without a refresh token. */
export async function signIn(pool: Pool, person: PersonCredentials): Promise<GrantResult> {
  const tokens = makeTokens();
  const proof = await prove(pool, person);
  return issue(pool, { ...tokens, refreshToken: undefined }, 'sign_in($1, $2, $3)', [
    idOf(person.pid),
    proof,
    hashToken(tokens.accessToken),
  ]);
}

/** The same for a code of createOpeningCode, which works this one time. */
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
  /** Of the page's session in which the person agreed. */
  readonly sessionToken: string;
  readonly clientId: number;
  /** To the letter one of the client's. */
  readonly redirectUri: string;
  /** PKCE, S256. */
  readonly codeChallenge: string;
}

/**
 * A code that the client can exchange once for tokens of the session's person, valid for 60 s. Undefined where session,
 * client, redirect URI or challenge is not right.
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
  /** The one for which the code was issued. */
  readonly redirectUri: string;
  /** PKCE: the text whose SHA-256 was the challenge. */
  readonly codeVerifier: string;
}

/** Tokens for a code, with a refresh token. The first use burns the code, a second revokes what the first gave. */
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

/** What a page says of a client and checks; undefined where there is none, or where it is disabled. */
export async function findApiClient(pool: Pool, clientId: number): Promise<ApiClientFacts | undefined> {
  const { rows } = await pool.query<ApiClientFacts>({
    name: 'find_api_client',
    text: 'SELECT name, redirect_uris AS "redirectUris", is_public AS "isPublic" FROM takt.find_api_client($1)',
    values: [idOf(clientId)],
  });
  return rows[0];
}

/** Ends an access token or a refresh token with all of the same sign-in, within 5 s everywhere. Unknown ones end well. */
export async function revokeToken(pool: Pool, token: string): Promise<void> {
  if (!isWellFormedGrant(token)) return;
  await pool.query({
    name: 'revoke_token',
    text: 'SELECT takt.revoke_token($1)',
    values: [hashToken(token)],
  });
}

/** The same for a client that says who it is: refused where its secret is wrong, or where the token is another's. */
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

/** Notes that these tokens were used just now. */
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

/** `call` is a function of the database and its parameters; its name is that of the prepared statement. */
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
  if (row === undefined) throw new Error(`${call} gave no row`);
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
  if (parameters === undefined) throw new Error('find_scrypt_parameters gave no row');
  return proveSecret(password, parameters);
}

/** PostgreSQL's text holds no NUL, and nothing that is compared here does. */
function printable(text: string): string {
  return text.replaceAll('\0', '\ufffd');
}
