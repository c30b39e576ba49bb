import { customType, integer, primaryKey, text } from 'drizzle-orm/pg-core';
import { instant, wholeNumber } from './column-kinds.js';
import { taktSchema } from './takt-schema.js';

/** drizzle-orm has no column kind for bytes. */
const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** Who may ask the API, until when. */
export const accessTokens = taktSchema.table('access_tokens', {
  accessTokenId: wholeNumber('access_token_id').primaryKey().generatedAlwaysAsIdentity(),
  /** SHA-256 of the whole token; the token itself is stored nowhere. */
  tokenSha256: bytes('token_sha256').notNull(),
  /** What the token is for, in the words of whoever made it. */
  description: text('description'),
  createdAt: instant('created_at').notNull().defaultNow(),
  /** The first instant at which the token is no longer valid. */
  expiresAt: instant('expires_at').notNull(),
  revokedAt: instant('revoked_at'),
});

/** The companies whose data a token shows. */
export const accessTokenCompanies = taktSchema.table(
  'access_token_companies',
  {
    accessTokenId: wholeNumber('access_token_id').notNull(),
    /** From 1; the first company is the default of the token. */
    ordinal: integer('ordinal').notNull(),
    companyId: integer('company_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accessTokenId, table.ordinal] })],
);
