import { createHash, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';

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

/** The token of an Authorization header; undefined: it holds none of this kind. */
export function bearerTokenOf(authorization: string): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
}

/** How a secret is put through scrypt. */
export interface ScryptParameters {
  readonly salt: Buffer;
  /** Memory is 128 * cost * blockSize bytes. */
  readonly cost: number;
  readonly blockSize: number;
  readonly parallelization: number;
}

/** What is stored of a secret. */
interface SlowHash extends ScryptParameters {
  /** SHA-256 of what scrypt gives: who steals it cannot send it in place of the secret. */
  readonly sha256: Buffer;
}

/** 16 MB and some 0.2 s, one of the settings that OWASP names. find_scrypt_parameters gives them for who does not exist. */
const CURRENT = { cost: 2 ** 14, blockSize: 8, parallelization: 5 } as const;
const SALT_BYTES = 16;
const RESULT_BYTES = 32;

const runScrypt = promisify<string, Buffer, number, object, Buffer>(scrypt);

/**
 * What proves that a secret is known: the result of scrypt over it, 32 bytes. Off the event loop, but each takes 16 MB and
 * a core: what strangers can ask for goes through a sign-in guard.
 */
export async function proveSecret(secret: string, parameters: ScryptParameters): Promise<Buffer> {
  const { salt, cost, blockSize, parallelization } = parameters;
  // The same letters may come in several codings, by keyboard and system.
  return runScrypt(secret.normalize('NFC'), salt, RESULT_BYTES, { cost, blockSize, parallelization });
}

/** What to store of a secret, with a salt of its own. */
export async function hashSlowly(secret: string): Promise<SlowHash> {
  const parameters = { ...CURRENT, salt: randomBytes(SALT_BYTES) };
  const proof = await proveSecret(secret, parameters);
  return { ...parameters, sha256: createHash('sha256').update(proof).digest() };
}

/** An expression of SQL: a takt.slow_hash of the parameters from $`first` on, which fieldsOf gives. */
export function slowHashRow(first: number): string {
  return `ROW(${[0, 1, 2, 3, 4].map((offset) => `$${first + offset}`).join(', ')})::takt.slow_hash`;
}

export function fieldsOf(hash: SlowHash | undefined): readonly unknown[] {
  return [hash?.salt, hash?.cost, hash?.blockSize, hash?.parallelization, hash?.sha256].map(
    (field) => field ?? null,
  );
}
