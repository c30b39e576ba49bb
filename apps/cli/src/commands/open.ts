import { resolve } from 'node:path';
import { createOpeningCode, listUsers } from '@takt/access/administration';
import { resolveSettings } from '@takt/run/settings';
import type { Command } from 'commander';
import { type Context, withContext } from '../context.js';
import { CommandError } from '../errors.js';
import { openInBrowser } from '../open-in-browser.js';
import { type Addresses, makeOpening } from '../panel.js';
import { identifier } from '../parse-option.js';
import { findRunning, withRunning } from '../running-takt.js';
import type { Terminal } from '../terminal.js';

const HELP = `
The address has a code that works once, within 10 minutes. It opens the page as the owner: the first person who sees
everything of all companies, also of those that were registered since. If nobody is registered yet, it opens a page that
registers you and your company. If no browser can be opened, the command prints the address. It needs the TAKT_HOME and
DATABASE_URL with which Takt was started, or for apps that run elsewhere the DATABASE_URL of the owner, the BASE_URL of the
API and the DASHBOARD_URL.`;

export function addCommand(command: Command, terminal: Terminal): void {
  command
    .option('--user <pid>', 'open the page as this person, as takt user list prints it', identifier)
    .addHelpText('after', HELP)
    .action(async ({ user }: { readonly user?: number }) => {
      if (user !== undefined) return openAs(user, terminal);
      const { home, databaseUrl, baseUrl, dashboardUrl } = resolveSettings(terminal.environment);
      const openOwner = async (context: Context, addresses: Addresses) =>
        open((await makeOpening(await context.openDatabase(), addresses)).url, terminal);
      if (databaseUrl !== undefined && (await findRunning(resolve(home))) === undefined) {
        return withContext(terminal, (context) => openOwner(context, { pagesUrl: baseUrl, dashboardUrl }));
      }
      return withRunning(terminal, ({ running, context }) => openOwner(context, running));
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
