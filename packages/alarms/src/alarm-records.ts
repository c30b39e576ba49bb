import type pg from 'pg';
import type { Alarm, Facts } from './alarms.js';

/** A stored alarm, with its worst measure. */
export interface AlarmRecord {
  readonly alarmId: number;
  /** Another version of Takt may have stored a name that this one does not know. */
  readonly name: string;
  readonly subject: string;
  readonly facts: Facts;
  readonly begunAt: Date;
  /** Null while the alarm lasts. */
  readonly endedAt: Date | null;
  /** A person's comment; null if there is none. */
  readonly acknowledgement: {
    readonly at: Date;
    readonly person: string;
    readonly words: string;
  } | null;
}

/**
 * The alarms of the last 30 days, at most 500: first those that still last, then the others, the latest to end first.
 * The role takt_dashboard is enough.
 */
export async function listAlarms(pool: pg.Pool): Promise<readonly AlarmRecord[]> {
  const { rows } = await pool.query<
    Omit<AlarmRecord, 'acknowledgement'> & {
      readonly at: Date | null;
      readonly person: string | null;
      readonly words: string | null;
    }
  >(
    `SELECT alarm_id::float8 AS "alarmId", name, subject, facts, begun_at AS "begunAt", ended_at AS "endedAt",
       acknowledged_at AS at, acknowledged_by AS person, acknowledgement AS words
     FROM takt.alarms ORDER BY ended_at IS NOT NULL, coalesce(ended_at, begun_at) DESC, alarm_id DESC`,
  );
  return rows.map(({ at, person, words, ...record }) => ({
    ...record,
    acknowledgement: at === null ? null : { at, person: person ?? '', words: words ?? '' },
  }));
}

/** A current alarm with its record, which is undefined until a dashboard has stored the alarm. */
export interface KnownAlarm extends Alarm {
  readonly record: AlarmRecord | undefined;
}

/** Combines current alarms with their records. */
export function withRecords(found: readonly Alarm[], records: readonly AlarmRecord[]): readonly KnownAlarm[] {
  return found.map((alarm) => ({
    ...alarm,
    record: records.find(
      ({ name, subject, endedAt }) => name === alarm.name && subject === alarm.subject && endedAt === null,
    ),
  }));
}

/** Stores the current alarms. With `notifies` it also queues a notice for each alarm that starts or ends. */
export async function noteAlarms(
  pool: pg.Pool,
  found: readonly Alarm[],
  { notifies }: { readonly notifies: boolean },
): Promise<void> {
  await pool.query('SELECT takt.note_alarms($1, $2)', [JSON.stringify(found), notifies]);
}

/** Maximum length of a comment in the form; the database allows 500 characters. */
export const MAX_ACKNOWLEDGEMENT = 200;

/** Stores a comment on an alarm that still lasts. False if the alarm has ended. */
export async function acknowledgeAlarm(
  pool: pg.Pool,
  { alarmId, person, words }: { readonly alarmId: number; readonly person: string; readonly words: string },
): Promise<boolean> {
  const { rows } = await pool.query<{ acknowledged: boolean }>(
    'SELECT takt.acknowledge_alarm($1, $2, $3) AS acknowledged',
    [alarmId, person, words],
  );
  return rows[0]?.acknowledged === true;
}

/** A queued message for the webhook: an alarm started or ended. */
export interface AlarmNotice {
  readonly alarmNoticeId: string;
  readonly isEnd: boolean;
  /** Number of attempts, including this one. */
  readonly attempts: number;
  readonly name: string;
  readonly subject: string;
  readonly facts: Facts;
  readonly begunAt: Date;
  readonly endedAt: Date | null;
}

/** Takes the due notices. No other caller gets them before their next attempt. */
export async function takeNotices(pool: pg.Pool): Promise<readonly AlarmNotice[]> {
  const { rows } = await pool.query<AlarmNotice>(
    `SELECT alarm_notice_id AS "alarmNoticeId", is_end AS "isEnd", attempts, name, subject, facts,
       begun_at AS "begunAt", ended_at AS "endedAt"
     FROM takt.take_alarm_notices() ORDER BY alarm_notice_id`,
  );
  return rows;
}

export async function settleNotice(pool: pg.Pool, { alarmNoticeId }: AlarmNotice): Promise<void> {
  await pool.query('SELECT takt.settle_alarm_notice($1)', [alarmNoticeId]);
}
