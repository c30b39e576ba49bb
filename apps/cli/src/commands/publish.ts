import { MAX_EVENTS_PER_BATCH } from '@takt/events';
import type { Command } from 'commander';
import { withContext } from '../context.js';
import { CommandError, describeError } from '../errors.js';
import { createEventSender, defaultBatchSize, type EventSender } from '../event-sender.js';
import { checkLine, type EventSource, openEventSource, readLines } from '../event-source.js';
import { integerFrom, positiveNumber } from '../parse-option.js';
import { type Progress, withProgress } from '../progress.js';
import { printable, type Terminal } from '../terminal.js';

interface PublishOptions {
  readonly batch?: number;
  readonly rate?: number;
  readonly skipInvalid?: boolean;
}

const HELP = `
A file holds one event in a line (NDJSON); blank lines are skipped, a name that ends in .gz is unpacked, - is
standard input. Every line of a file is checked before anything of it is published; an invalid one is reported as
FILE:LINE: problems, nothing of that file is published, the other files are, and the exit code is 1.
Publishing again does no harm: an event counts once.`;

export function addCommand(program: Command, terminal: Terminal): void {
  program
    .command('publish')
    .description('check events and put them into their queues; prints: published N')
    .argument('<file...>', 'files of events, - for standard input')
    .option('--batch <n>', 'events in a job, 1 to 1000 (default: 500, less with --rate)', batchSize)
    .option('--rate <n>', 'events a second at most', positiveNumber)
    .option('--skip-invalid', 'publish the valid lines of files that have invalid ones')
    .addHelpText('after', HELP)
    .action((files: readonly string[], options: PublishOptions) => publish(files, options, terminal));
}

const batchSize = integerFrom(1, MAX_EVENTS_PER_BATCH);

async function publish(files: readonly string[], options: PublishOptions, terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    const sender = createEventSender(await context.openPublisher(), {
      batchSize: options.batch ?? defaultBatchSize(options.rate),
      eventsPerSecond: options.rate,
    });
    for (const file of files) {
      const skipInvalid = options.skipInvalid === true;
      const isPublished = await publishFile(file, { sender, terminal, skipInvalid }).catch(
        (error: unknown) => {
          const soFar = `${sender.published()} events were published before`;
          throw new CommandError(`the queue did not take all of ${file} (${soFar})`, { cause: error });
        },
      );
      if (!isPublished) terminal.fail();
    }
    await terminal.print(`published ${sender.published()}`);
  });
}

interface PublishFileOptions {
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
async function publishFile(name: string, options: PublishFileOptions): Promise<boolean> {
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

interface FileCheck {
  readonly lines: number;
  readonly invalidLines: number;
}

/** To tell of more lines helps nobody. */
const MAX_LINES_REPORTED = 1_000;

/**
 * Checks every line of a file and reports the invalid ones as FILE:LINE: problems, in the order of the file. Throws
 * a CommandError where the file cannot be read to its end.
 */
async function checkFile(source: EventSource, terminal: Terminal): Promise<FileCheck> {
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
