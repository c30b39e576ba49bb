import { type AuditEntry, describeDetails, listAuditEntries } from '@takt/access/administration';
import type { Command } from 'commander';
import { withContext } from '../context.js';
import { integerFrom } from '../parse-option.js';
import { printList } from '../print-list.js';
import type { Column } from '../table.js';
import type { Terminal } from '../terminal.js';

const HELP = `
The log has changes of people, clients, companies and tokens, wherever they were made, and changes of queues and rejected
events made by hand. It contains no password, secret or token. Nothing deletes entries.`;

interface Flags {
  readonly top: number;
  readonly before?: number;
  readonly search?: string;
  readonly json?: boolean;
}

const MAX_ENTRIES = 10_000;
const DEFAULT_ENTRIES = 50;

export function addCommand(command: Command, terminal: Terminal): void {
  command
    .option(
      '--top <n>',
      'maximum number of entries, newest first',
      integerFrom(1, MAX_ENTRIES),
      DEFAULT_ENTRIES,
    )
    .option('--before <id>', 'only entries before the one with this id', integerFrom(1))
    .option('--search <text>', 'only entries with this text, in any case')
    .option('--json', 'print JSON')
    .addHelpText('after', HELP)
    .action((flags: Flags) => list(flags, terminal));
}

const COLUMNS: readonly Column<AuditEntry>[] = [
  { title: 'ID', value: ({ entryId }) => String(entryId), isNumber: true },
  { title: 'AT', value: ({ notedAt }) => notedAt.toISOString() },
  { title: 'BY', value: ({ actor }) => actor },
  { title: 'ACTION', value: ({ action }) => action },
  { title: 'SUBJECT', value: ({ subject }) => subject },
  { title: 'DETAILS', value: ({ details }) => describeDetails(details) },
];

async function list({ top, before, search, json }: Flags, terminal: Terminal): Promise<void> {
  await withContext(terminal, async (context) => {
    const { pool } = await context.openDatabase();
    const entries = await listAuditEntries(pool, {
      limit: top,
      ...(before !== undefined && { beforeId: before }),
      ...(search !== undefined && { text: search }),
    });
    const whenEmpty = 'takt: the audit log has no such entry';
    await printList(entries, { columns: COLUMNS, asJson: json === true, whenEmpty }, terminal);
  });
}
