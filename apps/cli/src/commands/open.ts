import { createOpeningCode, listUsers } from '@takt/access/administration';
import { resolveSettings } from '@takt/run/settings';
import type { Command } from 'commander';
import { withContext } from '../context.js';
import { CommandError } from '../errors.js';
import { openInBrowser } from '../open-in-browser.js';
import { openingUrl } from '../panel.js';
import { identifier } from '../parse-option.js';
import { withRunning } from '../running-takt.js';
import type { Terminal } from '../terminal.js';

const HELP = `
The address has a code that opens the page as the demo's planner, once and within 10 minutes. Without a demo, you sign in
there. If no browser can be opened, the command prints the address. It needs the TAKT_HOME and DATABASE_URL with which
Takt was started. With --user, it needs only the DATABASE_URL of the owner, and the BASE_URL of the API.`;

export function addCommand(command: Command, terminal: Terminal): void {
  command
    .option('--user <pid>', 'open the page as this person, as takt user list prints it', identifier)
    .addHelpText('after', HELP)
    .action(async ({ user }: { readonly user?: number }) => {
      if (user !== undefined) return openAs(user, terminal);
      return withRunning(terminal, async ({ running, home, context }) =>
        open(await openingUrl(await context.openDatabase(), running, home), terminal),
      );
    });
}

/** Opens the page as a person, wherever the API runs. */
function openAs(pid: number, terminal: Terminal): Promise<void> {
  return withContext(terminal, async (context) => {
    const database = await context.openDatabase();
    const person = (await listUsers(database)).find((one) => one.pid === pid);
    if (person === undefined) {
      throw new CommandError(`no person has the PID ${pid}: takt user list prints all`);
    }
    if (person.disabledAt !== null) {
      throw new CommandError(`person ${pid} is disabled: takt user enable ${pid}`);
    }
    const { baseUrl } = resolveSettings(terminal.environment);
    await open(`${baseUrl}/open?code=${await createOpeningCode(database, pid)}`, terminal);
  });
}

async function open(url: string, terminal: Terminal): Promise<void> {
  if (await openInBrowser(url, terminal.environment)) {
    terminal.say('takt: the page opens in the browser');
  } else await terminal.print(url);
}
