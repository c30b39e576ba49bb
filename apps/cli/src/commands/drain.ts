import { countRejections } from '@takt/rejections/list';
import type { Command } from 'commander';
import { withContext } from '../context.js';
import { CommandError } from '../errors.js';
import { positiveNumber } from '../parse-option.js';
import { startProgress } from '../progress.js';
import type { Terminal } from '../terminal.js';
import { type DrainReport, findQueuesWithoutWorker, waitUntilDrained } from '../wait-until-drained.js';

const DEFAULT_TIMEOUT_S = 300;
const HELP = `
A queue is empty and idle if no job waits, is delayed or is active, twice in a row. completed: jobs done since the command
started, including jobs added later, without jobs whose only event was rejected; a job may hold many events. failed: events
rejected since the command started. If nothing was left when it started, both count the minute before too.`;

export function addCommand(command: Command, terminal: Terminal): void {
  command
    .option('--timeout <s>', 'seconds to wait; then the exit code is 1', positiveNumber, DEFAULT_TIMEOUT_S)
    .addHelpText('after', HELP)
    .action((options: { readonly timeout: number }) => drain(options.timeout, terminal));
}

async function drain(timeoutSeconds: number, terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    const queues = await context.askQueues();
    const { pool } = await context.openDatabase();
    const progress = startProgress(terminal, 'jobs left:');
    const report = await waitUntilDrained(queues, {
      timeoutMs: timeoutSeconds * 1_000,
      onProgress: progress.update,
      countRejected: (ms) => countRejections(pool, { filter: { lastMs: ms } }),
      onNoWorker: (queue) => progress.say(`takt: no worker is connected to ${queue} yet, still waiting`),
    }).finally(progress.stop);
    if (report.isDrained) {
      await terminal.print(`completed ${report.completed} failed ${report.failed}`);
      for (const line of describeNextSteps(report)) terminal.say(line);
      return;
    }
    const without = await findQueuesWithoutWorker(queues);
    const hint =
      without.length === 0
        ? ': takt status shows what holds them up'
        : `: no worker is connected to ${without.join(' and ')}, takt start runs one`;
    throw new CommandError(`after ${timeoutSeconds} s there are still ${report.jobsLeft} jobs${hint}`);
  });
}

function describeNextSteps({ failed }: DrainReport): readonly string[] {
  if (failed > 0) return ['takt: takt rejected list --by-reason says why events were rejected'];
  return [
    'takt: both queues are empty: takt audit checks the figures, takt unlisted list shows what waits for master data',
  ];
}
