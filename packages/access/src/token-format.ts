import { createHash, randomBytes } from 'node:crypto';

const RANDOM_BYTES = 32;
/** 32 bytes are 43 characters of base64url, so what is longer than a token is never hashed. */
const RANDOM = '[A-Za-z0-9_-]{43}';
const ACCESS_TOKEN = new RegExp(`^takt_${RANDOM}$`);
const TOKEN_OR_CODE = new RegExp(`^takt_(?:refresh_|code_)?${RANDOM}$`);

/** What people and secret scanners see the text to be. All of it begins with takt_, which logs leave out. */
const PREFIXES = {
  access: 'takt_',
  refresh: 'takt_refresh_',
  code: 'takt_code_',
  secret: 'takt_secret_',
} as const;

/** A text that nobody has had before: 256 bits of the system's secure random source. */
export function generateToken(kind: keyof typeof PREFIXES = 'access'): string {
  return PREFIXES[kind] + randomBytes(RANDOM_BYTES).toString('base64url');
}

/** False for what cannot be an access token, whatever the database holds. */
export function isWellFormedToken(text: string): boolean {
  return ACCESS_TOKEN.test(text);
}

/** False for what can be neither an access token, a refresh token nor an authorization code. */
export function isWellFormedGrant(text: string): boolean {
  return TOKEN_OR_CODE.test(text);
}

/** What is stored and looked up in place of the token: SHA-256 of its text, 32 bytes. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
