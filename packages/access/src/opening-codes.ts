import { randomBytes } from 'node:crypto';
import type { Database } from '@takt/database';
import { hashToken } from './secrets.js';

/** 32 characters for 5 bits each, without characters that look alike. */
const SIGNS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
/** 16 characters have 80 bits: nobody can guess a code within its lifetime, so codes need no sign-in guard. */
const LENGTH = 16;
const CODE = new RegExp(`^[${SIGNS}]{${LENGTH}}$`);

export const CODE_LIFETIME_MS = 600_000;

/**
 * Creates a code that gives a browser the session of a person, once: `K7QX-2MPD-9RTA-XB3F`. Requires the log-in of the
 * database's owner. Only the hash of the code is stored, as described in takt.sign_in_by_code. `pid` must exist.
 */
export async function createOpeningCode({ pool }: Database, pid: number): Promise<string> {
  const code = [...randomBytes(LENGTH)].map((byte) => SIGNS[byte % SIGNS.length]).join('');
  await pool.query('SELECT takt.sweep_expired_tokens()');
  await pool.query(
    `INSERT INTO takt.access_tokens (token_sha256, kind, pid, expires_at)
     VALUES ($1, 'page', $2, now() + make_interval(secs => $3::float8 / 1000))`,
    [hashToken(code), pid, CODE_LIFETIME_MS],
  );
  return (code.match(/.{4}/g) ?? []).join('-');
}

/** The stored hash of a code, in upper or lower case; undefined if the text is not a code. */
export function hashOfCode(text: string): Buffer | undefined {
  const code = text.replaceAll('-', '').toUpperCase();
  return CODE.test(code) ? hashToken(code) : undefined;
}
