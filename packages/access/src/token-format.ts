import { createHash, randomBytes } from 'node:crypto';

/** Tells people and secret scanners what the text is. */
const PREFIX = 'takt_';
const RANDOM_BYTES = 32;
/** 32 bytes are 43 characters of base64url, so what is longer than a token is never hashed. */
const WELL_FORMED = /^takt_[A-Za-z0-9_-]{43}$/;

/** A token that nobody has had before: 256 bits of the system's secure random source. */
export function generateToken(): string {
  return PREFIX + randomBytes(RANDOM_BYTES).toString('base64url');
}

/** False for what cannot be a token, whatever the database holds. */
export function isWellFormedToken(text: string): boolean {
  return WELL_FORMED.test(text);
}

/** What is stored and looked up in place of the token: SHA-256 of its text, 32 bytes. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
