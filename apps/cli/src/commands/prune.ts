import { planPruning, pruneOperations } from '@takt/figures';
import type { Command } from 'commander';
import { withContext } from '../context.js';
import { calendarDay } from '../parse-option.js';
import { withProgress } from '../progress.js';
import type { Terminal } from '../terminal.js';

interface PruneCommandOptions {
  readonly database: string;
  readonly before: string;
  readonly dryRun?: boolean;
}

const HELP = `
Every figure stays what it is, to the last digit. What is pruned cannot be corrected or reopened any more: such events are
rejected. Reopened operations stay until they are completed. Safe while workers go on; ended in between it has pruned
less, and goes on when called again. There is no way back but a backup.

Prints: pruned N operations of N structure versions.`;

export function addCommand(command: Command, terminal: Terminal): void {
  command
    .requiredOption('--database <code>', 'the company')
    .requiredOption('--before <day>', 'last changed before this day (UTC), at least 90 days ago', calendarDay)
    .option('--dry-run', 'only say what would go')
    .addHelpText('after', HELP)
    .action((options: PruneCommandOptions) => prune(options, terminal));
}

async function prune(options: PruneCommandOptions, terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    const { pool } = await context.openDatabase();
    const plan = await planPruning(pool, options);
    const become = `${plan.operations} operations become ${plan.sums} rows of sums by structure version and month`;
    if (options.dryRun === true) {
      terminal.say(`takt: ${become}`);
      await terminal.print(
        `would prune ${plan.operations} operations of ${plan.structureVersions} structure versions`,
      );
      return;
    }
    const { operations, structureVersions } = await withProgress(
      ...([terminal, 'operations pruned:', plan.operations] as const),
      ({ update }) => pruneOperations(pool, { ...options, onProgress: update }),
    );
    await terminal.print(`pruned ${operations} operations of ${structureVersions} structure versions`);
  });
}
