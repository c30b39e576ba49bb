import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import type { Database, DatabaseOptions } from '@takt/database';
import { type ApiAnswer, beginPieces, type StreamRequest } from '@takt/http';
import { findImport, ImportError, listImports, type Mapping, parseMapping } from '@takt/import';
import type { Markup } from '@takt/pages';
import { MAY_IMPORT } from '@takt/pages';
import { type Logger, withDeadline } from '@takt/run';
import { writeUntrusted } from '../pages/error-pages.js';
import { type Site, writeMessagePage, writePage } from '../pages/frame.js';
import { ownerOf } from '../rejected/bulk-runs.js';
import {
  answerHtml,
  answerRedirect,
  maySee,
  noticeOf,
  type PageRoute,
  type People,
  type Person,
  type UploadRoute,
  type Visit,
} from '../visit.js';
import type { DashboardText } from '../words.js';
import { filePage } from './file-page.js';
import { faultyPathOf, type ImportOrder } from './import-order.js';
import { importsPage, progressPage, undoPage } from './import-pages.js';
import { type ImportRun, type ImportRuns, openImportRuns, seesPlans } from './import-runs.js';
import { readLists } from './mapping-form.js';
import { SEES_PLANS } from './sees-plans.js';
import { openUploads, type Upload, type Uploads } from './uploads.js';

interface ImportsDependencies {
  readonly pool: Database['pool'];
  /** The connection of the threads that import. */
  readonly connection: DatabaseOptions;
  readonly queueUrl: string;
  readonly maxAheadMs: number;
  /** Folder in which a folder for uploaded files is made. */
  readonly home: string;
  readonly people: People;
  readonly baseUrl: string;
  readonly site: Site;
  readonly logger: Logger;
}

interface ImportPages {
  readonly routes: readonly PageRoute[];
  readonly uploads: readonly UploadRoute[];
  close(): Promise<void>;
}

interface Room extends ImportsDependencies {
  readonly files: Uploads;
  readonly runs: ImportRuns;
  /** The newest undo of each import that this process knows. */
  readonly undos: Map<number, ImportRun>;
}

type Answer = (room: Room, visit: Visit, person: Person) => Promise<ApiAnswer>;

const MAX_LISTED = 100;
const MAX_UNDOS = 100;
const MAX_MAPPING_BYTES = 65_536;
/** Time that a page waits for the end of a run. If the run takes longer, the page shows its progress. */
const RUN_PATIENCE_MS = 1_500;

/** Opens the pages on which files are imported. */
export function openImports(dependencies: ImportsDependencies): ImportPages {
  const { home, logger, connection, queueUrl, maxAheadMs } = dependencies;
  const files = openUploads(home, logger);
  const runs = openImportRuns({ database: connection, queueUrl, maxAheadMs, logger });
  const room: Room = { ...dependencies, files, runs, undos: new Map() };
  const access = MAY_IMPORT;
  const answered = (answer: Answer) => (visit: Visit, person: Person) => answer(room, visit, person);
  const page = (method: PageRoute['method'], path: string, answer: Answer): PageRoute => ({
    method,
    path,
    access,
    answer: answered(answer),
    maxFormBytes: MAX_MAPPING_BYTES,
  });
  return {
    routes: [
      page('GET', '/import', showImports),
      page('GET', '/import/file', showFile),
      page('POST', '/import/kind', chooseKind),
      page('POST', '/import/preview', preview),
      page('POST', '/import/begin', begin),
      page('POST', '/import/stop', stop),
      page('POST', '/import/remove', remove),
      page('GET', '/import/faulty', sendFaulty),
      page('GET', '/import/undo', showUndo),
      page('POST', '/import/undo', undo),
    ],
    uploads: [
      {
        path: '/import/upload',
        access,
        receive: (visit, person, stream) => receive(room, visit, person, stream),
      },
    ],
    close: async () => {
      await runs.close();
      await files.close();
    },
  };
}

const NOTICES = {
  noFile: 'noFile',
  largeFile: 'largeFile',
  noRoom: 'noRoom',
  brokenUpload: 'brokenUpload',
  otherImport: 'otherImport',
} as const satisfies Readonly<Record<string, DashboardText>>;

/** The codes of the enabled companies to which a person may import. */
async function companiesOf({ people }: Room, person: Person): Promise<readonly string[]> {
  const registered = await people.registeredCompanies();
  return [...registered].filter((code) => maySee(person, code)).sort();
}

async function showImports(room: Room, visit: Visit, person: Person): Promise<ApiAnswer> {
  const codes = person.hasAllCompanies ? undefined : [...person.companies];
  const content = importsPage({
    imports: (await listImports(room.pool, codes)).slice(0, MAX_LISTED),
    maxListed: MAX_LISTED,
    companies: await companiesOf(room, person),
    waiting: room.files.latestOf(ownerOf(person)),
    notice: noticeOf(visit, NOTICES),
    base: room.site.base,
    words: visit.words,
  });
  return answerPage(room, visit, person, content);
}

