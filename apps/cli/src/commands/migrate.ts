import type { MigrationReport } from '@takt/database';
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
    const report = await context.migrate();
    // In a database of the site's own, log-ins are made by takt login create, or by takt start.
    if (context.isEmbedded) await context.keepLogins();
    const { applied, version } = report;
    for (const name of applied) await terminal.print(`applied ${name}`);
    await terminal.print(`schema version ${version}${applied.length === 0 ? ', nothing to do' : ''}`);
    sayWhatIsLeft(report, terminal);
  });
}

/** Tells what the owner of the database could not withdraw from everybody. */
export function sayWhatIsLeft({ leftToSuperuser }: MigrationReport, { say }: Terminal): void {
  if (leftToSuperuser.length === 0) return;
  say('takt: let a superuser of the database run, so that apps can do no more than they need:');
  for (const statement of leftToSuperuser) say(`  ${statement};`);
}
