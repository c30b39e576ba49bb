import { type Database, schema } from '@takt/database';
import { eq, sql } from 'drizzle-orm';
import { findCompanyIds } from './named-rows.js';
import { generateToken, hashToken, isWellFormedToken } from './token-format.js';

/** 365 days. */
export const MAX_TOKEN_LIFETIME_MS = 365 * 24 * 60 * 60 * 1_000;

export interface AccessTokenRequest {
  /** At least one; the first is the default company. A code given twice counts once. */
  readonly companyCodes: readonly string[];
  /** From now, by the clock of the database; above 0, at most MAX_TOKEN_LIFETIME_MS. */
  readonly expiresInMs: number;
  /** What the token is for, shown to whoever looks through the tokens. */
  readonly description?: string;
}

export interface CreatedAccessToken {
  /** Known to nobody else and stored nowhere: it cannot be shown a second time. */
  readonly token: string;
  readonly expiresAt: Date;
}

/** One statement, so that a token has all its companies or does not exist. */
const CREATE = `
  WITH created AS (
    INSERT INTO takt.access_tokens (token_sha256, description, expires_at)
    VALUES ($2, $3, now() + make_interval(secs => $4::float8 / 1000))
    RETURNING access_token_id, expires_at
  ), granted AS (
    INSERT INTO takt.access_token_companies (access_token_id, ordinal, company_id)
    SELECT access_token_id, ordinal, id FROM created, unnest($1::integer[]) WITH ORDINALITY AS company (id, ordinal)
  )
  SELECT expires_at FROM created`;

/**
 * Makes a token for companies. Throws an UnknownNamesError where one is not registered and a RangeError for no
 * company or a lifetime out of range; nothing is stored then. Some expired tokens are removed on the way.
 */
export async function createAccessToken(
  database: Database,
  { companyCodes, expiresInMs, description }: AccessTokenRequest,
): Promise<CreatedAccessToken> {
  if (companyCodes.length === 0) throw new RangeError('a token needs at least one company');
  if (!(expiresInMs > 0 && expiresInMs <= MAX_TOKEN_LIFETIME_MS)) {
    throw new RangeError(
      `a token is valid for more than 0 and at most ${MAX_TOKEN_LIFETIME_MS} ms, not ${expiresInMs}`,
    );
  }
  const companyIds = await findCompanyIds(database, companyCodes);
  await database.pool.query('SELECT takt.sweep_expired_tokens()');
  const token = generateToken();
  const { rows } = await database.pool.query<{ expires_at: Date }>(CREATE, [
    companyIds,
    hashToken(token),
    description ?? null,
    expiresInMs,
  ]);
  const [created] = rows;
  if (created === undefined) throw new Error('no token was made');
  return { token, expiresAt: created.expires_at };
}

/** What is known of a token; not the token. */
export interface AccessTokenSummary {
  readonly tokenId: number;
  /** The first is the default. */
  readonly companyCodes: readonly string[];
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly state: 'valid' | 'expired' | 'revoked';
  readonly description: string | null;
}

/** All tokens by id, also revoked and expired ones that were not removed yet. */
export async function listAccessTokens(database: Database): Promise<readonly AccessTokenSummary[]> {
  const { rows } = await database.pool.query<AccessTokenSummary>(`
    SELECT token.access_token_id::float8 AS "tokenId", array_agg(company.code ORDER BY granted.ordinal) AS "companyCodes",
      token.created_at AS "createdAt", token.expires_at AS "expiresAt", token.description,
      CASE WHEN token.revoked_at IS NOT NULL THEN 'revoked' WHEN token.expires_at <= now() THEN 'expired' ELSE 'valid' END
        AS state
    FROM takt.access_tokens token
    JOIN takt.access_token_companies granted USING (access_token_id)
    JOIN takt.companies company USING (company_id)
    GROUP BY token.access_token_id ORDER BY token.access_token_id`);
  return rows;
}

/**
 * Ends a token, given itself or by its id, before its time; who remembers it through a token cache has forgotten it
 * within 5 s. Safe to repeat: the first revocation's time stays. Gives false where there is no such token, or no longer:
 * expired ones are removed some time.
 */
export async function revokeAccessToken(database: Database, token: string | number): Promise<boolean> {
  if (typeof token === 'string' && !isWellFormedToken(token)) return false;
  const { accessTokenId, revokedAt, tokenSha256 } = schema.accessTokens;
  const isMeant = typeof token === 'number' ? eq(accessTokenId, token) : eq(tokenSha256, hashToken(token));
  const revoked = await database.orm
    .update(schema.accessTokens)
    .set({ revokedAt: sql`coalesce(${revokedAt}, now())` })
    .where(isMeant)
    .returning({ accessTokenId });
  return revoked.length === 1;
}
