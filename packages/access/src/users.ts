import { duties } from '@takt/catalogue/rights';
import { type Database, inTransaction } from '@takt/database';
import {
  assertKnown,
  assertRoles,
  changedNames,
  failUnknown,
  findCompanyIds,
  insertCompanies,
  listCompanyCodes,
  type NameChanges,
} from './names.js';
import { fieldsOf, hashSlowly, slowHashRow } from './secrets.js';

export const MIN_PASSWORD_CHARACTERS = 10;

export class PasswordError extends Error {
  override readonly name = 'PasswordError';
}

export class PidTakenError extends Error {
  override readonly name = 'PidTakenError';
}

export class EmailError extends Error {
  override readonly name = 'EmailError';
}

export interface NewUser {
  /** The number of the person. If undefined, the person gets the next free number, from 1001 on. */
  readonly pid?: number;
  readonly firstName?: string;
  readonly name: string;
  /** An e-mail address with which the person may sign in too. */
  readonly email?: string;
  /**
   * The codes of the person's companies. The first is the default company. If there are none, the person cannot sign in
   * until companies are added.
   */
  readonly companyCodes: readonly string[];
  readonly roles?: readonly string[];
  readonly duties?: readonly string[];
  /** The password. It must have at least 10 characters. */
  readonly password: string;
}

/**
 * Creates a person and returns the PID. Throws an UnknownNamesError for an unknown company, role or duty; a
 * PidTakenError if the PID is already taken; an EmailError for a wrong e-mail address, or that of another person; and a
 * PasswordError if the password is not allowed.
 */
export async function createUser(database: Database, wanted: NewUser): Promise<number> {
  const ownDuties = assertKnown('duty', wanted.duties ?? [], duties);
  assertPassword(wanted.password);
  const companyIds = await findCompanyIds(database, wanted.companyCodes);
  const roles = await assertRoles(database, wanted.roles ?? []);
  const hash = await hashSlowly(wanted.password);
  const store = () =>
    inTransaction(database.pool, async (session) => {
      const { rows } = await session.query<{ pid: number }>(
        `INSERT INTO takt.users (pid, first_name, name, email, roles, duties, password)
         SELECT coalesce($1, greatest(max(pid), 1000) + 1), $2, $3, $4, $5, $6, ${slowHashRow(7)} FROM takt.users
         ON CONFLICT (pid) DO NOTHING RETURNING pid`,
        [
          wanted.pid,
          wanted.firstName ?? null,
          wanted.name,
          wanted.email ?? null,
          roles,
          ownDuties,
          ...fieldsOf(hash),
        ],
      );
      const pid = rows[0]?.pid;
      if (pid !== undefined) await insertCompanies(session, 'user_companies', pid, companyIds);
      return pid;
    });
  const insert = () => store().catch((error: unknown) => failByEmail(error, wanted.email));
  let pid = await insert();
  if (pid === undefined && wanted.pid !== undefined) {
    throw new PidTakenError(`PID ${wanted.pid} is taken`);
  }
  // Another insert may take the next PID at the same time. Whenever this happens, one simultaneous insert fewer
  // remains, so the loop ends.
  while (pid === undefined) pid = await insert();
  return pid;
}

export interface UserSummary {
  readonly pid: number;
  readonly firstName: string | null;
  readonly name: string;
  readonly email: string | null;
  readonly companyCodes: readonly string[];
  readonly roles: readonly string[];
  /** The duties that the person has personally, in addition to the duties of the roles. */
  readonly duties: readonly string[];
  /** All duties of the person, including those of the roles. */
  readonly heldDuties: readonly string[];
  readonly createdAt: Date;
  readonly disabledAt: Date | null;
}

/** Lists all people by their PIDs. */
export async function listUsers({ pool }: Pick<Database, 'pool'>): Promise<readonly UserSummary[]> {
  const { rows } = await pool.query<UserSummary>(`
    SELECT pid, first_name AS "firstName", name, email,
      ARRAY(SELECT company.code FROM takt.user_companies own JOIN takt.companies company USING (company_id)
        WHERE own.pid = person.pid ORDER BY own.ordinal) AS "companyCodes",
      roles, duties, takt.duties_with_roles(duties, roles) AS "heldDuties", created_at AS "createdAt", disabled_at AS "disabledAt"
    FROM takt.users person ORDER BY pid`);
  return rows;
}

/**
 * Changes the duties that the person has personally, and returns them after the change. Throws an UnknownNamesError for
 * an unknown duty or person.
 */
export async function changeUserDuties(
  database: Database,
  pid: number,
  { add = [], remove = [] }: NameChanges,
): Promise<readonly string[]> {
  assertKnown('duty', [...add, ...remove], duties);
  const { rows } = await database.pool.query<{ names: readonly string[] }>(
    `UPDATE takt.users SET duties = ${changedNames('duties', '$2', '$3')} WHERE pid = $1 RETURNING duties AS names`,
    [pid, add, remove],
  );
  return rows[0]?.names ?? failUnknown(database, 'person', pid);
}

