import type { ErrorCode } from '@takt/catalogue/errors';
import type { RulePhrase, Words } from '@takt/events/internal';
import type pg from 'pg';

/** Number of days over which refusals are added up. */
export const REFUSAL_DAYS = 7;

/** The reason of a refusal, without values of the event or the request. */
export interface RefusalReason {
  readonly code: ErrorCode;
  /** The field and the rule that an event breaks; absent if the error is not of one event. */
  readonly broken?: { readonly field: string; readonly rule: Words<RulePhrase> };
}

/** The refusals of one producer for one reason. */
export interface RefusalCount {
  /** Id of the token. */
  readonly token: number;
  /** The reason in a form that is equal for equal reasons. */
  readonly reason: string;
  readonly error: RefusalReason;
  /** Number of events, or of requests if the error is not of one event. */
  readonly times: number;
}

/** Adds the counts to those of today. */
export async function noteRefusals(pool: pg.Pool, counts: readonly RefusalCount[]): Promise<void> {
  await pool.query('SELECT takt.note_refusals($1)', [JSON.stringify(counts)]);
}

/** The refusals of one producer for one reason in the last days. */
export interface Refusals {
  /** Name of the client or person of the token, otherwise the description of the token. */
  readonly producer: string;
  readonly error: RefusalReason;
  readonly times: number;
  readonly lastAt: Date;
}

/**
 * Lists what the intake refused in the last 7 days, the most frequent first.
 * @param companies codes of companies: only refusals of producers of these companies; undefined for all
 */
export async function listRefusals(
  pool: pg.Pool,
  { companies, limit }: { readonly companies?: readonly string[] | undefined; readonly limit: number },
): Promise<readonly Refusals[]> {
  const { rows } = await pool.query<Refusals>(
    `SELECT producer, (array_agg(error))[1] AS error, sum(times)::float8 AS times, max(last_at) AS "lastAt"
     FROM takt.refusals
     WHERE day > (now() AT TIME ZONE 'UTC')::date - $1::integer AND ($2::text[] IS NULL OR companies && $2::text[])
     GROUP BY producer, reason ORDER BY sum(times) DESC, producer, reason LIMIT $3`,
    [REFUSAL_DAYS, companies ?? null, limit],
  );
  return rows;
}
