import { generateEvents } from '@takt/events/generator';
import type { Command } from 'commander';
import { UsageError } from '../errors.js';
import { companyCodes, integerFrom, share } from '../parse-option.js';
import { withProgress } from '../progress.js';
import type { Terminal } from '../terminal.js';

interface GenerateOptions {
  readonly events: number;
  readonly structures: number;
  readonly companies: readonly string[];
  readonly seed: number;
  readonly corrections: number;
  readonly duplicates: number;
}

const HELP = `
Prints master data first (structure versions with their plans, application versions), then the events of a shop floor
for the year until 2025-12-26. --events counts completions, corrections and reopenings; master data and
duplicates are printed in addition. The same arguments give the same bytes.`;

/** Written at once: a system call for each event would take longer than to make it. */
const CHUNK_CHARACTERS = 65_536;

export function addCommand(command: Command, terminal: Terminal): void {
  command
    .requiredOption('--events <n>', 'events of work order operations', integerFrom(0))
    .option('--structures <n>', 'structure versions, of all companies together', integerFrom(1), 250)
    .option('--companies <codes>', 'company codes between commas', companyCodes, ['TEM-NO'])
    .option('--seed <n>', 'another seed gives other events', integerFrom(0), 1)
    .option('--corrections <p>', 'share of the events that change an earlier one', share, 0)
    .option('--duplicates <p>', 'exact copies, as a share of the events', share, 0)
    .addHelpText('after', HELP)
    .action((options: GenerateOptions) => generate(options, terminal));
}

async function generate({ structures, ...options }: GenerateOptions, terminal: Terminal): Promise<void> {
  if (structures < options.companies.length) {
    throw new UsageError(`--structures must be at least ${options.companies.length}, one for each company`);
  }
  await withProgress(terminal, 'generating events', options.events, async ({ update }) => {
    let chunk = '';
    let made = 0;
    for (const event of generateEvents({ ...options, structureVersions: structures })) {
      chunk += `${JSON.stringify(event)}\n`;
      made += 1;
      if (chunk.length >= CHUNK_CHARACTERS) {
        await terminal.write(chunk);
        chunk = '';
        update(made);
      }
    }
    await terminal.write(chunk);
  });
}
