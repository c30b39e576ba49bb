import type { Command } from 'commander';
import { withContext } from '../context.js';
import type { Terminal } from '../terminal.js';

export function addCommand(program: Command, terminal: Terminal): void {
  program
    .command('migrate')
    .description('bring the database up to date; safe when several start at once')
    .action(() => migrate(terminal));
}

async function migrate(terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    const { applied, version } = await context.migrate();
    for (const name of applied) await terminal.print(`applied ${name}`);
    await terminal.print(`schema version ${version}${applied.length === 0 ? ', nothing to do' : ''}`);
  });
}
