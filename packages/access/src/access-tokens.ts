import { type Database, schema } from '@takt/database';
import { asc, eq, sql } from 'drizzle-orm';
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

/**
 * One statement, so that a token has all its companies or does not exist: no row comes back where one of the codes
 * is unknown. Expired tokens are removed on the way, which keeps the table as small as the number of valid ones.
 */
const CREATE = `
  WITH swept AS (
    DELETE FROM takt.access_tokens WHERE expires_at <= now()
  ), wanted AS (
    SELECT company.company_id, code.ordinal
    FROM unnest($1::text[]) WITH ORDINALITY AS code (code, ordinal)
    JOIN takt.companies company ON company.code = code.code
  ), created AS (
    INSERT INTO takt.access_tokens (token_sha256, description, expires_at)
    SELECT $2, $3, now() + make_interval(secs => $4::float8 / 1000)
    WHERE (SELECT count(*) FROM wanted) = cardinality($1::text[])
    RETURNING access_token_id, expires_at
  ), granted AS (
    INSERT INTO takt.access_token_companies (access_token_id, ordinal, company_id)
    SELECT created.access_token_id, wanted.ordinal, wanted.company_id FROM created CROSS JOIN wanted
  )
  SELECT expires_at FROM created`;

/**
 * Makes a token for companies. Throws an UnknownCompanyError where one is not registered and a RangeError for no
 * company or a lifetime out of range; nothing is stored then.
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
  const codes = [...new Set(companyCodes)];
  const token = generateToken();
  const { rows } = await database.pool.query<{ expires_at: Date }>(CREATE, [
    codes,
    hashToken(token),
    description ?? null,
    expiresInMs,
  ]);
  const created = rows[0];
  if (created === undefined) throw await describeUnknown(database, codes);
  return { token, expiresAt: created.expires_at };
}

async function describeUnknown(database: Database, codes: readonly string[]): Promise<UnknownCompanyError> {
  const { code } = schema.companies;
  const rows = await database.orm.select({ code }).from(schema.companies).orderBy(asc(code));
  const known = rows.map((company) => company.code);
  return new UnknownCompanyError(
    codes.filter((wanted) => !known.includes(wanted)),
    known,
  );
}

/** A token was asked for a company that is not registered. */
export class UnknownCompanyError extends Error {
  override readonly name = 'UnknownCompanyError';
  readonly unknownCodes: readonly string[];
  /** Those that are registered, sorted. */
  readonly knownCodes: readonly string[];

  constructor(unknownCodes: readonly string[], knownCodes: readonly string[]) {
    const subject =
      unknownCodes.length === 1
        ? `company ${unknownCodes.join()} is`
        : `companies ${unknownCodes.join(', ')} are`;
    const registered = knownCodes.length === 0 ? 'none is' : `registered: ${knownCodes.join(', ')}`;
    super(`${subject} not registered (${registered})`);
    this.unknownCodes = unknownCodes;
    this.knownCodes = knownCodes;
  }
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
