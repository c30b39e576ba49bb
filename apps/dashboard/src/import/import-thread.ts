import { dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { findAccessToken, noteOperatorEntry } from '@takt/access';
import { openDatabase } from '@takt/database';
import { openPublisher, setMaxAhead } from '@takt/events';
import { openQueueView } from '@takt/events/view';
import {
  countUnapplied,
  type FaultyLayout,
  type FaultyRow,
  findImport,
  findLayout,
  formatMapping,
  freeNaming,
  ImportError,
  type Layout,
  type NoteAudit,
  openFaultyWriter,
  openTableFile,
  parseMapping,
  prepareImport,
  proposeMapping,
  publishOrUndo,
  readMappings,
  type TableFile,
  undoImport,
  waitUntilApplied,
} from '@takt/import';
import { MAY_IMPORT } from '@takt/pages';
import { maySee, missingDuty, openPeople } from '../visit.js';
import {
  type FromThread,
  faultyPathOf,
  type Imported,
  type ImportOrder,
  type ImportResult,
  type Look,
  type Phase,
  type RunProblem,
  type ThreadData,
  type UndoneImport,
} from './import-order.js';
import { SEES_PLANS } from './sees-plans.js';

const MAX_FAULTY_SHOWN = 20;
const FIRST_ROWS = 5;
const MAX_CONNECTIONS = 3;
/** A workbook is unpacked beside its file, in a thread with a heap of this size at most. */
const unpackingOf = (path: string) => ({ folder: dirname(path), maxUnpackingMb: 256 });
const PROGRESS_EVERY_MS = 200;
/** Maximum time of a statement. It is long, because all rows of a file are combined in one. */
const STATEMENT_TIMEOUT_MS = 600_000;

const { order, database, queueUrl, maxAheadMs, token, by, seesPlans } = workerData as ThreadData;
const stop = new AbortController();
const { signal } = stop;
const tell = (message: FromThread) => parentPort?.postMessage(message);
parentPort?.once('message', () => stop.abort());

/** Thrown if a person who may not read plans would import them. */
class HiddenPlansError extends Error {
  override readonly name = 'HiddenPlansError';
}

/** Returns a function that tells about the progress of a phase, a few times a second. */
function progressOf(phase: Phase, total?: number): (done: number) => void {
  let toldAtMs = performance.now();
  tell({ kind: 'progress', phase, done: 0, total });
  return (done) => {
    if (performance.now() - toldAtMs < PROGRESS_EVERY_MS) return;
    toldAtMs = performance.now();
    tell({ kind: 'progress', phase, done, total });
  };
}

/** As progressOf, for a phase that begins with the first call. */
function laterProgressOf(phase: Phase): (done: number) => void {
  let report: ((done: number) => void) | undefined;
  return (done) => {
    report ??= progressOf(phase);
    report(done);
  };
}

setMaxAhead(maxAheadMs);
const opened = openDatabase({
  ...database,
  maxConnections: MAX_CONNECTIONS,
  statementTimeoutMs: STATEMENT_TIMEOUT_MS,
});
const { pool } = opened;

/** Writes the entry of the audit log. */
const noteAlways: NoteAudit = async (session, action, number, details) => {
  await noteOperatorEntry(session, token, { action, subject: `import ${number}`, details });
};

/** Writes the entry of the audit log, if the person still has the rights. */
const noteAudit: NoteAudit = async (session, action, number, details) => {
  const { companyCode, what } = await findImport(session, number);
  const duties = what === 'plans' ? [...MAY_IMPORT, SEES_PLANS] : MAY_IMPORT;
  const person = await openPeople(pool, (text) => findAccessToken(pool, text)).findNow(token);
  if (person === undefined || missingDuty(person, duties) !== undefined || !maySee(person, companyCode)) {
    throw new ImportError('the rights of who started it have ended, so nothing was done');
  }
  await noteAlways(session, action, number, details);
};

async function look({ path, company, what }: ImportOrder & { readonly kind: 'look' }): Promise<Look> {
  progressOf('looking');
  const file = await openTableFile(path, unpackingOf(path));
  try {
    const known = what === undefined ? await findKnown(file, company) : undefined;
    if (known !== undefined) return known;
    const { mapping, missing, layout } = await proposeMapping(file, what);
    return { kind: 'look', mapping: formatMapping(mapping), isKnown: false, missing, ...firstRowsOf(layout) };
  } finally {
    await file.close();
  }
}

const firstRowsOf = ({ headings, sample }: Layout) => ({
  headings,
  rows: sample.slice(0, FIRST_ROWS).map(({ cells }) => cells),
});

/** Finds the newest mapping of the company's imports that fits the headings of a file. */
async function findKnown(file: TableFile, company: string): Promise<Look | undefined> {
  for (const text of await readMappings(pool, company)) {
    try {
      const mapping = parseMapping(text);
      if (mapping.what === 'plans' && !seesPlans) continue;
      const layout = await findLayout(file, mapping);
      return { kind: 'look', mapping: text, isKnown: true, missing: [], ...firstRowsOf(layout) };
    } catch (error) {
      if (!(error instanceof ImportError)) throw error;
    }
  }
  return undefined;
}

async function previewOrImport(
  wanted: ImportOrder & { readonly kind: 'preview' | 'import' },
): Promise<Imported> {
  const { kind, path, company, mapping: text, ...choices } = wanted;
  const mapping = parseMapping(text);
  if (mapping.what === 'plans' && !seesPlans) throw new HiddenPlansError();
  const view = await openQueueView(queueUrl);
  const file = await openTableFile(path, { file: mapping.file, ...unpackingOf(path) });
  const faulty = collectFaulty(file, path);
  try {
    // An import would not know what events that wait in a queue are about to change.
    const before = await waitUntilApplied(view, { onProgress: progressOf('waiting'), signal });
    signal.throwIfAborted();
    if (before !== 'applied') {
      throw new ImportError('events wait in a queue, and no worker is connected: start one first');
    }
    const prepared = await prepareImport(pool, file, {
      companyCode: company,
      mapping,
      importedBy: by,
      dryRun: kind === 'preview',
      ...choices,
      comparesPlans: seesPlans,
      onProgress: progressOf('reading', file.bytes),
      onCompared: laterProgressOf('comparing'),
      onFaulty: faulty.take,
      noteAudit,
      signal,
    }).finally(faulty.close);
    const read = {
      kind,
      prepared,
      encoding: file.encoding,
      delimiter: file.delimiter,
      sheet: file.sheet?.name,
      faulty: faulty.first,
    };
    const { number } = prepared;
    if (number === undefined) return { ...read, applied: undefined, unapplied: 0 };
    const publisher = await openPublisher(queueUrl);
    try {
      const onProgress = progressOf('publishing', prepared.new + prepared.changed);
      // A half-published import is undone, also if the rights have ended.
      await publishOrUndo(pool, publisher, number, { by, noteAudit: noteAlways, onProgress, signal });
    } finally {
      await publisher.close();
    }
    const applied = await waitUntilApplied(view, { onProgress: progressOf('applying'), signal });
    return { ...read, applied, unapplied: applied === 'applied' ? await countUnapplied(pool, number) : 0 };
  } finally {
    await Promise.all([file.close(), view.close()]);
  }
}

function collectFaulty(file: TableFile, path: string) {
  const first: FaultyRow[] = [];
  let writer: ReturnType<typeof openFaultyWriter> | undefined;
  return {
    first,
    take: async (rows: readonly FaultyRow[], layout: FaultyLayout) => {
      first.push(...rows.slice(0, MAX_FAULTY_SHOWN - first.length));
      writer ??= openFaultyWriter(file, faultyPathOf(path), layout);
      await writer.write(rows);
    },
    close: async () => writer?.close(),
  };
}

async function undo({ number }: ImportOrder & { readonly kind: 'undo' }): Promise<UndoneImport> {
  const view = await openQueueView(queueUrl);
  const publisher = await openPublisher(queueUrl);
  try {
    const undone = await undoImport(pool, publisher, number, {
      by,
      noteAudit,
      onProgress: progressOf('undoing'),
    });
    const applied = await waitUntilApplied(view, { onProgress: progressOf('applying'), signal });
    return { kind: 'undo', ...undone, isFreed: applied === 'applied' && (await freeNaming(pool, number)) };
  } finally {
    await Promise.all([publisher.close(), view.close()]);
  }
}

async function run(): Promise<ImportResult> {
  switch (order.kind) {
    case 'look':
      return look(order);
    case 'undo':
      return undo(order);
    default:
      return previewOrImport(order);
  }
}

function problemOf(error: unknown): RunProblem {
  if (error instanceof ImportError) return { text: error.message };
  if (error instanceof HiddenPlansError) return { say: 'plansNeedDuty' };
  return { say: error instanceof Error && error.name === 'AbortError' ? 'importStopped' : 'importBroken' };
}

try {
  tell({ kind: 'done', result: await run() });
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  tell({ kind: 'failed', problem: problemOf(error), error: message });
} finally {
  await opened.close();
  parentPort?.unref();
}