async function receive(
  room: Room,
  { headers }: Visit,
  person: Person,
  stream: StreamRequest['stream'],
): Promise<ApiAnswer> {
  const { files, runs, baseUrl } = room;
  if (runs.isBusy(person)) return answerRedirect(`${baseUrl}/import?done=otherImport`);
  const companies = await companiesOf(room, person);
  const upload = await files.receive(stream, headers, ownerOf(person), (fields) =>
    companies.find((code) => code === fields.get('company')),
  );
  if (typeof upload === 'string') return answerRedirect(`${baseUrl}/import?done=${upload}`);
  room.logger.info({ pid: person.pid, file: upload.fileName, bytes: upload.bytes }, 'a file was uploaded');
  const run = runs.begin(person, { kind: 'look', path: upload.path, company: upload.company });
  if (run === undefined) {
    await files.remove(upload);
    return answerRedirect(`${baseUrl}/import?done=otherImport`);
  }
  await follow(room, upload, run);
  return toFile(room, upload);
}

/** Makes a run the last step of a file, and waits for a short time until it has ended. */
async function follow({ files }: Room, upload: Upload, run: ImportRun): Promise<void> {
  upload.run = run;
  const taken = run.ended.then(() => takeResult(files, upload, run));
  await withDeadline(taken, RUN_PATIENCE_MS, () => undefined);
}

async function takeResult(files: Uploads, upload: Upload, { result }: ImportRun): Promise<void> {
  if (result?.kind === 'look') {
    upload.mapping = result.mapping;
    upload.headings = result.headings;
    upload.rows = result.rows;
  } else if (result !== undefined && result.kind !== 'undo') {
    upload.headings = result.prepared.headings;
    upload.rows = result.prepared.sample;
    if (result.prepared.number !== undefined) await files.discard(upload);
  }
}

const toFile = ({ baseUrl }: Room, { id }: Upload): ApiAnswer =>
  answerRedirect(`${baseUrl}/import/file?id=${id}`);

/** Runs an answer with the file that a form or an address names. */
const withFile =
  (answer: (room: Room, visit: Visit, person: Person, upload: Upload) => Promise<ApiAnswer>): Answer =>
  async (room, visit, person) => {
    const id = (visit.method === 'POST' ? visit.form : visit.query).get('id') ?? '';
    const upload = room.files.find(id, ownerOf(person));
    // The company may have been taken from the person since.
    if (upload === undefined || !maySee(person, upload.company)) {
      return refuse(room, visit, person, 'fileGone', 404);
    }
    // A result may tell of plans that the person may not read any more.
    if (upload.run?.seesPlans === true && !upload.run.isRunning && !seesPlans(person)) upload.run = undefined;
    return answer(room, visit, person, upload);
  };

/** Runs an answer with a file that is not imported yet; otherwise shows the result of its import. */
const withOpenFile = (answer: Parameters<typeof withFile>[0]): Answer =>
  withFile(async (room, visit, person, upload) =>
    upload.bytes > 0 ? answer(room, visit, person, upload) : toFile(room, upload),
  );

const showFile = withFile(async (room, visit, person, upload) => {
  const { base } = room.site;
  const { words } = visit;
  const { run } = upload;
  if (run?.isRunning) {
    const self = `${base}/import/file?id=${upload.id}`;
    // When the changes are applied, nothing can be stopped.
    const canStop = run.order.kind !== 'look' && run.phase !== 'applying';
    const stopFields = canStop ? { id: upload.id } : undefined;
    const content = progressPage({ run, heading: upload.fileName, self, stopFields, base, words });
    return answerPage(room, visit, person, content, true);
  }
  return answerFile(room, visit, person, upload);
});

function answerFile(
  room: Room,
  visit: Visit,
  person: Person,
  upload: Upload,
  wrong?: { readonly text: string; readonly problem: string },
): ApiAnswer {
  const { base, apiUrl } = room.site;
  const text = wrong?.text ?? upload.mapping;
  const content = filePage({
    upload,
    text,
    mapping: mappingOf(text),
    wrongMapping: wrong?.problem,
    base,
    apiUrl,
    words: visit.words,
  });
  return answerPage(room, visit, person, content, false, wrong === undefined ? 200 : 400);
}

function mappingOf(text: string): Mapping | undefined {
  try {
    return parseMapping(text);
  } catch {
    return undefined;
  }
}

/** Starts a step of a file. */
async function step(
  room: Room,
  visit: Visit,
  person: Person,
  upload: Upload,
  order: ImportOrder,
): Promise<ApiAnswer> {
  const run = room.runs.begin(person, order);
  if (run === undefined) return refuse(room, visit, person, 'otherImport', 409);
  await follow(room, upload, run);
  return toFile(room, upload);
}

const chooseKind = withOpenFile(async (room, visit, person, upload) => {
  const what = visit.form.get('what') === 'plans' ? 'plans' : 'operations';
  const { path, company } = upload;
  return step(room, visit, person, upload, { kind: 'look', path, company, what });
});

