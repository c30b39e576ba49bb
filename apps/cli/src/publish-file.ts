import type { PreparedEvent } from '@takt/events';
import { CommandError, describeError } from './errors.js';
import type { EventSender } from './event-sender.js';
import { checkLine, type EventSource, openEventSource, readLines } from './event-source.js';
import { type Progress, withProgress } from './progress.js';
import { printable, type Terminal } from './terminal.js';

interface PublishFileOptions {
  readonly sender: EventSender<PreparedEvent>;
  readonly terminal: Terminal;
  /** If true, the valid lines of a file are published even if other lines are invalid. */
  readonly skipInvalid: boolean;
}

const TABLE = /\.(csv|tsv|xlsx)$/i;

/**
 * Publishes the events of a file after all its lines have been checked. Invalid lines are reported by file and line. A
 * file with invalid lines is not published unless these lines are to be skipped. Returns false if the file was refused
 * or cannot be read. Rejects if the queue does not accept the events.
 */
export async function publishFile(name: string, options: PublishFileOptions): Promise<boolean> {
  const { terminal, skipInvalid } = options;
  if (TABLE.test(name)) {
    terminal.say(`takt: ${printable(name)} is a table, and publish takes events: use takt import`);
    return false;
  }
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

/**
 * Publishes the lines of a file that has been checked. Throws a CommandError if the file has changed since the check;
 * the events before the change have then been published.
 */
export async function sendFile(
  source: EventSource,
  lines: number,
  { sender, terminal, skipInvalid }: PublishFileOptions,
): Promise<void> {
  await withProgress(terminal, `publishing ${source.name}`, source.sizeBytes, async (progress) => {
    for await (const event of readChecked(source, lines, { skipInvalid, onRead: progress.update })) {
      await sender.send(event);
    }
    await sender.flush();
  });
}

interface ReadOptions {
  readonly skipInvalid: boolean;
  readonly onRead: (bytes: number) => void;
}

/**
 * Yields the events of a file whose lines have been checked. Throws a CommandError at the first line that has changed
 * since the check.
 */
async function* readChecked(
  source: EventSource,
  lines: number,
  { skipInvalid, onRead }: ReadOptions,
): AsyncGenerator<PreparedEvent> {
  let read = 0;
  for await (const some of readLines(source.read(onRead))) {
    for (const line of some) {
      const checked = checkLine(line);
      const isOther = line.number > lines || (checked.kind === 'invalid' && !skipInvalid);
      if (isOther) throw changed(source, line.number);
      if (checked.kind === 'event') yield checked.event;
      read = line.number;
    }
  }
  if (read < lines) throw changed(source, read + 1);
}

function changed({ name }: EventSource, line: number): CommandError {
  return new CommandError(`${name}:${line}: was changed since it was checked`);
}

interface FileCheck {
  readonly lines: number;
  readonly invalidLines: number;
}

/** Maximum number of invalid lines that are reported, because more would not help. */
const MAX_LINES_REPORTED = 1_000;

/**
 * Checks all lines of a file, and reports invalid lines in order, as FILE:LINE: problems. Throws a CommandError if the
 * file cannot be read to its end.
 */
export async function checkFile(source: EventSource, terminal: Terminal): Promise<FileCheck> {
  let lines = 0;
  let invalidLines = 0;
  const report = (number: number, problems: string, progress: Progress) => {
    invalidLines += 1;
    if (invalidLines > MAX_LINES_REPORTED) return;
    progress.say(`${source.name}:${number}: ${printable(problems)}`);
  };
  await withProgress(terminal, `checking ${source.name}`, source.sizeBytes, async (progress) => {
    try {
      for await (const some of readLines(source.read(progress.update))) {
        for (const line of some) {
          const checked = checkLine(line);
          if (checked.kind === 'invalid') report(line.number, checked.problems, progress);
        }
        lines = some.at(-1)?.number ?? lines;
      }
    } catch (error) {
      throw new CommandError(`${source.name} cannot be read after line ${lines}`, { cause: error });
    }
  });
  if (invalidLines > MAX_LINES_REPORTED) {
    terminal.say(`${source.name}: ${invalidLines - MAX_LINES_REPORTED} more invalid lines`);
  }
  return { lines, invalidLines };
}
