import type { Command } from 'commander';
import { describePanel, readPanelFacts } from '../panel.js';
import { withRunning } from '../running-takt.js';
import type { Terminal } from '../terminal.js';

const HELP = `
It needs the TAKT_HOME and DATABASE_URL with which Takt was started. The address of the planner's page has a new code each
time.`;

export function addCommand(command: Command, terminal: Terminal): void {
  command.addHelpText('after', HELP).action(() =>
    withRunning(terminal, async ({ running, home, context }) => {
      const chosenHome = terminal.environment['TAKT_HOME'];
      const facts = await readPanelFacts(await context.openDatabase(), running, { home, chosenHome });
      for (const line of describePanel(facts, 'Ctrl-C where it was started stops it.', terminal.columns)) {
        await terminal.print(line);
      }
    }),
  );
}
