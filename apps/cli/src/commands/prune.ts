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
Every figure stays the same, to the last digit. Pruned operations can no longer be corrected or reopened: such events are
rejected. Reopened operations stay until they are completed. Workers may run meanwhile. If it is interrupted, run it again
to continue. Only restoring a backup can undo it.
Prints: pruned N operations of N structure versions.`;

export function addCommand(command: Command, terminal: Terminal): void {
  command
    .requiredOption('--database <code>', 'the company')
    .requiredOption(
      '--before <day>',
      'completed before this day (UTC, by completedAt), at least 90 days ago',
      calendarDay,
    )
    .option('--dry-run', 'only print what would be pruned')
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
