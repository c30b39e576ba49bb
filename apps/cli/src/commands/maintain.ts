import { listNodeUrls } from '@takt/database';
import {
  MaintenanceError,
  type MaintenanceReport,
  type MaintenanceStep,
  maintainDatabase,
  type OldTransaction,
} from '@takt/database/upkeep';
import type { Command } from 'commander';
import { type Context, withAdvice, withContext } from '../context.js';
import { CommandError, describeError } from '../errors.js';
import { withProgress } from '../progress.js';
import { type Column, formatTable } from '../table.js';
import type { Terminal } from '../terminal.js';

const HELP = `
Vacuums tables with many dead rows, rebuilds indexes that take twice the room they need, and removes what an interrupted
run left behind, in the database, on each node of a cluster, and in queues in PostgreSQL. Readers and writers do not wait
for it. Sizes are in MB.
If another transaction stands in the way, that work is left for the next run, and the exit code is 1.`;

const COLUMNS: readonly Column<MaintenanceStep>[] = [
  { title: 'DONE', value: ({ action, problem }) => (problem === null ? action : `not ${action}`) },
  { title: 'BEFORE', value: ({ bytesBefore }) => megabytes(bytesBefore), isNumber: true },
  { title: 'AFTER', value: ({ bytesAfter }) => megabytes(bytesAfter), isNumber: true },
  { title: 'NAME', value: ({ name }) => name },
];

export function addCommand(command: Command, terminal: Terminal): void {
  command
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(({ json }: { readonly json?: boolean }) => maintain(json === true, terminal));
}

async function maintain(asJson: boolean, terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    const steps: MaintenanceStep[] = [];
    const oldTransactions: OldTransaction[] = [];
    const maintainAt = (url: string) =>
      withProgress(terminal, 'steps:', undefined, ({ update }) => {
        let begun = 0;
        const maintained = maintainDatabase({ url, onStep: () => update(++begun) });
        return withAdvice('database', maintained.catch(toCommandError));
      });
    for (const url of await findDatabases(context)) {
      const report = await maintainAt(url);
      steps.push(...report.steps);
      oldTransactions.push(...report.oldTransactions);
    }
    for (const url of await listNodeUrls((await context.openDatabase()).pool, await context.databaseUrl())) {
      const { host } = new URL(url);
      try {
        const report = await maintainAt(url);
        steps.push(...report.steps.map((step) => ({ ...step, name: `${host} ${step.name}` })));
        oldTransactions.push(...report.oldTransactions);
      } catch (error) {
        terminal.fail();
        terminal.say(`takt: ${host}: ${describeError(error)}`);
      }
    }
    const lines = asJson
      ? [JSON.stringify({ steps, oldTransactions })]
      : formatTable(COLUMNS, steps, { width: terminal.columns, withTitles: steps.length > 0 });
    for (const line of lines) await terminal.print(line);
    sayWhatIsLeft({ steps, oldTransactions }, terminal);
  });
}

function sayWhatIsLeft({ steps, oldTransactions }: MaintenanceReport, terminal: Terminal): void {
  if (steps.length === 0) terminal.say('takt: there was nothing to do');
  for (const { name, problem } of steps) {
    if (problem === null) continue;
    terminal.fail();
    terminal.say(`takt: ${name}: ${problem}`);
  }
  for (const { pid, applicationName, seconds } of oldTransactions) {
    terminal.say(
      `takt: a transaction of ${applicationName || 'a program without a name'} (process ${pid}) has been open for ` +
        `${seconds} s: rows that changed since cannot be removed before it ends`,
    );
  }
}

/** Finds the database of the figures and, if the queues are in another database, that database too. */
async function findDatabases(context: Context): Promise<readonly string[]> {
  const [url, queueUrl] = [await context.databaseUrl(), await context.queueUrl()];
  const isElsewhere = /^postgres(ql)?:/i.test(queueUrl) && !(await context.hasQueuesInDatabase());
  return isElsewhere ? [url, queueUrl] : [url];
}

function toCommandError(error: unknown): never {
  if (error instanceof MaintenanceError) throw new CommandError(error.message);
  throw error;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
