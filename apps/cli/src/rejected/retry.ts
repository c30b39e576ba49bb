import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { describeProblems, findPublishingProblems } from '@takt/events';
import { CommandError, UsageError } from '../errors.js';
import type { Terminal } from '../terminal.js';
import { assertIds, BY, changeAll, NOTED_IDS, withRejected } from './with-rejected.js';

export interface RetryFlags {
  readonly all?: boolean;
  readonly data?: string;
}

/** Discards events by their ids. */
export async function discard(ids: readonly string[], terminal: Terminal): Promise<void> {
  assertIds(ids);
  await withRejected(terminal, async (events, note) => {
    const discarded = await changeAll(events, ids, (id) => events.discard(id, BY), terminal);
    await note('rejected-discarded', discarded, { ids: ids.slice(0, NOTED_IDS) });
    await terminal.print(`discarded ${discarded}`);
  });
}

/** Puts events back into their queues, or one that is corrected in the place of a rejected one. */
export async function retry(
  ids: readonly string[],
  { all = false, data }: RetryFlags,
  terminal: Terminal,
): Promise<void> {
  if (all === ids.length > 0) throw new UsageError('name the events to retry, or all with --all');
  const [only = '', ...others] = ids;
  if (data !== undefined && (all || others.length > 0)) {
    throw new UsageError('--data holds one event: name the one id whose place it takes');
  }
  assertIds(ids);
  const corrected = data === undefined ? undefined : await readEvent(data, terminal);
  await withRejected(terminal, async (events, note) => {
    if (corrected !== undefined) {
      await events.changing(() => events.correct(only, () => corrected.event, BY));
      await note('rejected-corrected', 1, { ids });
      await terminal.print('retried 1');
    } else {
      // All are listed before any is retried: one that is rejected again at once is not retried for ever.
      const chosen = all ? await events.listIds() : ids;
      const retried = await changeAll(events, chosen, events.retry, terminal);
      await note('rejected-retried', retried, all ? { all } : { ids: ids.slice(0, NOTED_IDS) });
      await terminal.print(`retried ${retried}`);
    }
    terminal.say('takt: takt drain waits until they are taken; what is wrong still is rejected again');
  });
}

/** Reads the one event of a file. Throws a CommandError that says what is wrong with it. */
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
  const problems = findPublishingProblems(event);
  if (problems.length === 0) return { event };
  throw new CommandError(
    `${name} holds no valid event, so nothing was retried: ${describeProblems(problems)}`,
  );
}
