import { setFlagsFromString } from 'node:v8';
import type { Import } from '@takt/import';
import { type Command, Option } from 'commander';
import { type Context, withContext } from '../context.js';
import { CommandError, describeError, UsageError } from '../errors.js';
import type { ImportCommandOptions, ImportTools } from '../import/import-file.js';
import { integerFrom } from '../parse-option.js';
import { printList } from '../print-list.js';
import { withProgress } from '../progress.js';
import type { Column } from '../table.js';
import type { Terminal } from '../terminal.js';
import { userName } from '../user-name.js';

const HELP = `
Takes CSV, TSV or XLSX of completed operations or of plans, as an ERP exports them. A mapping says which column is what:
--propose writes FILE.map.yaml from the headings. --dry-run shows what would happen. Importing the same or a newer export
again changes only what differs. Faulty rows are written to FILE.faulty.csv. If there are faulty rows or doubts, nothing is
imported, unless --skip-invalid or --yes is given. docs/import.md says more.
Prints: import N: ... new, ... changed, ... unchanged, ... faulty.`;

export function addCommand(command: Command, terminal: Terminal): void {
  command
    .argument('[file...]', 'files to import')
    .option('--company <code>', 'the company')
    .option('--map <file>', 'the mapping (default: FILE.map.yaml)')
    .option('--propose', 'write a mapping from the headings, and import nothing')
    .option('--dry-run', 'show what would happen, and import nothing')
    .option('--skip-invalid', 'import the valid rows of files that have faulty ones')
    .option('--yes', 'import in spite of doubts')
    .addOption(
      new Option('--watch <folder>', 'import each new file of a folder once, and move it').conflicts(
        'propose',
      ),
    )
    .addHelpText('after', HELP)
    .action((files: readonly string[], options: ImportCommandOptions) => run(files, options, terminal));
  command
    .command('list')
    .description('list imports, newest first')
    .option('--json', 'print JSON')
    .action((options: { readonly json?: boolean }) => list(options.json === true, terminal));
  command
    .command('undo')
    .description('make the figures as they were before an import; what changed later stays and is named')
    .argument('<number>', 'the number of the import', integerFrom(1, 2 ** 31 - 1))
    .action((number: number) => undo(number, terminal));
}

async function run(
  files: readonly string[],
  options: ImportCommandOptions,
  terminal: Terminal,
): Promise<void> {
  const { importFile, proposeFor } = await import('../import/import-file.js');
  if (options.propose === true) {
    for (const file of files) await explained(proposeFor(file, options, terminal));
    return;
  }
  if (options.company === undefined) throw new UsageError('--company says which company the file is of');
  if (options.watch !== undefined && options.map === undefined) throw new UsageError('--watch needs --map');
  if (options.watch === undefined && files.length === 0) throw new UsageError('no file is given');
  collectGarbageEarly();
  await withContext(terminal, async (context) => {
    const tools = await openTools(context, terminal);
    for (const file of files) {
      if (!(await explained(importFile(file, options, tools)))) terminal.fail();
    }
    if (options.watch !== undefined) await watch(options.watch, options, tools);
  });
}

/**
 * Keeps the heap of a long import small. Few rows are held at a time, but by default V8 lets garbage grow with the memory of
 * the machine: 100,000 rows took 233 MB, with these two flags 120 MB, in the same time.
 */
function collectGarbageEarly(): void {
  for (const flag of ['--heap-growing-percent=20', '--semi-space-growth-factor=1']) setFlagsFromString(flag);
}

async function watch(folder: string, options: ImportCommandOptions, tools: ImportTools): Promise<void> {
  const [{ importFile }, { watchFolder }] = await Promise.all([
    import('../import/import-file.js'),
    import('../import/watch-folder.js'),
  ]);
  tools.terminal.say(`takt: watching ${folder}, until Ctrl-C`);
  await watchFolder(folder, tools.signal, async (path) => {
    try {
      return await importFile(path, options, tools);
    } catch (error) {
      tools.terminal.say(`takt: ${describeError(error)}`);
      return false;
    }
  });
}

async function openTools(context: Context, terminal: Terminal): Promise<ImportTools> {
  const { pool } = await context.openDatabase();
  const [publisher, queues] = [await context.openPublisher(), await context.askQueues()];
  return { pool, publisher, queues, terminal, signal: terminal.stopRequest() };
}

/** Turns errors about files and mappings into messages of the command. */
async function explained<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error: unknown) => {
    const name = error instanceof Error ? error.name : '';
    if (name === 'ImportError') throw new CommandError((error as Error).message);
    if (name === 'AbortError') throw new CommandError('interrupted: nothing was imported');
    throw error;
  });
}

const COLUMNS: readonly Column<Import>[] = [
  { title: 'NUMBER', value: ({ number }) => String(number), isNumber: true },
  { title: 'COMPANY', value: ({ companyCode }) => companyCode },
  { title: 'WHEN', value: ({ startedAt }) => startedAt.toISOString().slice(0, 19).replace('T', ' ') },
  { title: 'STATE', value: stateOf },
  { title: 'NEW', value: (row) => String(row.new), isNumber: true },
  { title: 'CHANGED', value: (row) => String(row.changed), isNumber: true },
  { title: 'UNCHANGED', value: (row) => String(row.unchanged), isNumber: true },
  { title: 'FAULTY', value: (row) => String(row.faulty), isNumber: true },
  { title: 'WHAT', value: ({ what }) => what },
  { title: 'BY', value: ({ importedBy }) => importedBy },
  { title: 'FILE', value: ({ fileName }) => fileName },
];

function stateOf({ publishedAt, undoneAt }: Import): string {
  if (undoneAt !== null) return 'undone';
  return publishedAt === null ? 'unfinished' : 'imported';
}

async function list(asJson: boolean, terminal: Terminal): Promise<void> {
  const { listImports } = await import('@takt/import');
  await withContext(terminal, async (context) => {
    const { pool } = await context.openDatabase();
    const whenEmpty = 'takt: nothing was imported yet: takt import --help says how';
    await printList(await listImports(pool), { columns: COLUMNS, asJson, whenEmpty }, terminal);
  });
}

async function undo(number: number, terminal: Terminal): Promise<void> {
  const [{ freeNaming, undoImport }, { untilApplied }] = await Promise.all([
    import('@takt/import'),
    import('../import/import-file.js'),
  ]);
  await withContext(terminal, async (context) => {
    const tools = await openTools(context, terminal);
    const { restored, later, laterCount } = await explained(
      withProgress(terminal, 'undone:', undefined, ({ update }) =>
        undoImport(tools.pool, tools.publisher, number, { by: userName(), onProgress: update }),
      ),
    );
    if (laterCount > 0) {
      const others = laterCount > later.length ? ` and ${laterCount - later.length} more` : '';
      terminal.say(`takt: changed after the import, so they stay: ${later.join(', ')}${others}`);
    }
    if ((await untilApplied(tools)) && (await freeNaming(tools.pool, number))) {
      terminal.say('takt: the company may name its objects by keys or by numbers again');
    }
    await terminal.print(`undone import ${number}: ${restored} restored, ${laterCount} changed later`);
  });
}
