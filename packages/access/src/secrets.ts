import { createHash, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';

const RANDOM_BYTES = 32;
/** Random part of a secret: 32 bytes are 43 characters of base64url. Longer texts are never hashed. */
const RANDOM = '[A-Za-z0-9_-]{43}';
const ACCESS_TOKEN = new RegExp(`^takt_${RANDOM}$`);
const TOKEN_OR_CODE = new RegExp(`^takt_(?:refresh_|code_)?${RANDOM}$`);

/**
 * Prefixes by which people and secret scanners recognise a secret. All of them start with takt_, which logs leave out.
 */
const PREFIXES = {
  access: 'takt_',
  refresh: 'takt_refresh_',
  code: 'takt_code_',
  secret: 'takt_secret_',
} as const;

/** Generates a random secret with 256 bits from the system's secure source. */
export function generateToken(kind: keyof typeof PREFIXES = 'access'): string {
  return PREFIXES[kind] + randomBytes(RANDOM_BYTES).toString('base64url');
}

/** False if the text cannot be an access token. */
export function isWellFormedToken(text: string): boolean {
  return ACCESS_TOKEN.test(text);
}

/** False if the text can be neither an access token, a refresh token nor an authorization code. */
export function isWellFormedGrant(text: string): boolean {
  return TOKEN_OR_CODE.test(text);
}

/** SHA-256 of a token's text, 32 bytes, which is stored instead of the token. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The bearer token in an Authorization header; undefined if the header has none. */
export function bearerTokenOf(authorization: string): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
}

export interface ScryptParameters {
  readonly salt: Buffer;
  /** Cost of scrypt. It uses 128 * cost * blockSize bytes of memory. */
  readonly cost: number;
  readonly blockSize: number;
  readonly parallelization: number;
}

/** The stored form of a password or secret. */
interface SlowHash extends ScryptParameters {
  /** SHA-256 of scrypt's result. A thief of the stored form cannot send it instead of the secret. */
  readonly sha256: Buffer;
}

/**
 * Takes 16 MB and some 0.2 s; one of OWASP's recommendations. find_scrypt_parameters returns the same values for
 * unknown people.
 */
const CURRENT = { cost: 2 ** 14, blockSize: 8, parallelization: 5 } as const;
const SALT_BYTES = 16;
const RESULT_BYTES = 32;

const runScrypt = promisify<string, Buffer, number, object, Buffer>(scrypt);

/**
 * Computes the proof of a secret: scrypt's result, 32 bytes. It runs outside the event loop, but takes 16 MB and a
 * core, so public requests must go through a sign-in guard.
 */
export async function proveSecret(secret: string, parameters: ScryptParameters): Promise<Buffer> {
  const { salt, cost, blockSize, parallelization } = parameters;
  // Normalised, because keyboards and systems encode the same letters differently.
  return runScrypt(secret.normalize('NFC'), salt, RESULT_BYTES, { cost, blockSize, parallelization });
}

/** Computes the form of a secret that is stored, with a new salt. */
export async function hashSlowly(secret: string): Promise<SlowHash> {
  const parameters = { ...CURRENT, salt: randomBytes(SALT_BYTES) };
  const proof = await proveSecret(secret, parameters);
  return { ...parameters, sha256: createHash('sha256').update(proof).digest() };
}

/** SQL: a takt.slow_hash made of the parameters from $`first` on, whose values fieldsOf returns. */
export function slowHashRow(first: number): string {
  return `ROW(${[0, 1, 2, 3, 4].map((offset) => `$${first + offset}`).join(', ')})::takt.slow_hash`;
}

export function fieldsOf(hash: SlowHash | undefined): readonly unknown[] {
  return [hash?.salt, hash?.cost, hash?.blockSize, hash?.parallelization, hash?.sha256].map(
    (field) => field ?? null,
  );
}
