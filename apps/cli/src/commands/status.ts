import type { Command } from 'commander';
import { withContext } from '../context/with-context.js';
import { describeError } from '../output/describe-error.js';
import { type Column, formatTable } from '../output/table.js';
import { type DatabaseStatus, readDatabaseStatus } from '../status/read-database-status.js';
import { type QueueStatus, readQueueStatus } from '../status/read-queue-status.js';
import type { Terminal } from '../terminal.js';

const HELP = `
The queues count jobs, each of which may hold many events; failed ones are the rejected events (takt rejected list).
lag: how long the oldest job has waited. rate: operations written a second, over 2 s. last commit: when figures or
master data changed last, where the server's track_commit_timestamp is on.`;

const COLUMNS: readonly Column<QueueStatus>[] = [
  { title: 'QUEUE', value: ({ queue }) => queue },
  { title: 'WAITING', value: ({ waiting }) => String(waiting), isNumber: true },
  { title: 'ACTIVE', value: ({ active }) => String(active), isNumber: true },
  { title: 'DELAYED', value: ({ delayed }) => String(delayed), isNumber: true },
  { title: 'FAILED', value: ({ failed }) => String(failed), isNumber: true },
  { title: 'WORKERS', value: ({ workers }) => String(workers ?? 'unknown'), isNumber: true },
  {
    title: 'LAG',
    value: ({ lagSeconds }) => (lagSeconds === null ? '-' : `${lagSeconds.toFixed(1)} s`),
    isNumber: true,
  },
];

export function addCommand(program: Command, terminal: Terminal): void {
  program
    .command('status')
    .description('queue depths, rate, lag, last commit, rejected events, connected workers')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action(({ json }: { readonly json?: boolean }) => status(json === true, terminal));
}

async function status(asJson: boolean, terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    // The one that can be reached tells most when the other one cannot.
    const orNone = async <Part>(part: Promise<Part>): Promise<Part | null> => {
      try {
        return await part;
      } catch (error) {
        terminal.say(`takt: ${describeError(error)}`);
        terminal.fail();
        return null;
      }
    };
    const [queues, database] = await Promise.all([
      orNone(context.openQueues().then(({ all }) => Promise.all(all.map(readQueueStatus)))),
      orNone(context.openDatabase().then(readDatabaseStatus)),
    ]);
    const rejected = queues?.reduce((sum, { failed }) => sum + failed, 0) ?? null;
    if (asJson) {
      await terminal.print(JSON.stringify({ queues, database, rejected }));
      return;
    }
    if (queues !== null) {
      for (const line of formatTable(COLUMNS, queues, { width: terminal.columns }))
        await terminal.print(line);
    }
    if (database !== null) for (const line of linesOf(database)) await terminal.print(line);
    if (rejected !== null) await terminal.print(`rejected     ${rejected}`);
  });
}

function linesOf(database: DatabaseStatus): readonly string[] {
  const unknown = database.knowsCommitTimes ? 'none' : "unknown (the server's track_commit_timestamp is off)";
  return [
    `completed    ${database.completedOperations} operations of ${database.structureVersions} structure versions`,
    `rate         ${Math.round(database.operationsPerSecond)} operations/s`,
    `last commit  ${database.lastCommitAt ?? unknown}`,
  ];
}
