import type { Command } from 'commander';
import { openInBrowser } from '../open-in-browser.js';
import { openingUrl } from '../panel.js';
import { withRunning } from '../running-takt.js';
import type { Terminal } from '../terminal.js';

const HELP = `
The address has a code that opens the page as the demo's planner, once and within 10 minutes. Without a demo, you sign in
there. If no browser can be opened, the command prints the address. It needs the TAKT_HOME and DATABASE_URL with which
Takt was started.`;

export function addCommand(command: Command, terminal: Terminal): void {
  command.addHelpText('after', HELP).action(() =>
    withRunning(terminal, async ({ running, home, context }) => {
      const url = await openingUrl(await context.openDatabase(), running, home);
      if (await openInBrowser(url, terminal.environment)) {
        terminal.say("takt: the planner's page opens in the browser");
      } else await terminal.print(url);
    }),
  );
}
