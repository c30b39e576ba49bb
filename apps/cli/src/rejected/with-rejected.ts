import { noteOwnerEntry, type OperatorEntry } from '@takt/access/administration';
import type { Database } from '@takt/database';
import {
  NotRejectedError,
  openRejectedEvents,
  type RejectedEvents,
  UnreadableJobError,
} from '@takt/database/rejected-events';
import { QUEUE_NAMES } from '@takt/events';
import { withContext } from '../context.js';
import { CommandError, describeError, UsageError } from '../errors.js';
import { withProgress } from '../progress.js';
import type { Terminal } from '../terminal.js';
import { userName } from '../user-name.js';

/** The name of the user, which is stored with events that are discarded or corrected on the command line. */
export const BY = { by: `${userName()} at the command line` };

/** Maximum number of event ids in one entry of the audit log. */
export const NOTED_IDS = 100;

/**
 * Runs a change of several events, and records the start and the end of the change in the audit log. Returns the number
 * of changed events.
 */
export type Noted = (
  entry: Pick<OperatorEntry, 'action' | 'details'>,
  count: number,
  change: () => Promise<number>,
) => Promise<number>;

/** Runs work on rejected events. A problem of a single event becomes the error of the command. */
export function withRejected(
  terminal: Terminal,
  work: (events: RejectedEvents, noted: Noted, database: Database) => Promise<void>,
): Promise<void> {
  return withContext(terminal, async (context) => {
    const database = await context.openDatabase();
    const { pool } = database;
    const note = ({ action, details }: Parameters<Noted>[0], count: number, state: 'begun' | 'ended') =>
      noteOwnerEntry(pool, { action, subject: `${count} rejected events`, details: { ...details, state } });
    const noted: Noted = async (entry, count, change) => {
      await note(entry, count, 'begun');
      const changed = await change();
      await note(entry, changed, 'ended');
      return changed;
    };
    const events = openRejectedEvents(pool, await context.openQueues());
    await work(events, noted, database).catch((error: unknown) => {
      throw isOfTheEvent(error) ? new CommandError(describeError(error)) : error;
    });
  });
}

const CHANGES_AT_A_TIME = 50;
/**
 * Number of events that are changed while one lock is held. Between two locks, a worker that moves events or the
 * dashboard gets its turn.
 */
const CHANGES_UNDER_A_LOCK = 100;

/**
 * Changes rejected events one by one. A failure is printed and does not stop the other changes. Returns the number of
 * changed events.
 */
export async function changeAll(
  events: RejectedEvents,
  ids: readonly string[],
  change: (id: string) => Promise<number>,
  terminal: Terminal,
): Promise<number> {
  let changed = 0;
  await withProgress(terminal, 'rejected events changed:', ids.length, async (progress) => {
    const changeOne = async (id: string) => {
      try {
        const count = await change(id);
        changed += count;
      } catch (error) {
        if (!isOfTheEvent(error)) throw error;
        progress.say(`takt: ${describeError(error)}`);
        terminal.fail();
      }
    };
    for (const turn of slices(ids, CHANGES_UNDER_A_LOCK)) {
      await events.changing(async () => {
        for (const some of slices(turn, CHANGES_AT_A_TIME)) {
          await Promise.all(some.map(changeOne));
          progress.update(changed);
        }
      });
    }
  });
  return changed;
}

function* slices(ids: readonly string[], size: number): Generator<readonly string[]> {
  for (let start = 0; start < ids.length; start += size) yield ids.slice(start, start + size);
}

/** Returns true for an error that concerns a single event, so that the change of other events can continue. */
function isOfTheEvent(error: unknown): boolean {
  return error instanceof NotRejectedError || error instanceof UnreadableJobError;
}

/** Throws a UsageError if an id is impossible. */
export function assertIds(ids: readonly string[]): void {
  for (const id of ids) {
    if (QUEUE_NAMES.some((name) => id.startsWith(`${name}/`) && id.length > name.length + 1)) continue;
    throw new UsageError(
      `${id} is not the id of a rejected event: it begins with ${QUEUE_NAMES.join(' or ')} and a slash, ` +
        'as takt rejected list prints it',
    );
  }
}
