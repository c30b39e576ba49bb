import { CommandError } from '../command-error.js';
import { describeError } from '../output/describe-error.js';
import { withProgress } from '../output/progress.js';
import type { Terminal } from '../terminal.js';
import { checkFile } from './check-file.js';
import { checkLine } from './check-line.js';
import type { EventSender } from './event-sender.js';
import { type EventSource, openEventSource } from './event-source.js';
import { readLines } from './read-lines.js';

export interface PublishFileOptions {
  readonly sender: EventSender;
  readonly terminal: Terminal;
  /** Publish the valid lines of a file that has invalid ones. */
  readonly skipInvalid: boolean;
}

/**
 * Publishes the events of a file after every line of it has been checked: invalid lines are reported by file and
 * line, and nothing of the file is published unless they are to be skipped. Gives false where the file was refused
 * or cannot be read. Rejects where the queue does not take the events.
 */
export async function publishFile(name: string, options: PublishFileOptions): Promise<boolean> {
  const { terminal, skipInvalid } = options;
  try {
    const source = await openEventSource(name, terminal.input);
    try {
      const { lines, invalidLines } = await checkFile(source, terminal);
      if (invalidLines > 0) {
        const what = `${source.name}: ${invalidLines} of ${lines} lines are invalid`;
        terminal.say(`takt: ${what}, ${skipInvalid ? 'skipping them' : 'nothing of the file is published'}`);
        if (!skipInvalid) return false;
      }
      await sendFile(source, lines, options);
      return true;
    } finally {
      await source.close();
    }
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    terminal.say(`takt: ${describeError(error)}`);
    return false;
  }
}

async function sendFile(
  source: EventSource,
  lines: number,
  { sender, terminal, skipInvalid }: PublishFileOptions,
): Promise<void> {
  await withProgress(terminal, `publishing ${source.name}`, source.sizeBytes, async (progress) => {
    for await (const some of readLines(source.read(progress.update))) {
      // A file that is being written to may have got more lines since it was checked.
      for (const line of some.filter(({ number }) => number <= lines)) {
        const checked = checkLine(line);
        if (checked.kind === 'event') await sender.send(checked.event);
        if (checked.kind === 'invalid' && !skipInvalid) {
          throw new CommandError(`${source.name}:${line.number}: was changed since it was checked`);
        }
      }
    }
    await sender.flush();
  });
}
