import { boolean, customType, integer, primaryKey, text } from 'drizzle-orm/pg-core';
import { bytes, instant, takt, wholeNumber } from './columns.js';

/** A secret after scrypt and SHA-256, with salt and parameters: read and written by SQL alone. */
const slowHash = customType<{ data: string }>({ dataType: () => 'takt.slow_hash' });

/** Names of rights, of roles, or addresses. */
const names = (name: string) => text(name).array().notNull();

/** Programs that ask the API. */
export const apiClients = takt.table('api_clients', {
  apiClientId: integer('api_client_id').primaryKey().generatedAlwaysAsIdentity(),
  name: text('name').notNull(),
  /** Null: a public client. */
  secret: slowHash('secret'),
  /** Null as well: of a client that has not been seen since there is this column. */
  secretSha256: bytes('secret_sha256'),
  redirectUris: names('redirect_uris').default([]),
  permissions: names('permissions').default([]),
  roles: names('roles').default([]),
  /** Where it acts for itself, besides those of its roles. */
  duties: names('duties').default([]),
  createdAt: instant('created_at').notNull().defaultNow(),
  disabledAt: instant('disabled_at'),
});

export const apiClientCompanies = takt.table(
  'api_client_companies',
  {
    apiClientId: integer('api_client_id').notNull(),
    /** From 1; the first company is the default. */
    ordinal: integer('ordinal').notNull(),
    companyId: integer('company_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.apiClientId, table.ordinal] })],
);

/** People. */
export const users = takt.table('users', {
  pid: integer('pid').primaryKey(),
  firstName: text('first_name'),
  name: text('name').notNull(),
  password: slowHash('password').notNull(),
  roles: names('roles').default([]),
  /** Besides those of the roles. */
  duties: names('duties').default([]),
  createdAt: instant('created_at').notNull().defaultNow(),
  disabledAt: instant('disabled_at'),
  /** Where the person has signed in, as keyed hashes; the newest first. */
  knownNetworks: bytes('known_networks').array().notNull().default([]),
});

export const userCompanies = takt.table(
  'user_companies',
  {
    pid: integer('pid').notNull(),
    /** From 1; the first company is the default. */
    ordinal: integer('ordinal').notNull(),
    companyId: integer('company_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.pid, table.ordinal] })],
);

export const roles = takt.table('roles', {
  role: text('role').primaryKey(),
  duties: names('duties'),
  description: text('description').notNull(),
});

/** One row: what the salts of those who do not exist are made from. */
export const saltSecret = takt.table('salt_secret', {
  onlyRow: boolean('only_row').primaryKey().default(true),
  secret: bytes('secret').notNull(),
});

/** All that one sign-in of a person with a client gave. */
export const tokenFamilies = takt.table('token_families', {
  tokenFamilyId: wholeNumber('token_family_id').primaryKey().generatedAlwaysAsIdentity(),
  apiClientId: integer('api_client_id').notNull(),
  pid: integer('pid').notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
  /** When its newest refresh token expires. */
  expiresAt: instant('expires_at').notNull(),
  revokedAt: instant('revoked_at'),
});

export const refreshTokens = takt.table('refresh_tokens', {
  refreshTokenId: wholeNumber('refresh_token_id').primaryKey().generatedAlwaysAsIdentity(),
  tokenSha256: bytes('token_sha256').notNull(),
  tokenFamilyId: wholeNumber('token_family_id').notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
  expiresAt: instant('expires_at').notNull(),
  /** A second use revokes the family. */
  usedAt: instant('used_at'),
});

export const authorizationCodes = takt.table('authorization_codes', {
  authorizationCodeId: wholeNumber('authorization_code_id').primaryKey().generatedAlwaysAsIdentity(),
  codeSha256: bytes('code_sha256').notNull(),
  apiClientId: integer('api_client_id').notNull(),
  pid: integer('pid').notNull(),
  redirectUri: text('redirect_uri').notNull(),
  /** PKCE, S256. */
  codeChallenge: text('code_challenge').notNull(),
  createdAt: instant('created_at').notNull().defaultNow(),
  expiresAt: instant('expires_at').notNull(),
  usedAt: instant('used_at'),
  /** What it gave, once it was used. */
  tokenFamilyId: wholeNumber('token_family_id'),
});

/** Who may ask the API, until when. */
export const accessTokens = takt.table('access_tokens', {
  accessTokenId: wholeNumber('access_token_id').primaryKey().generatedAlwaysAsIdentity(),
  /** SHA-256 of the whole token; the token itself is stored nowhere. */
  tokenSha256: bytes('token_sha256').notNull(),
  /** What the token is for, in the words of whoever made it. */
  description: text('description'),
  createdAt: instant('created_at').notNull().defaultNow(),
  /** The first instant at which the token is no longer valid. */
  expiresAt: instant('expires_at').notNull(),
  revokedAt: instant('revoked_at'),
  /** command-line, client, person or page. */
  kind: text('kind').notNull().default('command-line'),
  apiClientId: integer('api_client_id'),
  pid: integer('pid'),
  tokenFamilyId: wholeNumber('token_family_id'),
  /** Null: all that client or person have. */
  duties: text('duties').array(),
  /** Counts where there is no client. */
  mayPublish: boolean('may_publish').notNull().default(false),
  lastUsedAt: instant('last_used_at'),
});

/** The companies whose data a token shows. */
export const accessTokenCompanies = takt.table(
  'access_token_companies',
  {
    accessTokenId: wholeNumber('access_token_id').notNull(),
    /** From 1; the first company is the default of the token. */
    ordinal: integer('ordinal').notNull(),
    companyId: integer('company_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accessTokenId, table.ordinal] })],
);
