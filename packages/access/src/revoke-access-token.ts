import { type Database, schema } from '@takt/database';
import { eq, sql } from 'drizzle-orm';
import { hashToken, isWellFormedToken } from './token-format.js';

/**
 * Ends a token before its time; who remembers it through a token cache has forgotten it within 5 s. Safe to repeat:
 * the first revocation's time stays. Gives false where there is no such token, or no longer: expired ones are
 * removed some time.
 */
export async function revokeAccessToken(database: Database, token: string): Promise<boolean> {
  if (!isWellFormedToken(token)) return false;
  const { accessTokenId, revokedAt, tokenSha256 } = schema.accessTokens;
  const revoked = await database.orm
    .update(schema.accessTokens)
    .set({ revokedAt: sql`coalesce(${revokedAt}, now())` })
    .where(eq(tokenSha256, hashToken(token)))
    .returning({ accessTokenId });
  return revoked.length === 1;
}
