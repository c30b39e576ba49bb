import type { Logger } from '@takt/run';
import { repeat } from '@takt/run/waiting';
import type pg from 'pg';
import { type AlarmNotice, noteAlarms, settleNotice, takeNotices } from './alarm-records.js';
import { type Alarm, type AlarmSettings, findAlarms } from './alarms.js';
import type { AlarmState } from './read-state.js';
import { postNotice, type Webhook } from './webhook.js';

interface AlarmWatchOptions extends AlarmSettings {
  /** Pool for the queries. The log-in needs the role takt_dashboard. */
  readonly pool: pg.Pool;
  readonly readState: () => Promise<AlarmState>;
  /** The webhook that is called. If undefined, no webhook is called. */
  readonly webhook: Webhook | undefined;
  readonly logger: Logger;
  /**
   * Delay in milliseconds before the first check. Without the delay, apps that start at the same time would be reported
   * as missing. Default 10,000.
   */
  readonly firstAfterMs?: number | undefined;
}

export interface AlarmWatch {
  /** Returns the alarms that the latest check found. */
  found(): readonly Alarm[];
  /** Checks at once, after a change of which the effect is known. Does nothing before the first check is due. */
  checkNow(): void;
  /** Stops the checks. A running call of the webhook is not cancelled. */
  close(): void;
}

const LOOK_EVERY_MS = 5_000;
const TELL_EVERY_MS = 2_000;
const FIRST_AFTER_MS = 10_000;
const MAX_ATTEMPTS = 10;

/**
 * Checks every 5 s which alarms start or end, stores these alarms, and calls the webhook. Several instances may run at
 * the same time.
 */
export function watchAlarms(options: AlarmWatchOptions): AlarmWatch {
  const { pool, readState, webhook, logger, firstAfterMs = FIRST_AFTER_MS } = options;
  const ending = new AbortController();
  let found: readonly Alarm[] = [];
  const look = async () => {
    found = findAlarms(await readState(), options);
    await noteAlarms(pool, found, { notifies: webhook !== undefined });
  };
  const tellWhatIsDue = async (receiver: Webhook) => {
    const notices = await takeNotices(pool);
    await Promise.all(notices.map((notice) => tell(notice, receiver, { pool, logger })));
  };
  const onError = (error: unknown) => logger.warn({ error }, 'the check for alarms failed');
  let hasBegun = false;
  const first = setTimeout(() => {
    hasBegun = true;
    void repeat(look, { everyMs: LOOK_EVERY_MS, signal: ending.signal, onError });
    // The call is not awaited, because a slow receiver must not delay the next check.
    if (webhook !== undefined) {
      const turn = () => tellWhatIsDue(webhook);
      void repeat(turn, { everyMs: TELL_EVERY_MS, signal: ending.signal, onError });
    }
  }, firstAfterMs).unref();
  return {
    found: () => found,
    checkNow: () => {
      if (hasBegun) look().catch(onError);
    },
    close: () => {
      clearTimeout(first);
      ending.abort();
    },
  };
}

/** Posts a notice. If posting fails, the notice becomes due again. There are at most ten attempts in all. */
async function tell(
  notice: AlarmNotice,
  webhook: Webhook,
  { pool, logger }: Pick<AlarmWatchOptions, 'pool' | 'logger'>,
): Promise<void> {
  const { name, subject, isEnd, attempts } = notice;
  const what = { alarm: name, subject, isEnd, attempts };
  try {
    await postNotice(notice, webhook);
  } catch (error) {
    if (attempts < MAX_ATTEMPTS) {
      logger.warn({ ...what, error }, 'the alarm webhook did not accept a message, trying again');
      return;
    }
    logger.error({ ...what, error }, 'the alarm webhook did not accept a message in ten attempts, giving up');
  }
  await settleNotice(pool, notice);
}
