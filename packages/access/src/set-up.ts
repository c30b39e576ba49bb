import type { Database } from '@takt/database';
import { hashOfCode } from './opening-codes.js';
import { fieldsOf, hashSlowly, slowHashRow } from './secrets.js';
import { assertPassword } from './users.js';

type Pool = Database['pool'];

/** Returns true if nobody is registered, and createSetUpCode has created the code in the last ten minutes. */
export async function maySetUp(pool: Pool, code: string): Promise<boolean> {
  const { rows } = await pool.query<{ may: boolean }>('SELECT takt.may_set_up($1) AS may', [
    hashOfCode(code),
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
 * undefined if the code is not valid any more, or if somebody else was first. Throws a PasswordError if the password is
 * not allowed.
 */
export async function setUp(pool: Pool, code: string, first: FirstPerson): Promise<number | undefined> {
  assertPassword(first.password);
  const { rows } = await pool.query<{ pid: number | null }>(
    `SELECT takt.set_up($1, $2, $3, $4, $5, $6, ${slowHashRow(7)}) AS pid`,
    [
      hashOfCode(code),
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
