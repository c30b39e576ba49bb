import type { Database } from '@takt/database';
import { hashToken } from './secrets.js';
import { failByEmail } from './users.js';

type Pool = Database['pool'];

/** An entry of the audit log. It records a change that somebody made by hand, and contains no secrets. */
export interface AuditEntry {
  readonly entryId: number;
  readonly notedAt: Date;
  /** Tells who made the change: a person with a PID, a token without a person, or the user of the command line. */
  readonly actor: string;
  /** The kind of change, e.g. `person-changed`. */
  readonly action: string;
  /** The thing that was changed, e.g. `person 7 Nora Nilsen`. */
  readonly subject: string;
  /**
   * The values that were changed, by their names. Each is the new value, or an object with `from` and `to`. For a
   * secret, the entry only says that it was renewed.
   */
  readonly details: Readonly<Record<string, unknown>>;
}

export interface AuditQuery {
  readonly limit: number;
  /** Set to return only entries older than the entry with this id. */
  readonly beforeId?: number;
  /** Set to return only entries that contain this text in actor, action, subject or details. Case does not matter. */
  readonly text?: string;
}

/** Lists entries of the audit log, the newest first. */
export async function listAuditEntries(
  pool: Pool,
  { limit, beforeId, text = '' }: AuditQuery,
): Promise<readonly AuditEntry[]> {
  const { rows } = await pool.query<AuditEntry>(
    `SELECT audit_entry_id::float8 AS "entryId", noted_at AS "notedAt", actor, action, subject, details
     FROM takt.audit_log
     WHERE audit_entry_id < coalesce($2::bigint, audit_entry_id + 1)
       AND ($3 = '' OR strpos(lower(concat_ws(' ', actor, action, subject, details)), lower($3)) > 0)
     ORDER BY audit_entry_id DESC LIMIT $1`,
    [limit, beforeId ?? null, text],
  );
  return rows;
}

/**
 * Describes the details of an entry in one line, e.g. `companies: TEM-NO -> TEM-NO,TEM-SE; roles: planner`.
 * @param nameOf translates the name of a value. Default: the names are in English
 */
export function describeDetails(
  details: AuditEntry['details'],
  nameOf: (name: string) => string = (name) => name,
): string {
  return Object.entries(details)
    .map(
      ([name, value]) =>
        `${nameOf(name)}: ${isChange(value) ? `${textOf(value.from)} -> ${textOf(value.to)}` : textOf(value)}`,
    )
    .join('; ');
}

function isChange(value: unknown): value is { readonly from: unknown; readonly to: unknown } {
  return typeof value === 'object' && value !== null && 'from' in value && 'to' in value;
}

function textOf(value: unknown): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'none';
  if (Array.isArray(value)) return value.map(textOf).join(',');
  if (typeof value === 'object') return JSON.stringify(value);
  // Instants are shown without fractions of a second.
  return String(value).replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?\+00:00$/, '$1Z');
}

/** An entry of the audit log about something that has no trigger: an event, a queue, a job or a log-in. */
export interface OperatorEntry {
  readonly action:
    | `rejected-${'retried' | 'discarded' | 'corrected' | 'restored'}`
    | `queue-${'paused' | 'resumed'}`
    | `job-${'taken' | 'removed'}`
    | `import-${'begun' | 'undone'}`
    | `login-${'created' | 'dropped'}`;
  /** The thing that was changed, e.g. `5000 rejected events` or `queue reference-data`. */
  readonly subject: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Records an action of the token's holder in the audit log, even if the token has been revoked in the meantime. Does
 * nothing if the token is unknown.
 */
export async function noteOperatorEntry(
  pool: Pick<Pool, 'query'>,
  token: string,
  entry: OperatorEntry,
): Promise<void> {
  await pool.query('SELECT takt.note_audit_of($1, $2, $3, $4)', [hashToken(token), ...valuesOf(entry)]);
}

/**
 * Records an action in the audit log that was done with the log-in of the database's owner. The setting `takt.actor`
 * tells who did it.
 */
export async function noteOwnerEntry(pool: Pool, entry: OperatorEntry): Promise<void> {
  await pool.query('SELECT takt.note_audit($1, $2, $3)', valuesOf(entry));
}

function valuesOf({ action, subject, details }: OperatorEntry) {
  return [action, subject, JSON.stringify(details)];
}

export type AccessChange =
  | {
      readonly kind: 'disable-person' | 'enable-person' | 'disable-client' | 'enable-client' | 'revoke-token';
      readonly id: number;
    }
  | {
      readonly kind: 'set-person-companies';
      readonly id: number;
      /** The codes of companies. There is at least one; the first is the default company. */
      readonly companyCodes: readonly string[];
    }
  | { readonly kind: 'set-person-roles'; readonly id: number; readonly roles: readonly string[] }
  | { readonly kind: 'set-person-email'; readonly id: number; readonly email: string | null };

/**
 * The reason why a change of rights was refused: `unknown` if the id does not exist, `yourself` if people would lock
 * themselves out, `other-companies` if it concerns companies that the person does not have.
 */
export type RefusedChange = 'not-allowed' | 'unknown' | 'yourself' | 'other-companies';

/**
 * Changes rights on behalf of the person to whom the token belongs. The database checks that the token belongs to a
 * person with the duty manage-access. Returns undefined if the change was made. Otherwise returns the reason. Throws an
 * EmailError for a wrong e-mail address, or that of another person.
 */
export async function administer(
  pool: Pool,
  token: string,
  change: AccessChange,
): Promise<RefusedChange | undefined> {
  const { kind, id, ...details } = change;
  const codes = 'companyCodes' in change ? change.companyCodes : null;
  const { rows } = await pool
    .query<{ refused: RefusedChange | null }>(
      `SELECT takt.administer($1, $2, $3, (
         SELECT array_agg(company.company_id ORDER BY wanted.ordinality)
         FROM unnest($4::text[]) WITH ORDINALITY AS wanted (code) JOIN takt.companies company USING (code)), $5) AS refused`,
      [hashToken(token), kind, id, codes, JSON.stringify(details)],
    )
    .catch((error: unknown) => failByEmail(error, 'email' in change ? change.email : undefined));
  return rows[0]?.refused ?? undefined;
}
