import type { Database } from '@takt/database';
import type { RefusedChange } from './audit-log.js';
import { failUnknown } from './names.js';
import { hashOfCode, inGroups, inventCode } from './opening-codes.js';
import { fieldsOf, hashSlowly, hashToken, slowHashRow } from './secrets.js';
import { assertPassword, failByEmail } from './users.js';

type Pool = Database['pool'];

/** A person to be added on a page, who sets a password by an invitation. */
export interface InvitedPerson {
  readonly firstName: string | undefined;
  readonly name: string;
  readonly email: string | undefined;
  /** Codes of the companies. The first is the default company. */
  readonly companyCodes: readonly string[];
  readonly roles: readonly string[];
}

/** An invitation is valid for this time; see takt.invite_person. */
export const INVITATION_DAYS = 7;

/**
 * Adds a person on behalf of the person to whom the token belongs. Returns the PID and the code of the invitation, or the
 * reason of a refusal as administer does. Throws an EmailError for a wrong e-mail address, or that of another person.
 */
export async function addPerson(
  pool: Pool,
  token: string,
  { firstName, name, email, companyCodes, roles }: InvitedPerson,
): Promise<{ readonly pid: number; readonly code: string } | { readonly refused: RefusedChange }> {
  const code = inventCode();
  const { rows } = await pool
    .query<{ refused: RefusedChange | null; pid: number }>(
      `SELECT refused, added AS pid FROM takt.add_person($1, $2, $3, $4, (
         SELECT array_agg(company.company_id ORDER BY wanted.ordinality)
         FROM unnest($5::text[]) WITH ORDINALITY AS wanted (code) JOIN takt.companies company USING (code)), $6, $7)`,
      [hashToken(token), firstName ?? null, name, email ?? null, companyCodes, roles, hashToken(code)],
    )
    .catch((error: unknown) => failByEmail(error, email));
  const [{ refused, pid } = { refused: 'not-allowed', pid: 0 } as const] = rows;
  return refused === null ? { pid, code: inGroups(code) } : { refused };
}

/**
 * Invites a person to set a new password, on behalf of the person to whom the token belongs. An earlier invitation ends;
 * the present password stays valid until then.
 */
export async function invitePerson(
  pool: Pool,
  token: string,
  pid: number,
): Promise<{ readonly code: string } | { readonly refused: RefusedChange }> {
  const code = inventCode();
  const { rows } = await pool.query<{ refused: RefusedChange | null }>(
    "SELECT takt.administer($1, 'invite-person', $2, NULL, jsonb_build_object('code_sha256', $3::text)) AS refused",
    [hashToken(token), pid, hashToken(code).toString('hex')],
  );
  const refused = rows[0]?.refused ?? null;
  return refused === null ? { code: inGroups(code) } : { refused };
}

/**
 * Invites a person as invitePerson does, with the log-in of the owner. Returns the code. Throws an UnknownNamesError for an
 * unknown person.
 */
export async function createInvitation(database: Database, pid: number): Promise<string> {
  const code = inventCode();
  const { rows } = await database.pool.query<{ isThere: boolean }>(
    'SELECT takt.invite_person($1, $2) AS "isThere"',
    [pid, hashToken(code)],
  );
  if (rows[0]?.isThere !== true) await failUnknown(database, 'person', pid);
  return inGroups(code);
}

/** Returns the name of the person whom a code invites; undefined if the invitation cannot be used any more. */
export async function findInvited(pool: Pool, code: string): Promise<string | undefined> {
  const { rows } = await pool.query<{ name: string }>(
    'SELECT person_name AS name FROM takt.find_invited($1)',
    [hashOfCode(code)],
  );
  return rows[0]?.name;
}

/**
 * Sets the password of an invited person, once. Returns the PID; undefined if the invitation cannot be used any more.
 * Throws a PasswordError if the password is too short.
 */
export async function acceptInvitation(
  pool: Pool,
  code: string,
  password: string,
): Promise<number | undefined> {
  assertPassword(password);
  const hash = hashOfCode(code);
  if (hash === undefined) return undefined;
  const { rows } = await pool.query<{ pid: number | null }>(
    `SELECT takt.accept_invitation($1, ${slowHashRow(2)}) AS pid`,
    [hash, ...fieldsOf(await hashSlowly(password))],
  );
  return rows[0]?.pid ?? undefined;
}
