import type { EventQueue } from '@takt/events';
import type { Command } from 'commander';
import { UsageError } from '../command-error.js';
import { withContext } from '../context/with-context.js';
import type { JobPlace } from '../queues/read-job.js';
import { changeRejected, discardRejected, retryRejected } from '../rejected/change-rejected.js';
import { listFailedPlaces } from '../rejected/list-failed-places.js';
import { printRejectedEvent, printRejectedList } from '../rejected/print-rejected.js';
import { parseRejectedId } from '../rejected/rejected-id.js';
import type { Terminal } from '../terminal.js';

interface JsonOption {
  readonly json?: boolean;
}

const ID_HELP = 'as takt rejected list prints it';

export function addCommand(program: Command, terminal: Terminal): void {
  const rejected = program.command('rejected').description('the events that were rejected, and why');
  rejected
    .command('list')
    .description('list the rejected events of each queue, the oldest first')
    .option('--json', 'print JSON')
    .action(({ json }: JsonOption) =>
      withQueues(terminal, (queues) => printRejectedList(queues, json === true, terminal)),
    );
  rejected
    .command('show')
    .description('show a rejected event and the whole reason')
    .argument('<id>', ID_HELP)
    .option('--json', 'print JSON')
    .action((id: string, { json }: JsonOption) =>
      withQueues(terminal, (queues) =>
        printRejectedEvent(parseRejectedId(id, queues), json === true, terminal),
      ),
    );
  rejected
    .command('retry')
    .description('put rejected events back into their queues; prints: retried N')
    .argument('[id...]', ID_HELP)
    .option('--all', 'all that are rejected now')
    .action((ids: readonly string[], { all }: { readonly all?: boolean }) =>
      retry(ids, all === true, terminal),
    );
  rejected
    .command('discard')
    .description('remove rejected events for good; prints: discarded N')
    .argument('<id...>', ID_HELP)
    .action((ids: readonly string[]) => discard(ids, terminal));
}

async function retry(ids: readonly string[], all: boolean, terminal: Terminal): Promise<void> {
  if (all === ids.length > 0) throw new UsageError('name the events to retry, or all with --all');
  await withQueues(terminal, async (queues) => {
    // All are listed before any is retried: one that is rejected again at once is not retried for ever.
    const places = all ? await listAll(queues) : ids.map((id) => parseRejectedId(id, queues));
    await terminal.print(`retried ${await changeRejected(places, retryRejected, terminal)}`);
  });
}

async function discard(ids: readonly string[], terminal: Terminal): Promise<void> {
  await withQueues(terminal, async (queues) => {
    const places = ids.map((id) => parseRejectedId(id, queues));
    await terminal.print(`discarded ${await changeRejected(places, discardRejected, terminal)}`);
  });
}

async function listAll(queues: readonly EventQueue[]): Promise<readonly JobPlace[]> {
  const places: JobPlace[] = [];
  for (const queue of queues) {
    for await (const page of listFailedPlaces(queue)) places.push(...page);
  }
  return places;
}

function withQueues(
  terminal: Terminal,
  work: (queues: readonly EventQueue[]) => Promise<void>,
): Promise<void> {
  return withContext(terminal, async (context) => work((await context.openQueues()).all));
}
