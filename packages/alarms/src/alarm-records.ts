import type pg from 'pg';
import type { Alarm, Facts } from './alarms.js';

/** An alarm that was found and kept, as it was at its worst. */
export interface AlarmRecord {
  readonly alarmId: number;
  /** Another version may know names that this one does not. */
  readonly name: string;
  readonly subject: string;
  readonly facts: Facts;
  readonly begunAt: Date;
  /** Null: it goes on. */
  readonly endedAt: Date | null;
  /** A person's word about it; null without one. */
  readonly acknowledgement: {
    readonly at: Date;
    readonly person: string;
    readonly words: string;
  } | null;
}

/** The alarms of the last 30 days, 500 at most: those that go on, then those that ended last. The role takt_dashboard is enough. */
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

/** An alarm that there is now, and what is kept of it; undefined until a dashboard has kept it. */
export interface KnownAlarm extends Alarm {
  readonly record: AlarmRecord | undefined;
}

/** Puts alarms that are found together with their records. */
export function withRecords(found: readonly Alarm[], records: readonly AlarmRecord[]): readonly KnownAlarm[] {
  return found.map((alarm) => ({
    ...alarm,
    record: records.find(
      ({ name, subject, endedAt }) => name === alarm.name && subject === alarm.subject && endedAt === null,
    ),
  }));
}

/** Keeps what is found at this moment; with `notifies`, what begins or ends is told to the webhook later. */
export async function noteAlarms(
  pool: pg.Pool,
  found: readonly Alarm[],
  { notifies }: { readonly notifies: boolean },
): Promise<void> {
  await pool.query('SELECT takt.note_alarms($1, $2)', [JSON.stringify(found), notifies]);
}

/** Characters of what a person says about an alarm; the database keeps 500. */
export const MAX_ACKNOWLEDGEMENT = 200;

/** Keeps a person's word about an alarm that goes on. False where it has ended. */
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

/** A message for the webhook: an alarm began or ended. */
export interface AlarmNotice {
  readonly alarmNoticeId: string;
  readonly isEnd: boolean;
  /** This one counted. */
  readonly attempts: number;
  readonly name: string;
  readonly subject: string;
  readonly facts: Facts;
  readonly begunAt: Date;
  readonly endedAt: Date | null;
}

/** The notices that are due; nobody else takes the same until its next attempt. */
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