/**
 * Changes the roles of the person, and returns them after the change. Throws an UnknownNamesError for an unknown role
 * or person.
 */
export async function changeUserRoles(
  database: Database,
  pid: number,
  { add = [], remove = [] }: NameChanges,
): Promise<readonly string[]> {
  await assertRoles(database, [...add, ...remove]);
  const { rows } = await database.pool.query<{ names: readonly string[] }>(
    `UPDATE takt.users SET roles = ${changedNames('roles', '$2', '$3')} WHERE pid = $1 RETURNING roles AS names`,
    [pid, add, remove],
  );
  return rows[0]?.names ?? failUnknown(database, 'person', pid);
}

/**
 * Replaces the companies of a person. The first is the default company. `'all'` stands for all companies that are
 * registered now, sorted by their codes.
 * If a company is removed, it becomes inaccessible to the person within 5 s. If a company is added, the person can use
 * it after the next sign-in, or at once in a session that had this company at its start. Returns the codes. Throws an
 * UnknownNamesError for an unknown company or person, and a RangeError for an empty list.
 */
export async function setUserCompanies(
  database: Database,
  pid: number,
  companyCodes: readonly string[] | 'all',
): Promise<readonly string[]> {
  const codes = companyCodes === 'all' ? await listCompanyCodes(database) : [...new Set(companyCodes)];
  if (codes.length === 0) throw new RangeError('a person needs at least one company');
  const companyIds = await findCompanyIds(database, codes);
  const { rows } = await database.pool.query<{ isThere: boolean }>(
    'SELECT takt.set_user_companies($1, $2) AS "isThere"',
    [pid, companyIds],
  );
  if (rows[0]?.isThere !== true) await failUnknown(database, 'person', pid);
  return codes;
}

/**
 * Allows a disabled person to sign in again. Sessions from before do not become valid again. It may be called again for
 * the same person.
 */
export async function enableUser(database: Database, pid: number): Promise<void> {
  const { rows } = await database.pool.query<{ isThere: boolean }>(
    'SELECT takt.enable_person($1) AS "isThere"',
    [pid],
  );
  if (rows[0]?.isThere !== true) await failUnknown(database, 'person', pid);
}

/**
 * Revokes all tokens and sessions of a person, and prevents the person from signing in. It may be called again for the
 * same person.
 */
export async function disableUser(database: Database, pid: number): Promise<void> {
  const { rows } = await database.pool.query<{ isThere: boolean }>(
    'SELECT takt.disable_person($1) AS "isThere"',
    [pid],
  );
  if (rows[0]?.isThere !== true) await failUnknown(database, 'person', pid);
}

/**
 * Replaces the e-mail address of a person; null removes it. Throws an EmailError for a wrong address, or that of another
 * person, and an UnknownNamesError for an unknown person.
 */
export async function setUserEmail(database: Database, pid: number, email: string | null): Promise<void> {
  const { rowCount } = await database.pool
    .query('UPDATE takt.users SET email = $2 WHERE pid = $1', [pid, email])
    .catch((error: unknown) => failByEmail(error, email));
  if (rowCount !== 1) await failUnknown(database, 'person', pid);
}

/** Throws an EmailError if a constraint of the table takt.users refused the address, otherwise the error itself. */
export function failByEmail(error: unknown, email: string | null | undefined): never {
  const name = error instanceof Error && 'constraint' in error ? String(error.constraint) : '';
  // On a cluster, constraints have the number of a shard at the end of their names.
  const constraint = name.replace(/_\d+$/, '');
  if (constraint === 'users_email') throw new EmailError(`another person has the e-mail address ${email}`);
  if (constraint === 'users_email_check') throw new EmailError(`${email} is no e-mail address`);
  throw error;
}

/** Replaces the password of a person, and ends all sessions that the person has. */
export async function changePassword(database: Database, pid: number, password: string): Promise<void> {
  assertPassword(password);
  const { rows } = await database.pool.query<{ isThere: boolean }>(
    `SELECT takt.change_password($1, ${slowHashRow(2)}) AS "isThere"`,
    [pid, ...fieldsOf(await hashSlowly(password))],
  );
  if (rows[0]?.isThere !== true) await failUnknown(database, 'person', pid);
}

/** Returns true if a password has enough characters, however a keyboard composes them. */
export function isLongEnough(password: string): boolean {
  return [...password.normalize('NFC')].length >= MIN_PASSWORD_CHARACTERS;
}

/** Throws a PasswordError if the password is too short. */
export function assertPassword(password: string): void {
  if (isLongEnough(password)) return;
  throw new PasswordError(`a password has at least ${MIN_PASSWORD_CHARACTERS} characters`);
}
