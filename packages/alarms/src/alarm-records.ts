import type pg from 'pg';
import type { Alarm, Facts } from './alarms.js';

/** A stored alarm. Its measure is the worst measure so far. */
export interface AlarmRecord {
  readonly alarmId: number;
  /** Name of the alarm. Another version of Takt may have stored a name that this version does not know. */
  readonly name: string;
  readonly subject: string;
  readonly facts: Facts;
  /** The facts with which the alarm began; null for an alarm from before 1.1.0. */
  readonly begunFacts: Facts | null;
  readonly begunAt: Date;
  /** Time at which the alarm was found last. */
  readonly foundAt: Date;
  /** Time at which the alarm ended; null while the alarm lasts. */
  readonly endedAt: Date | null;
  /** The comment of a person; null if there is none. */
  readonly acknowledgement: {
    readonly at: Date;
    readonly person: string;
    readonly words: string;
  } | null;
}

/**
 * Lists the alarms of the last 30 days, at most 500. Alarms that still last come first. The other alarms follow, and
 * the alarm that ended last comes first among them. The role takt_dashboard is enough.
 */
export async function listAlarms(pool: pg.Pool): Promise<readonly AlarmRecord[]> {
  const { rows } = await pool.query<
    Omit<AlarmRecord, 'acknowledgement'> & {
      readonly at: Date | null;
      readonly person: string | null;
      readonly words: string | null;
    }
  >(
    `SELECT alarm_id::float8 AS "alarmId", name, subject, facts, begun_facts AS "begunFacts",
       begun_at AS "begunAt", found_at AS "foundAt", ended_at AS "endedAt",
       acknowledged_at AS at, acknowledged_by AS person, acknowledgement AS words
     FROM takt.alarms ORDER BY ended_at IS NOT NULL, coalesce(ended_at, begun_at) DESC, alarm_id DESC`,
  );
  return rows.map(({ at, person, words, ...record }) => ({
    ...record,
    acknowledgement: at === null ? null : { at, person: person ?? '', words: words ?? '' },
  }));
}

/** A current alarm with its record. The record is undefined until a dashboard has stored the alarm. */
export interface KnownAlarm extends Alarm {
  readonly record: AlarmRecord | undefined;
}

/** Adds the records to the current alarms. */
export function withRecords(found: readonly Alarm[], records: readonly AlarmRecord[]): readonly KnownAlarm[] {
  return found.map((alarm) => ({ ...alarm, record: records.find((record) => isOf(record, alarm)) }));
}

/**
 * Returns true if a stored alarm is among the current ones. Its record alone does not tell: the end of an alarm is
 * stored a minute after the alarm was found last.
 */
export function isCurrent(record: AlarmRecord, found: readonly Alarm[]): boolean {
  return found.some((alarm) => isOf(record, alarm));
}

function isOf({ name, subject, endedAt }: AlarmRecord, alarm: Alarm): boolean {
  return name === alarm.name && subject === alarm.subject && endedAt === null;
}

/** Stores the current alarms. If `notifies` is true, also queues a notice for each alarm that starts or ends. */
export async function noteAlarms(
  pool: pg.Pool,
  found: readonly Alarm[],
  { notifies }: { readonly notifies: boolean },
): Promise<void> {
  await pool.query('SELECT takt.note_alarms($1, $2)', [JSON.stringify(found), notifies]);
}

/** Maximum length of a comment in the form. The database allows 500 characters. */
export const MAX_ACKNOWLEDGEMENT = 200;

/** Stores a comment on an alarm that still lasts. Returns false if the alarm has ended. */
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

/** A message for the webhook that waits in the database. It says that an alarm has started or ended. */
export interface AlarmNotice {
  readonly alarmNoticeId: string;
  readonly isEnd: boolean;
  /** Number of attempts to send the notice, including this attempt. */
  readonly attempts: number;
  readonly name: string;
  readonly subject: string;
  readonly facts: Facts;
  readonly begunAt: Date;
  readonly endedAt: Date | null;
}

/** Takes the notices that are due. No other caller gets these notices before their next attempt is due. */
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