const preview = withOpenFile(async (room, visit, person, upload) => {
  const { form } = visit;
  let mapping = form.get('mapping') ?? '';
  try {
    if (!form.has('mapping')) mapping = readLists(form, mappingOf(upload.mapping));
    parseMapping(mapping);
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    return answerFile(room, visit, person, upload, { text: mapping, problem: error.message });
  }
  const { path, company } = upload;
  const choices = { skipsFaulty: false, ignoresDoubts: false };
  const answer = await step(room, visit, person, upload, {
    kind: 'preview',
    path,
    company,
    mapping,
    ...choices,
  });
  // A step that could not begin leaves the mapping of the preview that is shown.
  if (answer.status === 303) upload.mapping = mapping;
  return answer;
});

const begin = withOpenFile(async (room, visit, person, upload) => {
  const { form } = visit;
  const { run } = upload;
  // Only what was shown is imported.
  if (run?.isRunning !== false || run.result === undefined || !('mapping' in run.order)) {
    return toFile(room, upload);
  }
  const [skipsFaulty, ignoresDoubts] = [form.has('skipsFaulty'), form.has('ignoresDoubts')];
  return step(room, visit, person, upload, { ...run.order, kind: 'import', skipsFaulty, ignoresDoubts });
});

const stop = withFile(async (room, _visit, _person, upload) => {
  if (upload.run?.isRunning) {
    room.runs.stop(upload.run);
    await withDeadline(upload.run.ended, RUN_PATIENCE_MS, () => undefined);
  }
  return toFile(room, upload);
});

const remove = withFile(async (room, visit, person, upload) => {
  if (upload.run?.isRunning) return refuse(room, visit, person, 'otherImport', 409);
  await room.files.remove(upload);
  return answerRedirect(`${room.baseUrl}/import`);
});

const sendFaulty = withFile(async (room, visit, person, { path, fileName }) => {
  const faultyPath = faultyPathOf(path);
  const isThere = await access(faultyPath).then(
    () => true,
    () => false,
  );
  if (!isThere) return refuse(room, visit, person, 'fileGone', 404);
  const name = encodeURIComponent(fileName);
  return {
    status: 200,
    headers: {
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': `attachment; filename="faulty.csv"; filename*=UTF-8''${name}.faulty.csv`,
    },
    body: await beginPieces(piecesOf(faultyPath)),
    isStreamed: true,
  };
});

async function* piecesOf(path: string): AsyncGenerator<Uint8Array, void, void> {
  for await (const chunk of createReadStream(path)) yield chunk;
}

type Found = Awaited<ReturnType<typeof findImport>>;

/** Runs an answer with the import that a form or an address names. */
const withImport =
  (answer: (room: Room, visit: Visit, person: Person, found: Found) => Promise<ApiAnswer>): Answer =>
  async (room, visit, person) => {
    const text = (visit.method === 'POST' ? visit.form : visit.query).get('number') ?? '';
    const found = /^\d{1,9}$/.test(text)
      ? await findImport(room.pool, Number(text)).catch(noneIfUnknown)
      : undefined;
    if (found === undefined || !maySee(person, found.companyCode)) {
      return refuse(room, visit, person, 'importGone', 404);
    }
    if (found.what === 'plans' && !seesPlans(person)) {
      const page = { site: room.site, words: visit.words, person, duty: SEES_PLANS };
      return answerHtml(writeUntrusted(page), 403);
    }
    return answer(room, visit, person, found);
  };

function noneIfUnknown(error: unknown): undefined {
  if (!(error instanceof ImportError)) throw error;
}

const showUndo = withImport(async (room, visit, person, { number }) => {
  const { base } = room.site;
  const { words } = visit;
  const run = room.undos.get(number);
  if (run?.isRunning) {
    const heading = words.say('undoImport', String(number));
    const self = `${base}/import/undo?number=${number}`;
    const content = progressPage({ run, heading, self, stopFields: undefined, base, words });
    return answerPage(room, visit, person, content, true);
  }
  return answerPage(room, visit, person, undoPage({ number, run, base, words }));
});

const undo = withImport(async (room, visit, person, { number, companyCode }) => {
  const { runs, undos, baseUrl } = room;
  const run = runs.begin(person, { kind: 'undo', company: companyCode, number });
  if (run === undefined) return refuse(room, visit, person, 'otherImport', 409);
  undos.delete(number);
  undos.set(number, run);
  for (const oldest of [...undos.keys()].slice(0, -MAX_UNDOS)) undos.delete(oldest);
  await withDeadline(run.ended, RUN_PATIENCE_MS, () => undefined);
  return answerRedirect(`${baseUrl}/import/undo?number=${number}`);
});

function answerPage(
  { site }: Room,
  { words }: Visit,
  person: Person,
  content: Markup,
  isLive = false,
  status: ApiAnswer['status'] = 200,
): ApiAnswer {
  const page = { title: words.say('import'), words, site, person, path: '/import', content, isLive };
  return answerHtml(writePage(page), status);
}

function refuse(
  { site }: Room,
  { words }: Visit,
  person: Person,
  problem: DashboardText,
  status: 404 | 409,
): ApiAnswer {
  const page = { title: words.say('refused'), words, site, person, path: '/import' };
  const back = { href: `${site.base}/import`, text: words.say('import') };
  return answerHtml(writeMessagePage(page, words.say(problem), undefined, back), status);
}
