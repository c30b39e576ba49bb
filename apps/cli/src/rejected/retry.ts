import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { describeProblems, prepareEvent } from '@takt/events';
import { CommandError, UsageError } from '../errors.js';
import type { Terminal } from '../terminal.js';
import { assertIds, BY, changeAll, NOTED_IDS, withRejected } from './with-rejected.js';

export interface RetryFlags {
  readonly all?: boolean;
  readonly data?: string;
}

export async function discard(ids: readonly string[], terminal: Terminal): Promise<void> {
  assertIds(ids);
  await withRejected(terminal, async (events, noted) => {
    const details = { ids: ids.slice(0, NOTED_IDS) };
    const discarded = await noted({ action: 'rejected-discarded', details }, ids.length, () =>
      changeAll(events, ids, (id) => events.discard(id, BY), terminal),
    );
    await terminal.print(`discarded ${discarded}`);
  });
}

/** Returns rejected events to their queues. With a corrected event, sends that event instead of the rejected event. */
export async function retry(
  ids: readonly string[],
  { all = false, data }: RetryFlags,
  terminal: Terminal,
): Promise<void> {
  if (all === ids.length > 0) throw new UsageError('name the events to retry, or all with --all');
  const [only = '', ...others] = ids;
  if (data !== undefined && (all || others.length > 0)) {
    throw new UsageError('--data holds one event: name the one id that it replaces');
  }
  assertIds(ids);
  const corrected = data === undefined ? undefined : await readEvent(data, terminal);
  await withRejected(terminal, async (events, noted) => {
    if (corrected !== undefined) {
      await noted({ action: 'rejected-corrected', details: { ids } }, 1, async () => {
        await events.changing(() => events.correct(only, () => corrected.event, BY));
        return 1;
      });
      await terminal.print('retried 1');
    } else {
      // All ids are listed before the first retry. Otherwise an event that is rejected again would be retried for ever.
      const chosen = all ? await events.listIds() : ids;
      const details = all ? { all } : { ids: ids.slice(0, NOTED_IDS) };
      const retried = await noted({ action: 'rejected-retried', details }, chosen.length, () =>
        changeAll(events, chosen, events.retry, terminal),
      );
      await terminal.print(`retried ${retried}`);
    }
    terminal.say(
      'takt: takt drain waits until the events are processed; an event that still breaks a rule is rejected again',
    );
  });
}

/** Reads the event in a file. If the event has problems, throws a CommandError that names them. */
async function readEvent(name: string, terminal: Terminal): Promise<{ readonly event: unknown }> {
  const content = await (name === '-' ? text(terminal.input) : readFile(name, 'utf8')).catch(
    (error: unknown) => {
      throw new CommandError(`${name} cannot be read`, { cause: error });
    },
  );
  let event: unknown;
  try {
    event = JSON.parse(content);
  } catch (error) {
    throw new CommandError(`${name} is not JSON, so nothing was retried`, { cause: error });
  }
  const result = prepareEvent(event);
  if (result.ok) return { event };
  throw new CommandError(
    `${name} contains no valid event, so nothing was retried: ${describeProblems(result.problems)}`,
  );
}
