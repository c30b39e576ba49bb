import { randomBytes } from 'node:crypto';
import { type Database, inTransaction } from '@takt/database';
import { hashToken } from './secrets.js';

/** The characters of a code. There are 32, so each stands for 5 bits. Characters that look alike are left out. */
const SIGNS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
/**
 * The number of characters in a code. 16 characters have 80 bits, so nobody can guess a code before it expires.
 * Therefore codes need no sign-in guard.
 */
const LENGTH = 16;
const CODE = new RegExp(`^[${SIGNS}]{${LENGTH}}$`);

export const CODE_LIFETIME_MS = 600_000;

/**
 * Creates a code such as `K7QX-2MPD-9RTA-XB3F`. With this code, a browser can start a session of the person once. The
 * database log-in must be that of the owner. Only the hash of the code is stored; takt.sign_in_by_code describes this.
 * The person `pid` must exist.
 */
export async function createOpeningCode({ pool }: Database, pid: number): Promise<string> {
  const code = inventCode();
  await pool.query('SELECT takt.sweep_expired_tokens()');
  await inTransaction(pool, async (session) => {
    await session.query(
      `INSERT INTO takt.access_tokens (token_sha256, kind, pid, expires_at)
       VALUES ($1, 'page', $2, now() + make_interval(secs => $3::float8 / 1000))`,
      [hashToken(code), pid, CODE_LIFETIME_MS],
    );
    await session.query(
      `SELECT takt.note_audit('opening-code-created', takt.audit_subject('person', pid::text, to_jsonb(person)),
         jsonb_build_object('expires_at', now() + make_interval(secs => $2::float8 / 1000)))
       FROM takt.users person WHERE pid = $1`,
      [pid, CODE_LIFETIME_MS],
    );
  });
  return inGroups(code);
}

/**
 * Creates a code with which somebody can register the first person and company (setUp), once. The database log-in must be
 * that of the owner.
 */
export async function createSetUpCode({ pool }: Pick<Database, 'pool'>): Promise<string> {
  const code = inventCode();
  await pool.query('SELECT takt.sweep_expired_tokens()');
  await pool.query(
    `INSERT INTO takt.access_tokens (token_sha256, description, duties, expires_at)
     VALUES ($1, 'set-up', '{}', now() + make_interval(secs => $2::float8 / 1000))`,
    [hashToken(code), CODE_LIFETIME_MS],
  );
  return inGroups(code);
}

export function inventCode(): string {
  return [...randomBytes(LENGTH)].map((byte) => SIGNS[byte % SIGNS.length]).join('');
}

export function inGroups(code: string): string {
  return (code.match(/.{4}/g) ?? []).join('-');
}

/**
 * The hash of a code, as it is stored. The code may be in upper or lower case. Returns undefined if the text is not a
 * code.
 */
export function hashOfCode(text: string): Buffer | undefined {
  const code = text.replaceAll('-', '').toUpperCase();
  return CODE.test(code) ? hashToken(code) : undefined;
}
