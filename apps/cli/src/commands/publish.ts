import { MAX_EVENTS_PER_BATCH } from '@takt/events/view';
import type { Command } from 'commander';
import { withContext } from '../context.js';
import { CommandError } from '../errors.js';
import { createEventSender, defaultBatchSize } from '../event-sender.js';
import { integerFrom, positiveNumber } from '../parse-option.js';
import type { Terminal } from '../terminal.js';

interface PublishOptions {
  readonly batch?: number;
  readonly rate?: number;
  readonly skipInvalid?: boolean;
}

const HELP = `
A file holds one event a line (NDJSON). Blank lines are skipped, and a file whose name ends in .gz is unpacked. Every line
of a file is checked before any of it is published. If a line is invalid, it is reported as FILE:LINE: problems, nothing
of that file is published, other files are, and the exit code is 1.
Publishing again does no harm: an event counts once.`;

export function addCommand(command: Command, terminal: Terminal): void {
  command
    .argument('<file...>', 'files of events; - is standard input')
    .option('--batch <n>', 'events in a job, 1 to 1000 (default: 500, less with --rate)', batchSize)
    .option('--rate <n>', 'events per second at most', positiveNumber)
    .option('--skip-invalid', 'publish the valid lines of files that have invalid ones')
    .addHelpText('after', HELP)
    .action((files: readonly string[], options: PublishOptions) => publish(files, options, terminal));
}

const batchSize = integerFrom(1, MAX_EVENTS_PER_BATCH);

async function publish(files: readonly string[], options: PublishOptions, terminal: Terminal): Promise<void> {
  const { publishFile } = await import('../publish-file.js');
  await withContext(terminal, async (context) => {
    const { publishPrepared } = await context.openPublisher();
    const sender = createEventSender(publishPrepared, {
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
