import { access, readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Publisher } from '@takt/events';
import {
  countUnapplied,
  type FaultyLayout,
  type FaultyRow,
  formatMapping,
  ImportError,
  type Mapping,
  openFaultyWriter,
  openTableFile,
  type PreparedImport,
  parseMapping,
  prepareImport,
  proposeMapping,
  publishOrUndo,
  type TableFile,
  tabulate,
  waitUntilApplied,
} from '@takt/import';
import type pg from 'pg';
import { CommandError } from '../errors.js';
import { withProgress } from '../progress.js';
import type { QueuesToAsk } from '../queues.js';
import { formatTable } from '../table.js';
import type { Terminal } from '../terminal.js';
import { userName } from '../user-name.js';

export interface ImportCommandOptions {
  readonly company?: string;
  readonly map?: string;
  readonly propose?: boolean;
  readonly dryRun?: boolean;
  readonly skipInvalid?: boolean;
  readonly yes?: boolean;
  readonly watch?: string;
}

export interface ImportTools {
  readonly pool: pg.Pool;
  readonly publisher: Publisher;
  readonly queues: QueuesToAsk;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** The file that holds the mapping of a file, unless --map names another. */
const mapBeside = (path: string) => `${path}.map.yaml`;
const MAX_FAULTS_SHOWN = 10;

/** Imports one file. Returns false if nothing was imported, although there was something to import. */
export async function importFile(
  path: string,
  options: ImportCommandOptions,
  tools: ImportTools,
): Promise<boolean> {
  const { pool, terminal, signal } = tools;
  const mapping = await readMapping(path, options.map);
  // An import would not know what events that wait in a queue are about to change.
  if (!(await untilApplied(tools)) && !signal.aborted) {
    throw new CommandError(
      'events wait in a queue, and no worker is connected: start one first (takt start)',
    );
  }
  const file = await openTableFile(path, mapping);
  try {
    const faulty = faultyRows(path, file);
    const prepared = await withProgress(terminal, `${basename(path)}:`, file.bytes, ({ update }) =>
      prepareImport(pool, file, {
        companyCode: options.company ?? '',
        mapping,
        importedBy: `${userName()} at the command line`,
        signal,
        skipsFaulty: options.skipInvalid === true,
        ignoresDoubts: options.yes === true,
        dryRun: options.dryRun === true,
        onProgress: update,
        onFaulty: faulty.take,
      }),
    ).finally(faulty.close);
    showPreview(file, mapping, prepared, terminal);
    for (const line of faulty.shown()) terminal.say(`takt: ${line}`);
    if (prepared.faulty > 0) terminal.say(`takt: the faulty rows are in ${faulty.path}`);
    if (prepared.number !== undefined) await publish(prepared.number, prepared, tools);
    await terminal.print(summaryOf(prepared, options));
    const isClean = (prepared.faulty === 0 || options.skipInvalid === true) && prepared.unnamed === 0;
    const isNothing = prepared.new + prepared.changed === 0 && isClean;
    return prepared.number !== undefined || isNothing || options.dryRun === true;
  } finally {
    await file.close();
  }
}

async function readMapping(path: string, given: string | undefined): Promise<Mapping> {
  const from = given ?? mapBeside(path);
  const text = await readFile(from, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || given !== undefined) throw error;
    throw new CommandError(
      `${from} does not exist: takt import ${path} --propose writes it, or --map names another`,
    );
  });
  try {
    return parseMapping(text);
  } catch (error) {
    throw error instanceof ImportError ? new CommandError(`${from}: ${error.message}`) : error;
  }
}

function faultyRows(path: string, file: TableFile) {
  const faultyPath = `${path.replace(/\.\w+$/, '')}.faulty.csv`;
  const shown: string[] = [];
  let writer: ReturnType<typeof openFaultyWriter> | undefined;
  return {
    path: faultyPath,
    shown: () => shown,
    take: async (rows: readonly FaultyRow[], layout: FaultyLayout) => {
      for (const { line, column, rule, value } of rows.slice(0, MAX_FAULTS_SHOWN - shown.length)) {
        shown.push(
          `line ${line}: ${column} ${rule} (got ${JSON.stringify(value)})`.replaceAll(/ {2,}/g, ' '),
        );
      }
      writer ??= openFaultyWriter(file, faultyPath, layout);
      await writer.write(rows);
    },
    close: async () => await writer?.close(),
  };
}

