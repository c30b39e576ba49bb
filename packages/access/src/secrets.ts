import { createHash, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';

const RANDOM_BYTES = 32;
/**
 * Matches the random part of a secret. It consists of 32 bytes, which are 43 characters of base64url. A text of another
 * length is never hashed.
 */
const RANDOM = '[A-Za-z0-9_-]{43}';
const ACCESS_TOKEN = new RegExp(`^takt_${RANDOM}$`);
const TOKEN_OR_CODE = new RegExp(`^takt_(?:refresh_|code_)?${RANDOM}$`);

/**
 * The prefixes by which people and secret scanners recognise a secret. All of them start with takt_, so that logs can
 * leave out any text that starts in this way.
 */
const PREFIXES = {
  access: 'takt_',
  refresh: 'takt_refresh_',
  code: 'takt_code_',
  secret: 'takt_secret_',
} as const;

/** Generates a random secret. It has 256 bits from the secure random source of the operating system. */
export function generateToken(kind: keyof typeof PREFIXES = 'access'): string {
  return PREFIXES[kind] + randomBytes(RANDOM_BYTES).toString('base64url');
}

/** False if the text cannot be an access token. */
export function isWellFormedToken(text: string): boolean {
  return ACCESS_TOKEN.test(text);
}

/** False if the text can be neither an access token, nor a refresh token, nor an authorization code. */
export function isWellFormedGrant(text: string): boolean {
  return TOKEN_OR_CODE.test(text);
}

/** The SHA-256 of a token's text, which has 32 bytes. This hash is stored in place of the token. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** Returns the bearer token in an Authorization header; undefined if the header contains none. */
export function bearerTokenOf(authorization: string): string | undefined {
  return /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
}

export interface ScryptParameters {
  readonly salt: Buffer;
  /** The cost parameter of scrypt. scrypt uses 128 * cost * blockSize bytes of memory. */
  readonly cost: number;
  readonly blockSize: number;
  readonly parallelization: number;
}

/** The form in which a password or a secret is stored. */
interface SlowHash extends ScryptParameters {
  /** The SHA-256 of the result of scrypt. Somebody who steals this hash cannot send it in place of the secret. */
  readonly sha256: Buffer;
}

/**
 * The parameters for new hashes, which are one of OWASP's recommendations. One hash takes 16 MB and some 0.2 s. The
 * database function find_scrypt_parameters returns the same values for unknown people.
 */
const CURRENT = { cost: 2 ** 14, blockSize: 8, parallelization: 5 } as const;
const SALT_BYTES = 16;
const RESULT_BYTES = 32;

const runScrypt = promisify<string, Buffer, number, object, Buffer>(scrypt);

/**
 * Computes the proof of a secret: the result of scrypt, 32 bytes. The computation does not block the event loop, but
 * takes 16 MB of memory and a core. So requests from the public must go through a sign-in guard.
 */
export async function proveSecret(secret: string, parameters: ScryptParameters): Promise<Buffer> {
  const { salt, cost, blockSize, parallelization } = parameters;
  // The secret is normalised, because keyboards and operating systems encode the same letters in different ways.
  return runScrypt(secret.normalize('NFC'), salt, RESULT_BYTES, { cost, blockSize, parallelization });
}

/** Computes the form in which a secret is stored, with a new salt. */
export async function hashSlowly(secret: string): Promise<SlowHash> {
  const parameters = { ...CURRENT, salt: randomBytes(SALT_BYTES) };
  const proof = await proveSecret(secret, parameters);
  return { ...parameters, sha256: createHash('sha256').update(proof).digest() };
}

/**
 * Writes SQL for a value of the type takt.slow_hash. It is made of the parameters from $`first` on; fieldsOf returns
 * the values of these parameters.
 */
export function slowHashRow(first: number): string {
  return `ROW(${[0, 1, 2, 3, 4].map((offset) => `$${first + offset}`).join(', ')})::takt.slow_hash`;
}

export function fieldsOf(hash: SlowHash | undefined): readonly unknown[] {
  return [hash?.salt, hash?.cost, hash?.blockSize, hash?.parallelization, hash?.sha256].map(
    (field) => field ?? null,
  );
}
