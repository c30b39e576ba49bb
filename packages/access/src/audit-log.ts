import type { Database } from '@takt/database';
import { hashToken } from './secrets.js';

type Pool = Database['pool'];

/** An entry of the audit log: a change made by hand. Contains no secrets. */
export interface AuditEntry {
  readonly entryId: number;
  readonly notedAt: Date;
  /** The one who made the change: a person with PID, a token without a person, or the user of the command line. */
  readonly actor: string;
  /** E.g. `person-changed`. */
  readonly action: string;
  /** The changed thing, e.g. `person 7 Nora Nilsen`. */
  readonly subject: string;
  /** The changed values by name: the new value, or `from` and `to`. A secret is only marked as renewed. */
  readonly details: Readonly<Record<string, unknown>>;
}

export interface AuditQuery {
  readonly limit: number;
  /** Returns only entries before this one. */
  readonly beforeId?: number;
  /** Returns only entries with this text in actor, action, subject or details, in any case. */
  readonly text?: string;
}

/** Returns entries, newest first. */
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

/** The details of an entry as one line, e.g. `companies: TEM-NO -> TEM-NO,TEM-SE; roles: planner`. */
export function describeDetails(details: AuditEntry['details']): string {
  return Object.entries(details)
    .map(
      ([name, value]) =>
        `${name}: ${isChange(value) ? `${textOf(value.from)} -> ${textOf(value.to)}` : textOf(value)}`,
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
  // Instants are shown to the second.
  return String(value).replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?\+00:00$/, '$1Z');
}

/** A change of rejected events, a queue or a job, for the audit log. */
export interface OperatorEntry {
  readonly action:
    | `rejected-${'retried' | 'discarded' | 'corrected' | 'restored'}`
    | `queue-${'paused' | 'resumed'}`
    | `job-${'taken' | 'removed'}`;
  /** E.g. `5000 rejected events` or `queue reference-data`. */
  readonly subject: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * Logs an action of a token's holder, even if the token has been revoked in the meantime. Does nothing if the token is
 * unknown.
 */
export async function noteOperatorEntry(pool: Pool, token: string, entry: OperatorEntry): Promise<void> {
  await pool.query('SELECT takt.note_audit_of($1, $2, $3, $4)', [hashToken(token), ...valuesOf(entry)]);
}

/** Logs an action of the database's owner. The setting `takt.actor` names the actor. */
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
      /** At least one company; the first is the default. */
      readonly companyCodes: readonly string[];
    };

/**
 * Changes rights on behalf of the person whose token is given. The database checks that the token belongs to a person
 * with the duty manage-access. Returns undefined on success, `not-allowed`, `unknown` (no such id) or `yourself`
 * (nobody can lock themselves out).
 */
export async function administer(
  pool: Pool,
  token: string,
  change: AccessChange,
): Promise<'not-allowed' | 'unknown' | 'yourself' | undefined> {
  const codes = 'companyCodes' in change ? change.companyCodes : null;
  const { rows } = await pool.query<{ refused: 'not-allowed' | 'unknown' | 'yourself' | null }>(
    `SELECT takt.administer($1, $2, $3, (
       SELECT array_agg(company.company_id ORDER BY wanted.ordinality)
       FROM unnest($4::text[]) WITH ORDINALITY AS wanted (code) JOIN takt.companies company USING (code))) AS refused`,
    [hashToken(token), change.kind, change.id, codes],
  );
  return rows[0]?.refused ?? undefined;
}