/** Says how the file was understood, and shows its first rows as Takt reads them. */
function showPreview(file: TableFile, { what }: Mapping, preview: PreparedImport, terminal: Terminal): void {
  const { decimal, formats, zone, unusedColumns } = preview.understanding;
  const parts = [
    file.sheet === undefined
      ? `${file.encoding}, cells divided by ${JSON.stringify(file.delimiter)}`
      : `sheet ${file.sheet.name}`,
    preview.headingLine === 0 ? 'no headings' : `headings in line ${preview.headingLine}`,
    ...(decimal === undefined || file.sheet !== undefined ? [] : [`decimal sign ${decimal}`]),
    ...Object.entries(formats).map(([column, format]) => `${column} is ${format}`),
    ...(Object.keys(formats).length > 0 ? [`local times in ${zone} unless the mapping says otherwise`] : []),
  ];
  terminal.say(`takt: ${file.name}: ${preview.rows} rows of ${what}; ${parts.join('; ')}`);
  if (unusedColumns.length > 0) terminal.say(`takt: columns that are not used: ${unusedColumns.join(', ')}`);
  const notes = [
    [
      preview.unnamed,
      'rows have no name and may belong to any operation: correct them, or leave them out by where',
    ],
    [preview.leftOut, 'rows are left out by where'],
    [preview.open, 'operations have begun and not ended, and are left out'],
    [preview.pruned, 'operations were pruned, and stay as they are'],
    [preview.doubled, 'rows lie in the hour that occurs twice in autumn, and are read as the first'],
  ] as const;
  for (const [count, note] of notes) if (count > 0) terminal.say(`takt: ${count} ${note}`);
  const { titles, rows } = tabulate(preview.first);
  const columns = titles.map((title, place) => ({
    title,
    value: (row: readonly string[]) => row[place] ?? '',
  }));
  if (rows.length > 0) for (const line of formatTable(columns, rows)) terminal.say(`  ${line}`);
  for (const doubt of preview.doubts) terminal.say(`takt: doubtful: ${doubt}`);
}

function summaryOf(prepared: PreparedImport, { dryRun, skipInvalid }: ImportCommandOptions): string {
  const counts = `${prepared.new} new, ${prepared.changed} changed, ${prepared.unchanged} unchanged, ${prepared.faulty} faulty`;
  if (prepared.number !== undefined) return `import ${prepared.number}: ${counts}`;
  if (dryRun === true) return `would import: ${counts}`;
  if (prepared.unnamed > 0) return `nothing imported: ${counts}`;
  if (prepared.faulty > 0 && skipInvalid !== true) {
    return `nothing imported: ${counts}; --skip-invalid imports the others`;
  }
  if (prepared.doubts.length > 0 && prepared.new + prepared.changed > 0) {
    return `nothing imported: ${counts}; --yes imports in spite of doubts`;
  }
  return `nothing to import: ${counts}`;
}

async function publish(
  number: number,
  { new: added, changed }: PreparedImport,
  tools: ImportTools,
): Promise<void> {
  const { pool, publisher, terminal, signal } = tools;
  await withProgress(terminal, 'published:', added + changed, ({ update }) =>
    publishOrUndo(pool, publisher, number, { by: userName(), onProgress: update, signal }),
  );
  if (!(await untilApplied(tools))) return;
  const unapplied = await countUnapplied(pool, number);
  if (unapplied === 0) return;
  terminal.fail();
  terminal.say(`takt: ${unapplied} events were not applied: takt rejected list --by-reason says why`);
}

/** Waits until the workers have applied what was published. Returns false if no worker is connected, or on a signal. */
export async function untilApplied({
  queues,
  terminal,
  signal,
}: Pick<ImportTools, 'queues' | 'terminal' | 'signal'>): Promise<boolean> {
  const applied = await withProgress(terminal, 'jobs left:', undefined, ({ update }) =>
    waitUntilApplied(queues, { onProgress: update, signal }),
  );
  if (applied === 'no-worker') {
    terminal.say('takt: no worker is connected: the figures change as soon as one runs (takt start)');
  }
  return applied === 'applied';
}

/** Writes a mapping for a file beside it, for a person to check. */
export async function proposeFor(
  path: string,
  { map }: ImportCommandOptions,
  terminal: Terminal,
): Promise<void> {
  const target = map ?? mapBeside(path);
  if (
    await access(target).then(
      () => true,
      () => false,
    )
  ) {
    throw new CommandError(`${target} exists already: remove it first, or name another by --map`);
  }
  const file = await openTableFile(path);
  try {
    const { mapping, missing, layout } = await proposeMapping(file);
    const unused = layout.headings.filter(
      (heading) => heading !== '' && !JSON.stringify(mapping.columns).includes(heading),
    );
    const notes = [
      `How takt import reads ${file.name}. Check the columns and units, then try: takt import FILE --company CODE --dry-run`,
      ...(missing.length > 0 ? [`No heading was found for ${missing.join(', ')}: add them below.`] : []),
      ...(unused.length > 0 ? [`Columns that are not used: ${unused.join(', ')}`] : []),
    ];
    await writeFile(
      target,
      `${notes.map((note) => `# ${note.replaceAll(/\s+/g, ' ')}\n`).join('')}${formatMapping(mapping)}`,
      { flag: 'wx' },
    );
    for (const note of notes.slice(1)) terminal.say(`takt: ${note}`);
    await terminal.print(`wrote ${target}`);
  } finally {
    await file.close();
  }
}
