import type { Alarm, AlarmRecord, AlarmState } from '@takt/alarms';
import type { Database } from '@takt/database';
import { resolveSettings } from '@takt/run/settings';
import { repeat } from '@takt/run/waiting';
import type { Context } from './context.js';
import { describeError } from './errors.js';
import type { QueuesToAsk } from './queues.js';
import { printable, type Terminal } from './terminal.js';

/**
 * The database and the queues. If one of them cannot be reached, it is null: the other one is needed most in that case.
 */
export interface AlarmSources {
  readonly queues: QueuesToAsk | null;
  readonly database: Database | null;
  readonly rejectedPercent: number;
  readonly onQueueError: (error: unknown) => void;
}

export async function openAlarmSources(context: Context, terminal: Terminal): Promise<AlarmSources> {
  const tell = (error: unknown) => {
    terminal.say(`takt: ${describeError(error)}`);
    terminal.fail();
  };
  const orNone = <Part>(part: Promise<Part>): Promise<Part | null> =>
    part.catch((error: unknown) => {
      tell(error);
      return null;
    });
  const [queues, database] = await Promise.all([orNone(context.askQueues()), orNone(context.openDatabase())]);
  const { alarmRejectedPercent: rejectedPercent } = resolveSettings(terminal.environment);
  return { queues, database, rejectedPercent, onQueueError: tell };
}

/** Reads the whole state if the database can be reached, otherwise only the state of the queues. */
export async function readState({
  queues,
  database,
  onQueueError,
}: AlarmSources): Promise<Partial<AlarmState>> {
  const { readAlarmState, readQueueState } = await import('@takt/alarms');
  const queueNames = queues?.names ?? [];
  if (database !== null) {
    return readAlarmState({ pool: database.pool, queues: queues ?? undefined, queueNames, onQueueError });
  }
  if (queues === null) return {};
  return { queues: await Promise.all(queueNames.map((name) => readQueueState(queues, name))) };
}

export interface DescribedAlarm extends Alarm {
  /** Time at which a dashboard first found the alarm; null if no dashboard has stored the alarm. */
  readonly since: string | null;
  /** The comment of an operator; null if there is none. */
  readonly acknowledgement: AlarmRecord['acknowledgement'];
  readonly text: string;
  readonly remedy: string;
}

export async function findAlarmsIn(
  state: Partial<AlarmState>,
  { database, rejectedPercent }: AlarmSources,
): Promise<readonly DescribedAlarm[]> {
  const { describeAlarm, findAlarms, listAlarms, withRecords } = await import('@takt/alarms');
  // Without the database the reports of workers are unknown, so the alarm "no worker is running" would be a guess.
  if (state.reports === undefined || database === null) return [];
  const found = findAlarms(state as AlarmState, { rejectedPercent });
  return withRecords(found, await listAlarms(database.pool)).map(({ record, ...alarm }) => {
    const since = record?.begunAt.toISOString() ?? null;
    const { acknowledgement = null } = record ?? {};
    return { ...alarm, ...describeAlarm(alarm, 'eng'), since, acknowledgement };
  });
}

/** Writes an alarm in one line, even if its reason contains text of a producer with line breaks. */
export function lineOf({ text, remedy, since, acknowledgement }: DescribedAlarm): string {
  const parts = [
    text,
    ...(since === null ? [] : [`Since ${since}.`]),
    remedy.replaceAll('`', ''),
    ...(acknowledgement === null
      ? []
      : [`${acknowledgement.person} on ${acknowledgement.at.toISOString()}: ${acknowledgement.words}`]),
  ];
  return printable(parts.join(' '));
}

const WATCH_EVERY_MS = 5_000;

export async function watchAlarms(
  sources: AlarmSources,
  found: readonly DescribedAlarm[],
  terminal: Terminal,
): Promise<void> {
  let known = byKey(found);
  await repeat(
    async () => {
      const now = byKey(await findAlarmsIn(await readState(sources), sources));
      const at = new Date().toISOString();
      for (const [key, alarm] of now) {
        if (!known.has(key)) await terminal.print(`${at} ALARM ${lineOf(alarm)}`);
      }
      for (const [key, { text }] of known) {
        if (!now.has(key)) await terminal.print(`${at} ended ${printable(text)}`);
      }
      known = now;
    },
    {
      everyMs: WATCH_EVERY_MS,
      signal: terminal.stopRequest(),
      onError: (error) => terminal.say(`takt: ${describeError(error)}`),
    },
  );
}

function byKey(alarms: readonly DescribedAlarm[]): ReadonlyMap<string, DescribedAlarm> {
  return new Map(alarms.map((alarm) => [`${alarm.name} ${alarm.subject}`, alarm]));
}
