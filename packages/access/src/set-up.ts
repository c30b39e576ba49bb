import type { Database } from '@takt/database';
import { hashOfCode } from './opening-codes.js';
import { fieldsOf, generateToken, hashSlowly, hashToken, slowHashRow } from './secrets.js';
import { assertPassword } from './users.js';

type Pool = Database['pool'];

/**
 * Exchanges a code of createSetUpCode, which works once, for the secret of the browser that opened the page with it. Returns
 * undefined if the code is not valid any more, or if somebody is registered. The secret is valid for half an hour.
 */
export async function beginSetUp(pool: Pool, code: string): Promise<string | undefined> {
  const secret = generateToken();
  const { rows } = await pool.query<{ may: boolean }>('SELECT takt.begin_set_up($1, $2) AS may', [
    hashOfCode(code),
    hashToken(secret),
  ]);
  return rows[0]?.may === true ? secret : undefined;
}

/** Returns true if nobody is registered, and the secret of beginSetUp is still valid. */
export async function maySetUp(pool: Pool, secret: string): Promise<boolean> {
  const { rows } = await pool.query<{ may: boolean }>("SELECT takt.may_set_up($1, 'set-up-begun') AS may", [
    hashToken(secret),
  ]);
  return rows[0]?.may === true;
}

export interface FirstPerson {
  /** Code of the company, as in events. */
  readonly company: string;
  readonly companyName: string;
  /** IANA name, as findTimeZone returns it. */
  readonly timeZone: string;
  readonly firstName: string | undefined;
  readonly name: string;
  readonly password: string;
}

/**
 * Registers the first company, and the first person as administrator and planner of all companies. Returns the PID;
 * undefined if the secret is not valid any more, or if somebody else was first. Throws a PasswordError if the password is
 * not allowed.
 */
export async function setUp(pool: Pool, secret: string, first: FirstPerson): Promise<number | undefined> {
  assertPassword(first.password);
  const { rows } = await pool.query<{ pid: number | null }>(
    `SELECT takt.set_up($1, $2, $3, $4, $5, $6, ${slowHashRow(7)}) AS pid`,
    [
      hashToken(secret),
      first.company,
      first.companyName,
      first.timeZone,
      first.firstName,
      first.name,
      ...fieldsOf(await hashSlowly(first.password)),
    ],
  );
  return rows[0]?.pid ?? undefined;
}
