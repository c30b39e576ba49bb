import { LoginError, type MigrationReport, makeGivenLogins } from '@takt/database';
import type { Command } from 'commander';
import { withContext } from '../context.js';
import { CommandError, describeError } from '../errors.js';
import type { Terminal } from '../terminal.js';

export function addCommand(command: Command, terminal: Terminal): void {
  command
    .option(
      '--logins <folder>',
      'create log-ins with the passwords in the files api, worker, dashboard and intake of a folder',
    )
    .addHelpText('after', LOGINS_HELP)
    .action(({ logins }: { readonly logins?: string }) => migrate(logins, terminal));
}

const LOGINS_HELP = `
--logins is for containers, whose secrets are files. Each app with a file there gets the log-in takt_APP_login, whose
password may change from run to run. Set DATABASE_URL of the app to postgres://takt_APP_login@HOST/DATABASE, and
DATABASE_PASSWORD_FILE to the file.`;

async function migrate(logins: string | undefined, terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    const report = await context.migrate();
    // The log-ins of an external database are created by takt login create or takt start instead.
    if (context.isEmbedded) await context.keepLogins();
    const { applied, version } = report;
    for (const name of applied) await terminal.print(`applied ${name}`);
    await terminal.print(`schema version ${version}${applied.length === 0 ? ', nothing to do' : ''}`);
    sayWhatIsLeft(report, terminal);
    if (logins === undefined) return;
    const names = await makeGivenLogins(logins, await context.databaseUrl()).catch((error: unknown) => {
      if (error instanceof LoginError) throw new CommandError(error.message, { cause: error.cause });
      throw error;
    });
    for (const name of names) await terminal.print(`log-in ${name}`);
  });
}

/** Prints what could not be done: the nodes that are away, and the rights of PUBLIC that the owner could not revoke. */
export function sayWhatIsLeft({ leftToSuperuser, leftToNodes }: MigrationReport, { say }: Terminal): void {
  if (leftToNodes !== undefined) {
    say(`takt: ${describeError(new Error(leftToNodes))}: its rights were not checked`);
  }
  if (leftToSuperuser.length === 0) return;
  say(
    'takt: ask a superuser of the database to run these statements, which revoke rights that no app needs:',
  );
  for (const statement of leftToSuperuser) say(`  ${statement};`);
}
