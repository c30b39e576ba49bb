import { randomBytes } from 'node:crypto';
import type { Database } from '@takt/database';
import { hashToken } from './secrets.js';

/** 32 signs, so each holds 5 bits; those that are read as another one are left out. */
const SIGNS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
/** 80 bits: nobody guesses one within its life, so no guard stands before it. */
const LENGTH = 16;
const CODE = new RegExp(`^[${SIGNS}]{${LENGTH}}$`);

/** How long a code can be redeemed. */
export const CODE_LIFETIME_MS = 600_000;

/**
 * A code with which a browser gets the session of a person, once: `K7QX-2MPD-9RTA-XB3F`. It needs the log-in of the owner,
 * and is stored nowhere; takt.sign_in_by_code says how its hash is. `pid` must be a person.
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

/** The stored hash of a code, in capitals or not; undefined: it is none. */
export function hashOfCode(text: string): Buffer | undefined {
  const code = text.replaceAll('-', '').toUpperCase();
  return CODE.test(code) ? hashToken(code) : undefined;
}
