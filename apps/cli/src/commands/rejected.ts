import { RESOLVED_DAYS } from '@takt/database/rejected-events';
import { eventFieldPaths } from '@takt/events/internal';
import { type Command, Option } from 'commander';
import { integerFrom } from '../parse-option.js';
import { type CorrectFlags, correct } from '../rejected/correct.js';
import { printReasons, printRejectedEvent, printRejectedList } from '../rejected/list.js';
import { listResolved, type ResolvedFlags, undo } from '../rejected/resolved.js';
import { discard, type RetryFlags, retry } from '../rejected/retry.js';
import { assertIds, withRejected } from '../rejected/with-rejected.js';
import type { Terminal } from '../terminal.js';

const MAX_RESOLVED = 10_000;
const DEFAULT_RESOLVED = 50;
const readId = integerFrom(1);
const resolvedIds = (text: string, before: readonly number[] = []): readonly number[] => [
  ...before,
  readId(text),
];
const ID_HELP = 'as takt rejected list prints it';
const HELP = `
Rejected events stay in their queues. The worker moves the oldest beyond REJECTED_MAX_COUNT or REJECTED_MAX_AGE to the
table takt.rejected_events. These commands show both as one list.`;
const LIST_HELP = `
--by-reason groups events whose reasons differ only in values. EXAMPLE is the id of the newest event of a group, for
takt rejected show.`;
const RETRY_HELP = `
--data FILE (- for standard input) holds the event that replaces the rejected one. It is checked before anything is
changed.`;

interface ListFlags {
  readonly byReason?: boolean;
  readonly json?: boolean;
}

export function addCommand(rejected: Command, terminal: Terminal): void {
  rejected.addHelpText('after', HELP);
  rejected
    .command('list')
    .description('list the rejected events, the oldest first')
    .option('--by-reason', 'count the events by reason')
    .option('--json', 'print JSON')
    .addHelpText('after', LIST_HELP)
    .action((flags: ListFlags) => list(flags, terminal));
  rejected
    .command('show')
    .description('show a rejected event and its whole reason')
    .argument('<id>', ID_HELP)
    .option('--json', 'print JSON')
    .action((id: string, { json }: { readonly json?: boolean }) => show(id, json === true, terminal));
  rejected
    .command('retry')
    .description('put rejected events back into their queues; prints: retried N')
    .argument('[id...]', ID_HELP)
    .option('--all', 'all events that are rejected now')
    .option('--data <file>', 'the corrected event, for one id')
    .addHelpText('after', RETRY_HELP)
    .action((ids: readonly string[], flags: RetryFlags) => retry(ids, flags, terminal));
  rejected
    .command('correct')
    .description(
      'give one field of many rejected events another value and put them into their queues; prints: corrected N',
    )
    .addOption(
      new Option('--field <path>', 'as in data.database').choices(eventFieldPaths).makeOptionMandatory(),
    )
    .requiredOption('--value <value>', 'text, a number, true, false or null, whichever the field takes')
    .option('--reason <text>', 'only events whose reason holds this text')
    .option('--check', 'only say how many would be valid, and which rules the others would break')
    .action((flags: CorrectFlags) => correct(flags, terminal));
  rejected
    .command('discard')
    .description(
      `discard rejected events, which undo can bring back within ${RESOLVED_DAYS} days; prints: discarded N`,
    )
    .argument('<id...>', ID_HELP)
    .action((ids: readonly string[]) => discard(ids, terminal));
  addWayBack(rejected, terminal);
}

/** Adds the commands that list discards and corrections and that undo them. */
function addWayBack(rejected: Command, terminal: Terminal): void {
  rejected
    .command('resolved')
    .description(`list what was discarded or corrected in the last ${RESOLVED_DAYS} days, the newest first`)
    .option('--top <n>', 'how many', integerFrom(1, MAX_RESOLVED), DEFAULT_RESOLVED)
    .option('--before <id>', 'those before the one with this id', integerFrom(1))
    .option('--run <run>', 'those that were changed together')
    .option('--json', 'print JSON')
    .action((flags: ResolvedFlags) => listResolved(flags, terminal));
  rejected
    .command('undo')
    .description(
      'undo a discard, or a correction that no worker has taken: the events are rejected again; prints: restored N',
    )
    .argument('[id...]', 'as takt rejected resolved prints it', resolvedIds)
    .option('--run <run>', 'all that were changed together, as takt rejected resolved prints it')
    .action((ids: readonly number[], { run }: { readonly run?: string }) => undo(ids, run, terminal));
}

async function list({ byReason, json }: ListFlags, terminal: Terminal): Promise<void> {
  await withRejected(terminal, async (events) => {
    const print = byReason === true ? printReasons : printRejectedList;
    const found = await print(events, json === true, terminal);
    const next = 'takt rejected list --by-reason counts them by reason';
    if (found === 0 || byReason !== true) {
      terminal.say(found === 0 ? 'takt: nothing is rejected' : `takt: ${found} rejected, ${next}`);
    }
  });
}

async function show(id: string, asJson: boolean, terminal: Terminal): Promise<void> {
  assertIds([id]);
  await withRejected(terminal, async (events) => {
    for (const event of await events.find(id)) await printRejectedEvent(event, asJson, terminal);
  });
}
